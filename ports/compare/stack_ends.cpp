// SPDX-License-Identifier: BSD-3-Clause
#include "ports/compare/stack_ends.hpp"

namespace lfn::compare {

lfn_interface ethernet_interface(std::uint32_t address, std::uint16_t mtu) {
    lfn_interface interface {};
    interface.kind = LFN_LINK_ETHERNET;
    interface.address = address;
    interface.netmask = 0xffffff00;
    interface.mtu = mtu;
    // Locally administered (IEEE 802: the second bit of the first octet).
    interface.hardware_address[0] = 0x02;
    interface.hardware_address[1] = 0x11;
    for (std::size_t i = 0; i < 4; ++i) {
        interface.hardware_address[2 + i] = static_cast<std::uint8_t>(address >> (24 - 8 * i));
    }
    return interface;
}

Sent StackSender::sent() {
    const lfn_tcp_info info = put_.info();
    return {info.retransmitted_segments, info.mss, put_.digest().text()};
}

StackReceiver::StackReceiver(RealtimeHost& host, const lfn_tcp_settings& settings)
    : settings_(settings), server_(host) {
    server_.on_session_over = [this](services::Service, services::Session& session) {
        octets_ = session.octets_received();
        last_came_ = session.last_received();
        failure_ = session.failure();
    };
}

bool StackReceiver::start(std::uint16_t port) {
    if (server_.listen(services::Service::sink, port, settings_)) return true;
    failure_ = "the stack has no memory for a listener";
    return false;
}

std::uint64_t StackReceiver::octets() const {
    const services::Session* session = server_.newest();
    return session != nullptr ? session->octets_received() : octets_;
}

Time StackReceiver::last_came() const {
    const services::Session* session = server_.newest();
    return session != nullptr ? session->last_received() : last_came_;
}

}  // namespace lfn::compare
