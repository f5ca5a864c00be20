// SPDX-License-Identifier: BSD-3-Clause
// The lfn_io of a host with one card on its bus: every access costs its processor time, and may be traced.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "emulators/bus/isa_card.hpp"
#include "emulators/host/processor.hpp"
#include "ports/drivers/lfn_io.h"
#include "ports/lab/io_trace.hpp"

namespace lfn::lab {

class CardIo {
public:
    struct Config {
        std::uint32_t base = 0x300;
        Duration access_cost{};
        /// Offsets, as bits, of ports through which the bytes of a packet pass and nothing else happens, while the
        /// packet buffer is the host's: the processor's quiet work.
        std::uint32_t data_ports = 0;
        std::string_view host_name{};
        IoTrace* trace = nullptr;
    };

    CardIo(IsaCard& card, Processor& processor, const Config& config);
    CardIo(const CardIo&) = delete;
    CardIo& operator=(const CardIo&) = delete;

    /// For the driver; good as long as this object.
    const lfn_io* face() const { return &face_; }
    std::uint32_t base() const { return config_.base; }
    std::uint64_t accesses() const { return accesses_; }

private:
    static constexpr unsigned ports_at_most = 32;

    std::uint8_t in(std::uint32_t port);
    void out(std::uint32_t port, std::uint8_t value);
    /// Pays for an access. The offset of a port of the card, or -1: nobody answers.
    int begin(std::uint32_t port);
    void trace(Access access, std::uint32_t port, std::uint8_t value) const;

    IsaCard& card_;
    Processor& processor_;
    Config config_;
    std::string host_name_;
    std::array<std::array<std::string_view, ports_at_most>, 2> names_;  // read, write
    lfn_io face_;
    std::uint64_t accesses_ = 0;
};

}  // namespace lfn::lab
