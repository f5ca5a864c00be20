// SPDX-License-Identifier: BSD-3-Clause
// Explicit congestion notification with the kernel as the peer, through a bridge that marks: who asks and who agrees,
// and that what each marks the other echoes, over both versions of IP.
#include <unistd.h>

#include "lfn/ecn.h"
#include "tests/interop/path_fixture.hpp"
#include "tests/interop/segment_view.hpp"

namespace lfn::interop {

namespace {

constexpr std::uint8_t tcp_ece = 0x40, tcp_cwr = 0x80;
constexpr std::uint64_t octets = 8'000'000;

// IP's version and who opens the connection do not matter to what is claimed of a flow.
struct Way {
    bool ipv6;
    bool kernel_opens;
};

class EcnTest : public PathTest, public testing::WithParamInterface<Way> {
protected:
    // 20 Mb/s, 20 ms: 34 packets under way, marks from a queue of 30 on, in both directions.
    void open(const char* kernel_ecn, bool ecn) {
        if (IsSkipped()) return;
        ipv6_ = GetParam().ipv6;
        if (ipv6_ && access("/proc/net/if_inet6", F_OK) != 0) GTEST_SKIP() << "the kernel has no IPv6";
        if (!set_sysctl("ipv4/tcp_ecn", kernel_ecn)) GTEST_SKIP() << "/proc/sys/net/ipv4/tcp_ecn cannot be written";
        if (!set_sysctl("ipv4/tcp_congestion_control", "reno")) GTEST_SKIP() << "the kernel has no NewReno";
        mark_frames_ = 30;
        open_path(Left::kernel, milliseconds(10), 20'000'000);
        settings_ = settings();
        settings_.ecn = ecn;
        serve(settings_);
        for (const auto side : {Bridge::left, Bridge::right}) {
            edit(side, [this, side](Frame& frame) {
                note(side, frame.octets());
                return true;
            });
        }
    }
    // IPv4 alone: SegmentView knows no other.
    void note(Bridge::Side from, std::span<std::uint8_t> frame) {
        const auto segment = SegmentView::of(frame);
        if (!segment) return;
        const std::uint8_t flags = segment->flags();
        Seen& seen = seen_[from];
        const bool capable = (frame[15] & LFN_ECN_MASK) != LFN_ECN_NOT_ECT;
        if (capable && (segment->payload() == 0 || (flags & tcp_syn) != 0)) ++seen.capable_without_data;
        seen.capable += capable;
        if ((flags & tcp_syn) != 0) seen.syn = flags;
        if ((flags & (tcp_syn | tcp_cwr)) == tcp_cwr) ++seen.cwr;
    }

    IpAddress kernel_at() const { return ipv6_ ? IpAddress(left_ipv6_address) : IpAddress(left_address); }
    IpAddress stack_at() const { return ipv6_ ? IpAddress(right_ipv6_address) : IpAddress(right_address); }

    void stack_sends() {
        if (GetParam().kernel_opens) {
            const auto socket = KernelSocket::connect(loop_, stack_at(), source_port);
            socket->send_text(std::to_string(octets) + " 7\n", true);
            ASSERT_TRUE(run_until([&] { return socket->at_end(); })) << socket->error();
            EXPECT_EQ(socket->received().octets(), octets);
            EXPECT_EQ(socket->received(), pattern_digest(7));
            ASSERT_TRUE(nothing_left());
            info_ = last_info_;
            return;
        }
        KernelListener listener(loop_, kernel_port);
        services::PatternPayload payload(octets, 7);
        services::Put put(right(), {}, payload);
        ASSERT_TRUE(put.connect(kernel_at(), kernel_port, settings_));
        ASSERT_TRUE(run_until([&] { return !listener.accepted.empty() && listener.accepted[0]->at_end(); }));
        EXPECT_EQ(listener.accepted[0]->received(), pattern_digest(7));
        info_ = put.info();
    }

    void kernel_sends() {
        if (GetParam().kernel_opens) {
            const auto socket = KernelSocket::connect(loop_, stack_at(), sink_port);
            socket->send_pattern(octets, 7);
            ASSERT_TRUE(run_until([&] { return socket->at_end(); })) << socket->error();
            EXPECT_EQ(socket->text(), services::digest_line(socket->sent()));
            EXPECT_EQ(socket->sent().octets(), octets);
            ASSERT_TRUE(nothing_left());
            info_ = last_info_;
            return;
        }
        KernelListener listener(loop_, kernel_port);
        listener.on_accepted = [](KernelSocket& socket) { socket.send_pattern(octets, 7, false); };
        services::Get get(right(), {}, octets, 7);
        ASSERT_TRUE(get.connect(kernel_at(), kernel_port, settings_));
        ASSERT_TRUE(run_until([&] { return get.octets_received() == octets || get.over(); }));
        EXPECT_TRUE(get.complete()) << get.failure();
        info_ = get.info();
    }

