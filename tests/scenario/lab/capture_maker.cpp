// SPDX-License-Identifier: BSD-3-Clause
// Writes captures of one short transfer for each combination of wire form and peer, for other programs to read.
//
//   lab_capture_maker FOLDER
#include <cstdio>
#include <string>

#include "lfn/nak_receiver.h"
#include "lfn/tcp_options.h"
#include "ports/lab/transfer.hpp"

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    for (const lfn_wire wire : {LFN_WIRE_EXID, LFN_WIRE_RFC1106}) {
        for (const lfn_stack* peer : {lfn_stack_lfn(), lfn_stack_lwip()}) {
            lfn::lab::TransferOptions options;
            options.octets = 300'000;
            options.bit_error_rate = 1e-5;
            options.receiver = peer;
            options.tcp.big_window = true;
            options.tcp.nak_mode = LFN_NAK_EVERY_GAP;
            options.tcp.renak = true;
            options.tcp.wire = static_cast<std::uint8_t>(wire);
            const std::string stem = std::string(argv[1]) + "/" + std::to_string(wire) + "-" + peer->name;
            options.sender_capture = stem + "-sender.pcap";
            options.receiver_capture = stem + "-receiver.pcap";
            const auto report = run_transfer(options);
            if (!report.intact || !report.closed) {
                std::fprintf(stderr, "%s: %s\n", stem.c_str(), report.failure.c_str());
                return 1;
            }
        }
    }
    return 0;
}
