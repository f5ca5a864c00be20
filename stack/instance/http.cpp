// SPDX-License-Identifier: BSD-3-Clause
// lwIP's HTTP server (apps/http). Its files are asked of the host, piece by piece.
#include "apps.hpp"
#include "lwip/apps/fs.h"
#include "lwip/apps/httpd.h"
#include "lwip/priv/tcp_priv.h"
#include "settings.hpp"

// The instance's own: HTTPD_SERVER_PORT (lwipopts.h).
unsigned short lfn_stack_http_port;

namespace lfn {

namespace {

lfn_http_files files;

}  // namespace

tcp_pcb* listener_on(u16_t port) {
    for (tcp_pcb_listen* each = tcp_listen_pcbs.listen_pcbs; each != nullptr; each = each->next) {
        if (each->local_port == port) return reinterpret_cast<tcp_pcb*>(each);
    }
    return nullptr;
}

bool http::serve(u16_t port, const lfn_tcp_settings* wanted, const lfn_http_files* from) {
    if (lfn_stack_http_port != 0 || listener_on(port) != nullptr) return false;
    files = *from;
    lfn_stack_http_port = port;
    httpd_init();
    return settings::apply(listener_on(port), wanted);
}

}  // namespace lfn

// The server adds Content-Length to what has the flag.
int fs_open_custom(fs_file* file, const char* name) {
    void* handle = nullptr;
    const int32_t length = lfn::files.open(lfn::files.context, name, &handle);
    if (length < 0) return 0;
    file->data = nullptr;
    file->len = length;
    file->index = 0;
    file->pextension = handle;
    file->flags = FS_FILE_FLAGS_HEADER_PERSISTENT;
    return 1;
}

void fs_close_custom(fs_file* file) {
    lfn::files.close(lfn::files.context, file->pextension);
}

int fs_read_custom(fs_file* file, char* buffer, int count) {
    const int length = LWIP_MIN(count, file->len - file->index);
    lfn::files.read(lfn::files.context, file->pextension, static_cast<uint32_t>(file->index),
                    reinterpret_cast<uint8_t*>(buffer), static_cast<size_t>(length));
    file->index += length;
    return length;
}
