// SPDX-License-Identifier: BSD-3-Clause
// `lfn`: transfers over emulated links and cards, the published figures they are measured by, and real networks.
#include <fcntl.h>

#include <cstdio>
#include <exception>

#include "ports/cli/cards.hpp"
#include "ports/cli/commands.hpp"
#include "ports/cli/network_commands.hpp"

namespace {

using namespace lfn::cli;

constexpr const char* footer =
    "Examples:\n"
    "  lfn transfer                                  10 MB over a T1 satellite link\n"
    "  lfn transfer --ber 1e-6 --loss-policy noise   the same link with bit errors, taken for noise\n"
    "  lfn reproduce rfc1106                         RFC 1106's figures, published and measured\n"
    "  lfn transfer --card p1300 --host pc-at-8      over emulated token ring cards of 1986\n"
    "  lfn sweep --ber 0,1e-6 --seeds 3 --bytes 1M   a grid of transfers over all cores\n"
    "  lfn policies                                  what the loss policies make of noise and of congestion\n"
    "  lfn links                                     what --link can name\n"
    "  lfn devices                                   what --card can name, register by register\n"
    "\n"
    "`lfn COMMAND --help` tells more. Exit status: 0 all well, 1 a transfer failed, 2 bad input.";

int run_program(int argc, char** argv) {
    Program program("lfn", "TCP for long fat networks: lwIP with RFC 1106's Big Window and NAK, in virtual time.",
                    "lfn " LFN_VERSION " (on lwIP " LFN_LWIP_VERSION ")");
    Command commands = program.command();
    commands.footer(footer);
    Run run;
    add_transfer(commands, run);
    add_reproduce(commands, run);
    add_links(commands, run);
    add_sweep(commands, run);
    add_policies(commands, run);
    add_devices(commands, run);
    add_serve(commands, run);
    add_get(commands, run);
    add_put(commands, run);
    add_bridge(commands, run);
    add_compare(commands, run);
    if (const auto status = program.parse(argc, argv)) return *status;
    if (!run) return program.complain_about("give a command; there are " + program.command_names());
    return run();
}

// Where the caller has closed one of the standard streams, no file of ours may get its number: it stays one that can be
// neither read nor written as that stream would be.
void keep_standard_streams() {
    for (int stream = 0; stream <= 2; ++stream) {
        if (fcntl(stream, F_GETFD) == -1) open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
    }
}

}  // namespace

int main(int argc, char** argv) {
    keep_standard_streams();
    try {
        const int status = run_program(argc, argv);
        if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
        std::fprintf(stderr, "lfn: standard output cannot be written; give it a file or a terminal with room\n");
        return exit_failed;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "lfn: %s\n", error.what());
        return exit_failed;
    }
}
