// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "ports/drivers/p1300.h"
#include "ports/drivers/pronet.h"
#include "ports/lab/nic_driver.hpp"

namespace lfn::lab {

namespace {

class DriverP1300 final : public NicDriver {
public:
    bool init(const lfn_io* io, std::uint32_t base, lfn_interface& interface) override {
        if (!lfn_p1300_init(&nic_, io, base)) return false;
        lfn_pronet_init(&pronet_, interface.address, interface.netmask, interface.gateway, nic_.station);
        interface.kind = LFN_LINK_POINT_TO_POINT;
        interface.mtu = LFN_PRONET_MTU;
        return true;
    }

    lfn_send_result send(std::span<const std::uint8_t> datagram, std::uint32_t now_ms) override {
        std::array<std::uint8_t, LFN_PRONET_HEADER> header;
        switch (lfn_pronet_route(&pronet_, datagram.data(), datagram.size(), now_ms, header.data())) {
            case LFN_ARP_KNOWN:
                break;
            case LFN_ARP_ASKING:
                ask(now_ms);
                return LFN_SEND_BUSY;
            case LFN_ARP_UNREACHABLE:
                return LFN_SEND_UNSENDABLE;
        }
        return lfn_p1300_transmit(&nic_, header.data(), header.size(), datagram.data(), datagram.size(), now_ms);
    }
    bool sending() const override { return lfn_p1300_sending(&nic_); }

    std::span<const std::uint8_t> poll(std::uint32_t now_ms, bool& progress) override {
        const bool was_sending = sending();
        const std::size_t octets = lfn_p1300_poll(&nic_, now_ms, room_.data(), room_.size());
        progress = octets != 0 || was_sending != sending() || nic_.announced;
        std::span<const std::uint8_t> datagram;
        if (octets != 0) {
            std::size_t size = 0;
            const std::uint8_t* payload = lfn_pronet_input(&pronet_, room_.data(), octets, &size);
            if (payload != nullptr) datagram = {payload, size};
        }
        ask(now_ms);
        return datagram;
    }
    void interrupt() override { lfn_p1300_interrupt(&nic_); }

    std::vector<NamedCount> counters() const override {
        const lfn_p1300_counters& c = nic_.counters;
        std::vector<NamedCount> counts = {{"sent", c.sent},
                                          {"received", c.received},
                                          {"refusals", c.refusals},
                                          {"abandoned", c.abandoned},
                                          {"token_timeouts", c.token_timeouts},
                                          {"token_failures", c.token_failures},
                                          {"malformed", c.malformed},
                                          {"watchdog_resets", c.watchdog_resets},
                                          {"unannounced", c.unannounced},
                                          {"bad_formats", c.bad_formats},
                                          {"parity_errors", c.parity_errors},
                                          {"overruns", c.overruns},
                                          {"oversized", c.oversized},
                                          {"malformed_messages", pronet_.counters.malformed},
                                          {"alien_messages", pronet_.counters.alien}};
        append_counters(counts, pronet_.arp.counters);
        return counts;
    }

private:
    /// Sends what ARP has to say, if the card is free.
    void ask(std::uint32_t now_ms) {
        std::array<std::uint8_t, LFN_PRONET_ARP_OCTETS> message;
        if (sending() || !lfn_pronet_arp_output(&pronet_, now_ms, message.data())) return;
        lfn_p1300_transmit(&nic_, message.data(), message.size(), nullptr, 0, now_ms);
    }

    lfn_p1300 nic_{};
    lfn_pronet pronet_{};
    std::array<std::uint8_t, LFN_P1300_MESSAGE_MAX> room_;
};

}  // namespace

std::unique_ptr<NicDriver> make_p1300_driver() {
    return std::make_unique<DriverP1300>();
}

}  // namespace lfn::lab
