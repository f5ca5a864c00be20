// SPDX-License-Identifier: BSD-3-Clause
// One card in a host of the lab: the driver over it, the frames that wait for it, what a frame costs the processor.
//
// The port holds a few frames, the one that the driver is sending included; what finds no room is its owner's matter.
// All but put() and has_room() runs on the processor and takes time there.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "emulators/bus/isa_card.hpp"
#include "emulators/host/processor.hpp"
#include "emulators/host/profile.hpp"
#include "emulators/link/frame.hpp"
#include "emulators/time/random.hpp"
#include "ports/lab/card_io.hpp"
#include "ports/lab/nic_driver.hpp"
#include "ports/pcap/capture.hpp"

namespace lfn::lab {

/// What a packet costs besides port accesses.
struct PacketCost {
    Duration packet{}, copy_octet{}, checksum_octet{};
    void spend(Processor& processor, std::size_t octets) const;
};

struct CardPortOptions {
    std::string_view name;  ///< in a trace, and of the random stream
    Duration port_access{}, interrupt{};
    PacketCost receive_cost{}, send_cost{};
    std::uint32_t data_ports = 0;  ///< of the card, see CardIo
    std::size_t frames = 2;
    /// Chance that an interrupt never reaches the processor, as PC/IP found on some PC/ATs.
    double interrupt_loss = 0;
    std::uint64_t seed = 1;
    IoTrace* trace = nullptr;
    CaptureWriter* capture = nullptr;  ///< of the frames that the driver is given and gives, when it does so
};

class CardPort {
public:
    CardPort(Processor& processor, IsaCard& card, std::unique_ptr<NicDriver> driver, const CardPortOptions& options);
    ~CardPort();
    CardPort(const CardPort&) = delete;
    CardPort& operator=(const CardPort&) = delete;

    /// Brings the card up; see NicDriver::init.
    bool init(lfn_interface& interface);
    /// A frame that has come and was paid for, valid until the next call; empty: none. `progress` is set to whether
    /// anything was done.
    std::span<const std::uint8_t> receive(bool& progress);
    /// Does what there is to do about the frame in front. True if that was anything.
    bool send();

    bool has_room() const { return queue_.size() < options_.frames; }
    /// For the driver to send; whoever puts it there sees to has_room().
    void put(FramePtr frame);

    const NicDriver& driver() const { return *driver_; }
    /// Frames that the driver could never send.
    std::uint64_t unsendable() const { return unsendable_; }
    std::uint64_t interrupts_lost() const { return interrupts_lost_; }
    std::uint64_t accesses() const { return io_.accesses(); }

private:
    enum class Front : std::uint8_t { untouched, prepared, with_driver };

    bool offer_front();
    void drop_front();
    void on_interrupt_line();
    std::uint32_t now_ms() const;
    void capture(Time time, std::span<const std::uint8_t> frame) const;

    Processor& processor_;
    IsaCard& card_;
    std::unique_ptr<NicDriver> driver_;
    CardPortOptions options_;
    Random interrupt_random_;
    CardIo io_;
    FrameList queue_;
    Front front_ = Front::untouched;
    std::uint64_t unsendable_ = 0;
    std::uint64_t interrupts_lost_ = 0;
};

}  // namespace lfn::lab
