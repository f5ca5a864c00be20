// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "ports/cli/cards.hpp"
#include "ports/cli/tcp_options.hpp"
#include "ports/cli/units.hpp"
#include "ports/lab/card_host.hpp"

namespace lfn::cli {

namespace {

std::string host_name(const HostProfile* host) {
    return std::string(lab::or_ideal(host).name);
}

std::string headline(const CardRequest& cards) {
    const lab::CardTransferOptions& transfer = cards.transfer;
    std::string text;
    if (transfer.octets > 0) text += format_bytes(transfer.octets) + " from a to b, ";
    if (transfer.octets_back > 0) text += format_bytes(transfer.octets_back) + " from b to a, ";
    text += fmt::format("a is {} with {}, b is {} with {}", host_name(transfer.hosts[0]), name_of(transfer.cards[0]),
                        host_name(transfer.hosts[1]), name_of(transfer.cards[1]));
    if (transfer.has_router()) text += fmt::format("; the gateway is {}", host_name(transfer.router));
    if (transfer.wire.stations > 0) {
        text += fmt::format("; {} other stations, {:g} % background", transfer.wire.stations,
                            100 * transfer.wire.background);
    }
    return text + "\n";
}

std::string settings_line(const TransferRequest& request, const lab::CardTransferOptions& transfer) {
    const std::string mss = transfer.mss != 0 ? fmt::format("{}", transfer.mss) : "the card's";
    return fmt::format("window {}, MSS {}, NAK {}, seed {}\n\n", format_window(transfer.window), mss,
                       nak_name(request.transfer.tcp), transfer.seed);
}

std::string flow_lines(std::string_view way, const lab::CardFlowReport& flow, std::uint64_t wanted) {
    if (wanted == 0) return "";
    const std::string digest =
        flow.intact ? flow.sent_digest + ": intact" : fmt::format("NOT INTACT: {} arrived", format_bytes(flow.octets));
    return fmt::format(
        "{:<12}{:.1f} kB/s, {:.3f} s; {} segments resent, {} timeouts, {} NAKs sent, {} honoured\n{:<12}digest {}\n",
        way, flow.goodput / 1000, flow.seconds, format_count(flow.sender.retransmitted_segments),
        format_count(flow.sender.rtos), format_count(flow.receiver.naks_sent), format_count(flow.sender.naks_honoured),
        "", digest);
}

std::string counts_text(const std::vector<lab::NamedCount>& counts) {
    std::string text;
    for (const lab::NamedCount& count : counts) {
        if (count.value == 0) continue;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count.name, format_count(count.value));
    }
    return text.empty() ? "nothing" : text;
}

std::string port_lines(std::string_view name, const lab::CardPortReport& port) {
    return fmt::format("\n{:<12}card       {}\n{:<12}driver     {}; {} port accesses\n", name, counts_text(port.card),
                       "", counts_text(port.driver), format_count(port.port_accesses));
}

std::string work_line(const std::array<Duration, work_count>& work) {
    std::string text = fmt::format("{:<12}processor ", "");
    for (std::size_t i = 0; i < work_count; ++i) {
        text += fmt::format("{} {} {:.3f} s", i == 0 ? "" : ",", name_of(static_cast<Work>(i)), seconds_of(work[i]));
    }
    return text + "\n";
}

std::string end_lines(std::string_view name, const lab::CardEndReport& end) {
    return port_lines(name, end) + work_line(end.work) +
           fmt::format("{:<12}stack      told to wait {} times\n", "", format_count(end.stack_refusals));
}

std::string gateway_lines(const lab::CardRouterReport& router) {
    const lab::CardRouter::Counters& c = router.counters;
    const std::string datagrams = counts_text({{"forwarded", c.forwarded},
                                               {"malformed", c.malformed},
                                               {"not routed", c.not_routed},
                                               {"expired", c.expired},
                                               {"too long", c.too_long},
                                               {"queue full", c.queue_full}});
    return port_lines("gateway, a", router.ports[0]) + port_lines("gateway, b", router.ports[1]) +
           work_line(router.work) + fmt::format("{:<12}datagrams  {}\n", "", datagrams);
}

std::string wire_line(const lab::CardWireReport& wire) {
    return fmt::format("{:<12}{}; carrying {:.1f} % of the time\n",
                       wire.kind == lab::NicKind::el3c500 ? "ethernet" : "ring", counts_text(wire.counters),
                       100 * wire.load);
}

}  // namespace

std::string card_text(const TransferRequest& request, const CardRequest& cards, const lab::CardTransferReport& report,
                      double wall_seconds) {
    std::string text = headline(cards) + settings_line(request, cards.transfer);
    text += flow_lines("a to b", report.forward, cards.transfer.octets);
    text += flow_lines("b to a", report.backward, cards.transfer.octets_back);
    text += fmt::format("{:<12}{:.3f} s virtual, {:.2f} s wall\n", "time", report.seconds, wall_seconds);
    for (const lab::CardWireReport& wire : report.wires) text += wire_line(wire);
    text += fmt::format("{:<12}{} undamaged frames, by the cards\n", "lost", format_count(report.lost()));
    text += end_lines("a", report.ends[0]) + end_lines("b", report.ends[1]);
    if (report.router) text += gateway_lines(*report.router);
    if (!cards.transfer.trace_io.empty()) text += fmt::format("\ntrace       {}\n", cards.transfer.trace_io);
    if (!request.pcap.empty()) {
        text += fmt::format("\ncaptures    {} (a), {} (b)\n", cards.transfer.captures[0], cards.transfer.captures[1]);
    }
    return text;
}

}  // namespace lfn::cli
