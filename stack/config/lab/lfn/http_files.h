/* SPDX-License-Identifier: BSD-3-Clause */
/* What lwIP's HTTP server has in itself (HTTPD_FSDATA_FILE): nothing. Its files are the host's. */
#define FS_ROOT ((const struct fsdata_file*)NULL)
