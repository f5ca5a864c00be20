// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <initializer_list>

#include "ports/drivers/3c500.h"
#include "ports/drivers/ethernet.h"
#include "ports/lab/nic_driver.hpp"

namespace lfn::lab {

namespace {

class Driver3c500 final : public NicDriver {
public:
    bool init(const lfn_io* io, std::uint32_t base, lfn_interface& interface) override {
        if (!lfn_3c500_init(&nic_, io, base)) return false;
        interface.kind = LFN_LINK_ETHERNET;
        interface.mtu = LFN_ETHERNET_MTU;
        std::ranges::copy(nic_.address, interface.hardware_address);
        return true;
    }

    lfn_send_result send(std::span<const std::uint8_t> frame, std::uint32_t now_ms) override {
        return lfn_3c500_transmit(&nic_, frame.data(), frame.size(), now_ms);
    }
    bool sending() const override { return lfn_3c500_sending(&nic_); }

    std::span<const std::uint8_t> poll(std::uint32_t now_ms, bool& progress) override {
        const bool was_sending = sending();
        const std::size_t octets = lfn_3c500_poll(&nic_, now_ms, room_.data(), room_.size());
        progress = octets != 0 || was_sending != sending() || nic_.announced;
        return std::span(room_).first(octets);
    }
    void interrupt() override { lfn_3c500_interrupt(&nic_); }

    std::vector<NamedCount> counters() const override {
        const lfn_3c500_counters& c = nic_.counters;
        return {{"sent", c.sent},
                {"received", c.received},
                {"collisions", c.collisions},
                {"abandoned", c.abandoned},
                {"underflows", c.underflows},
                {"refused", c.refused},
                {"reloaded", c.reloaded},
                {"drained", c.drained},
                {"watchdog_resets", c.watchdog_resets},
                {"unannounced", c.unannounced},
                {"restarts", c.restarts},
                {"short_frames", c.short_frames},
                {"overflows", c.overflows},
                {"fcs_errors", c.fcs_errors},
                {"dribbles", c.dribbles},
                {"oversized", c.oversized}};
    }

private:
    lfn_3c500 nic_{};
    std::array<std::uint8_t, LFN_3C500_FRAME_MAX> room_;
};

// The same card with Ethernet's headers and ARP over it. The card's driver wants a frame kept while it leaves, so there
// is room for one here.
class DatagramDriver3c500 final : public NicDriver {
public:
    bool init(const lfn_io* io, std::uint32_t base, lfn_interface& interface) override {
        if (!frames_.init(io, base, interface)) return false;
        lfn_ethernet_init(&ethernet_, interface.address, interface.netmask, interface.gateway,
                          interface.hardware_address);
        interface.kind = LFN_LINK_POINT_TO_POINT;
        return true;
    }

    lfn_send_result send(std::span<const std::uint8_t> datagram, std::uint32_t now_ms) override {
        if (sending()) return LFN_SEND_BUSY;
        switch (lfn_ethernet_route(&ethernet_, datagram.data(), datagram.size(), now_ms, frame_.data())) {
            case LFN_ARP_KNOWN:
                break;
            case LFN_ARP_ASKING:
                ask(now_ms);
                return LFN_SEND_BUSY;
            case LFN_ARP_UNREACHABLE:
                return LFN_SEND_UNSENDABLE;
        }
        std::ranges::copy(datagram, frame_.begin() + LFN_ETHERNET_HEADER);
        return frames_.send(std::span(frame_).first(LFN_ETHERNET_HEADER + datagram.size()), now_ms);
    }
    bool sending() const override { return frames_.sending(); }

    std::span<const std::uint8_t> poll(std::uint32_t now_ms, bool& progress) override {
        const std::span<const std::uint8_t> frame = frames_.poll(now_ms, progress);
        std::span<const std::uint8_t> datagram;
        if (!frame.empty()) {
            std::size_t size = 0;
            const std::uint8_t* payload = lfn_ethernet_input(&ethernet_, frame.data(), frame.size(), &size);
            if (payload != nullptr) datagram = {payload, size};
        }
        ask(now_ms);
        return datagram;
    }
    void interrupt() override { frames_.interrupt(); }

    std::vector<NamedCount> counters() const override {
        std::vector<NamedCount> counts = frames_.counters();
        counts.push_back({"malformed_frames", ethernet_.counters.malformed});
        counts.push_back({"alien_frames", ethernet_.counters.alien});
        append_counters(counts, ethernet_.arp.counters);
        return counts;
    }

private:
    /// Sends what ARP has to say, as soon as the card is free and holds nothing that has come.
    void ask(std::uint32_t now_ms) {
        if (sending()) return;
        if (!arp_waits_) arp_waits_ = lfn_ethernet_arp_output(&ethernet_, now_ms, arp_.data());
        if (arp_waits_) arp_waits_ = frames_.send(arp_, now_ms) != LFN_SEND_STARTED;
    }

    Driver3c500 frames_;
    lfn_ethernet ethernet_{};
    std::array<std::uint8_t, LFN_3C500_FRAME_MAX> frame_{};
    std::array<std::uint8_t, LFN_ETHERNET_ARP_OCTETS> arp_{};
    bool arp_waits_ = false;
};

}  // namespace

std::unique_ptr<NicDriver> make_3c500_driver() {
    return std::make_unique<Driver3c500>();
}

std::unique_ptr<NicDriver> make_3c500_datagram_driver() {
    return std::make_unique<DatagramDriver3c500>();
}

void append_counters(std::vector<NamedCount>& counts, const lfn_arp_counters& arp) {
    const std::initializer_list<NamedCount> more = {
        {"arp_requests_sent", arp.requests_sent},   {"arp_replies_sent", arp.replies_sent},
        {"arp_requests_heard", arp.requests_heard}, {"arp_replies_heard", arp.replies_heard},
        {"arp_malformed", arp.malformed},           {"arp_alien", arp.alien}};
    counts.insert(counts.end(), more);
}

}  // namespace lfn::lab
