// SPDX-License-Identifier: BSD-3-Clause
// `lfn`: transfers over emulated links and cards, the published figures they are measured by, and real networks.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>

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

// Complaints are one line.
int complain_about(const std::string& where, std::string what) {
    std::replace(what.begin(), what.end(), '\n', ' ');
    fmt::print(stderr, "{}: {} (see {} --help)\n", where, what, where);
    return exit_bad_input;
}

std::string called(const CLI::App& program) {
    const auto commands = program.get_subcommands();
    return commands.empty() ? "lfn" : "lfn " + commands.front()->get_name();
}

// All of them: "transfer, reproduce and links".
std::string command_names(const CLI::App& program) {
    const auto commands = program.get_subcommands([](const CLI::App*) { return true; });
    std::string names;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (i > 0) names += i + 1 < commands.size() ? ", " : " and ";
        names += commands[i]->get_name();
    }
    return names;
}

std::string unknown_command(const CLI::App& program) {
    return "unknown command " + program.remaining().front() + "; there are " + command_names(program);
}

int run_program(int argc, char** argv) {
    CLI::App program("TCP for long fat networks: lwIP with RFC 1106's Big Window and NAK, in virtual time.", "lfn");
    program.set_version_flag("--version", "lfn " LFN_VERSION " (on lwIP " LFN_LWIP_VERSION ")", "Print the version");
    program.footer(footer);
    Run run;
    add_transfer(program, run);
    add_reproduce(program, run);
    add_links(program, run);
    add_sweep(program, run);
    add_policies(program, run);
    add_devices(program, run);
    add_serve(program, run);
    add_get(program, run);
    add_put(program, run);
    add_bridge(program, run);
    add_compare(program, run);
    try {
        program.parse(argc, argv);
    } catch (const CLI::Success& success) {  // --help, --version
        return program.exit(success);
    } catch (const CLI::ExtrasError& error) {
        return complain_about(called(program),
                              program.get_subcommands().empty() ? unknown_command(program) : error.what());
    } catch (const CLI::ParseError& error) {
        return complain_about(called(program), error.what());
    }
    if (!run) return complain_about("lfn", "give a command; there are " + command_names(program));
    return run();
}

}  // namespace

int main(int argc, char** argv) {
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
