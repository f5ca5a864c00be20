// SPDX-License-Identifier: BSD-3-Clause
// Files that options name, judged before the work begins. All complain in the option's name.
#pragma once

#include <string>

namespace lfn::cli {

/// Tries it, and leaves no trace. A device or a pipe is taken as it is.
void check_writable(const std::string& option, const std::string& file);
/// "-" is the standard input, and readable.
void check_readable(const std::string& option, const std::string& file);
/// "run.pcap", "right" -> "run-right.pcap"; "run" -> "run-right".
std::string with_suffix(const std::string& file, const std::string& suffix);

}  // namespace lfn::cli