    static services::Digest pattern_digest(std::uint64_t seed) {
        std::vector<std::uint8_t> pattern(octets);
        services::Pattern(seed).fill(0, pattern);
        services::Digest digest;
        digest.add(pattern);
        return digest;
    }
    Counters counters(Bridge::Side from) const { return bridge_->report(from).counters; }

    struct Seen {
        std::uint8_t syn = 0;  // flags of the last SYN, or SYN-ACK
        unsigned capable = 0, capable_without_data = 0, cwr = 0;
    };
    Seen seen_[2];
    lfn_tcp_settings settings_{};
    lfn_tcp_info info_{};
};

TEST_P(EcnTest, stack_is_told_by_the_kernel_of_marks_and_loses_nothing) {
    open("1", true);
    if (IsSkipped() || HasFatalFailure()) return;
    stack_sends();
    const Counters sent = counters(Bridge::right);
    std::printf("%llu frames, %llu marked, %u echoes, %u reductions\n", static_cast<unsigned long long>(sent.in.frames),
                static_cast<unsigned long long>(sent.marked.frames), info_.ecn_echoes, info_.ecn_reductions);
    EXPECT_TRUE(info_.ecn_agreed);
    EXPECT_GT(sent.marked.frames, 0U);
    EXPECT_GT(info_.ecn_echoes, 0U);
    EXPECT_GT(info_.ecn_reductions, 0U);
    EXPECT_LE(info_.ecn_reductions, info_.ecn_echoes);
    EXPECT_EQ(info_.retransmitted_segments, 0U);
    EXPECT_EQ(sent.dropped().frames, 0U);
    if (ipv6_) return;
    EXPECT_GT(seen_[Bridge::right].capable, octets / 1500);
    EXPECT_EQ(seen_[Bridge::right].capable_without_data, 0U);
    EXPECT_GT(seen_[Bridge::right].cwr, 0U);
    if (GetParam().kernel_opens) return;  // the session is over before all of it is sent
    EXPECT_LE(seen_[Bridge::right].cwr, info_.window_reductions) << "once for each";
}

TEST_P(EcnTest, kernel_is_told_by_the_stack_of_marks_and_loses_nothing) {
    open("1", true);
    if (IsSkipped() || HasFatalFailure()) return;
    kernel_sends();
    const Counters sent = counters(Bridge::left);
    std::printf("%llu frames, %llu marked\n", static_cast<unsigned long long>(sent.in.frames),
                static_cast<unsigned long long>(sent.marked.frames));
    EXPECT_TRUE(info_.ecn_agreed);
    EXPECT_GT(sent.marked.frames, 0U);
    EXPECT_EQ(info_.ecn_marks, sent.marked.frames);
    EXPECT_LT(sent.marked.frames, sent.in.frames / 2) << "it has slowed down";
    EXPECT_LE(sent.dropped().frames, 1U) << "a FIN alone cannot be marked";
    if (!ipv6_) {
        EXPECT_GT(seen_[Bridge::left].cwr, 0U);
    }
}

TEST_P(EcnTest, kernel_that_has_it_off_neither_asks_nor_agrees) {
    open("0", true);
    if (IsSkipped() || HasFatalFailure()) return;
    stack_sends();
    EXPECT_FALSE(info_.ecn_agreed);
    EXPECT_EQ(counters(Bridge::right).marked.frames, 0U);
    EXPECT_EQ(info_.ecn_echoes, 0U);
    if (!ipv6_) {
        EXPECT_EQ(seen_[Bridge::left].syn & (tcp_ece | tcp_cwr), 0);
    }
}

TEST_P(EcnTest, stack_that_has_it_off_neither_asks_nor_agrees) {
    open("1", false);
    if (IsSkipped() || HasFatalFailure()) return;
    kernel_sends();
    EXPECT_FALSE(info_.ecn_agreed);
    EXPECT_EQ(counters(Bridge::left).marked.frames, 0U);
    EXPECT_EQ(info_.ecn_marks, 0U);
    if (!ipv6_) {
        EXPECT_EQ(seen_[Bridge::right].syn & (tcp_ece | tcp_cwr), 0);
    }
}

std::string name_of_way(const testing::TestParamInfo<Way>& info) {
    return std::string(info.param.ipv6 ? "ipv6" : "ipv4") + (info.param.kernel_opens ? "_kernel" : "_stack") + "_opens";
}
INSTANTIATE_TEST_SUITE_P(Ways, EcnTest,
                         testing::Values(Way{false, true}, Way{false, false}, Way{true, true}, Way{true, false}),
                         name_of_way);

}  // namespace

}  // namespace lfn::interop
