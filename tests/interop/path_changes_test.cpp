// SPDX-License-Identifier: BSD-3-Clause
// A path that changes under a connection: narrower, away for a while; and many connections on it.
#include <algorithm>

#include "tests/interop/path_fixture.hpp"
#include "tests/interop/segment_view.hpp"

namespace lfn::interop {

namespace {

constexpr std::size_t ip_begin = 14, ip_octets = 20;

class PathChanges : public PathTest {
protected:
    void open(Duration one_way, std::uint64_t rate_bps) {
        open_path(Left::kernel, one_way, rate_bps);
        serve(settings());
    }
    void expect_digest(const services::Digest& received, std::uint64_t octets, std::uint64_t seed) {
        std::vector<std::uint8_t> pattern(octets);
        services::Pattern(seed).fill(0, pattern);
        services::Digest expected;
        expected.add(pattern);
        EXPECT_EQ(received, expected);
    }
};

// A router with a smaller MTU behind it. What may not be fragmented is answered with ICMP (RFC 792, RFC 1191); what may
// be, is: the stack sends without DF.
class NarrowRouter {
public:
    using Inject = std::function<void(std::span<const std::uint8_t>)>;
    NarrowRouter(std::size_t mtu, Inject onwards, Inject back)
        : mtu_(mtu), onwards_(std::move(onwards)), back_(std::move(back)) {}

    bool pass(Frame& frame) {
        const std::span<std::uint8_t> octets = frame.octets();
        if (!narrow || octets.size() <= mtu_ + ip_begin || octets[12] != 0x08 || octets[13] != 0x00) return true;
        if ((octets[ip_begin + 6] & 0x40) != 0) {
            refuse(octets);
        } else {
            fragment(octets);
        }
        return false;
    }

    bool narrow = false;
    int refused = 0, fragmented = 0;

private:
    // "Fragmentation needed and DF set", from the address that was meant.
    void refuse(std::span<const std::uint8_t> octets) {
        ++refused;
        constexpr std::size_t icmp_octets = 8, quoted = ip_octets + 8;
        std::vector<std::uint8_t> frame(octets.begin(), octets.begin() + ip_begin + ip_octets);
        frame.resize(ip_begin + ip_octets + icmp_octets + quoted);
        std::swap_ranges(frame.begin(), frame.begin() + 6, frame.begin() + 6);
        std::swap_ranges(frame.begin() + ip_begin + 12, frame.begin() + ip_begin + 16, frame.begin() + ip_begin + 16);
        put_u16(frame, ip_begin + 2, static_cast<std::uint32_t>(frame.size() - ip_begin));
        frame[ip_begin + 9] = 1;
        seal_ip(frame);
        const std::span<std::uint8_t> icmp = std::span(frame).subspan(ip_begin + ip_octets);
        icmp[0] = 3;
        icmp[1] = 4;
        put_u16(icmp, 6, static_cast<std::uint32_t>(mtu_));
        std::copy_n(octets.begin() + ip_begin, quoted, icmp.begin() + icmp_octets);
        std::uint32_t sum = internet_sum(icmp);
        while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
        put_u16(icmp, 2, ~sum);
        back_(frame);
    }

    // In two pieces.
    void fragment(std::span<const std::uint8_t> octets) {
        ++fragmented;
        const std::span<const std::uint8_t> data = octets.subspan(ip_begin + ip_octets);
        const std::size_t first = (mtu_ - ip_octets) / 8 * 8;
        send_piece(octets, data.first(first), 0x2000);
        send_piece(octets, data.subspan(first), static_cast<std::uint32_t>(first / 8));
    }
    void send_piece(std::span<const std::uint8_t> octets, std::span<const std::uint8_t> data, std::uint32_t offset) {
        std::vector<std::uint8_t> frame(octets.begin(), octets.begin() + ip_begin + ip_octets);
        put_u16(frame, ip_begin + 2, static_cast<std::uint32_t>(ip_octets + data.size()));
        put_u16(frame, ip_begin + 6, offset);
        seal_ip(frame);
        frame.insert(frame.end(), data.begin(), data.end());
        onwards_(frame);
    }

