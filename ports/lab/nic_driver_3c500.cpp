// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>

#include "ports/drivers/3c500.h"
#include "ports/lab/nic_driver.hpp"

namespace lfn::lab {

namespace {

constexpr std::uint16_t ethernet_mtu = 1500;  // RFC 894

class Driver3c500 final : public NicDriver {
public:
    bool init(const lfn_io* io, std::uint32_t base, lfn_interface& interface) override {
        if (!lfn_3c500_init(&nic_, io, base)) return false;
        interface.kind = LFN_LINK_ETHERNET;
        interface.mtu = ethernet_mtu;
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
        progress = octets != 0 || was_sending != sending();
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

}  // namespace

std::unique_ptr<NicDriver> make_3c500_driver() {
    return std::make_unique<Driver3c500>();
}

}  // namespace lfn::lab