    std::size_t mtu_;
    Inject onwards_, back_;
};

TEST_F(PathChanges, path_mtu_shrinks_in_the_middle_of_both_directions) {
    open(milliseconds(2), 20'000'000);
    ASSERT_FALSE(HasFatalFailure());
    const auto to_left = [this](std::span<const std::uint8_t> frame) { inject(Bridge::right, frame); };
    const auto to_right = [this](std::span<const std::uint8_t> frame) { inject(Bridge::left, frame); };
    NarrowRouter up(1000, to_right, to_left), down(1000, to_left, to_right);
    edit(Bridge::left, [&](Frame& frame) { return up.pass(frame); });
    edit(Bridge::right, [&](Frame& frame) { return down.pass(frame); });
    const auto sender = KernelSocket::connect(loop_, right_address, sink_port);
    sender->send_pattern(2 * megabyte, 1);
    const auto receiver = KernelSocket::connect(loop_, right_address, source_port);
    receiver->send_text(std::to_string(2 * megabyte) + " 2\n", true);
    ASSERT_TRUE(run_until([&] { return receiver->received().octets() > megabyte / 2; }));
    up.narrow = down.narrow = true;
    ASSERT_TRUE(run_until([&] { return sender->at_end() && receiver->at_end(); }, seconds(60)));
    EXPECT_EQ(sender->text(), services::digest_line(sender->sent()));
    expect_digest(receiver->received(), 2 * megabyte, 2);
    EXPECT_GT(up.refused, 0);
    EXPECT_GT(down.fragmented + down.refused, 0);
    EXPECT_TRUE(nothing_left());
}

TEST_F(PathChanges, sixty_four_connections_at_once_are_echoed_whole) {
    open(milliseconds(1), 100'000'000);
    ASSERT_FALSE(HasFatalFailure());
    std::vector<std::unique_ptr<KernelSocket>> sockets;
    for (std::uint64_t seed = 0; seed < 64; ++seed) {
        sockets.push_back(KernelSocket::connect(loop_, right_address, echo_port));
        sockets.back()->send_pattern(50 * kilobyte, seed);
    }
    ASSERT_TRUE(run_until([&] { return std::ranges::all_of(sockets, [](const auto& each) { return each->at_end(); }); },
                          seconds(60)));
    for (const auto& socket : sockets) {
        EXPECT_EQ(socket->received(), socket->sent());
        EXPECT_EQ(socket->sent().octets(), 50 * kilobyte);
    }
    EXPECT_TRUE(nothing_left());
    EXPECT_THAT(failures_, testing::AllOf(testing::SizeIs(64), testing::Each("")));
}

// Data are under way in both directions when it goes.
TEST_F(PathChanges, link_away_for_twenty_seconds_costs_no_data) {
    open(milliseconds(20), 4'000'000);
    ASSERT_FALSE(HasFatalFailure());
    bool away = false;
    for (const auto side : {Bridge::left, Bridge::right}) edit(side, [&](Frame&) { return !away; });
    const auto up = KernelSocket::connect(loop_, right_address, sink_port);
    up->send_pattern(megabyte, 1);
    const auto down = KernelSocket::connect(loop_, right_address, source_port);
    down->send_text(std::to_string(megabyte) + " 2\n", true);
    ASSERT_TRUE(run_until([&] { return down->received().octets() > megabyte / 4; }));
    away = true;
    loop_.run_for(seconds(20));
    EXPECT_FALSE(down->at_end() || up->at_end());
    away = false;
    ASSERT_TRUE(run_until([&] { return up->at_end() && down->at_end(); }, seconds(90)));
    EXPECT_EQ(up->text(), services::digest_line(up->sent()));
    expect_digest(down->received(), megabyte, 2);
    EXPECT_TRUE(nothing_left());
}

}  // namespace

}  // namespace lfn::interop
