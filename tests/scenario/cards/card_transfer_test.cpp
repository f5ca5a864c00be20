// SPDX-License-Identifier: BSD-3-Clause
// TCP over each card, on hosts that cost nothing and on PC/ATs, one way and both ways at once: the data arrive whole,
// and what the cards did not take is counted by cause.
#include <gtest/gtest.h>

#include <string>

#include "lfn/nak_receiver.h"
#include "lfn/tcp_options.h"
#include "ports/lab/card_transfer.hpp"

namespace lfn::lab {
namespace {

constexpr std::uint64_t megabyte = 1'000'000;

enum class Recovery { upstream, nak };

CardTransferOptions options_of(NicKind card, std::string_view host, std::uint64_t octets, std::uint64_t octets_back,
                               Recovery recovery = Recovery::upstream) {
    CardTransferOptions options;
    options.use(card);
    options.hosts.fill(find_host_profile(host));
    options.octets = octets;
    options.octets_back = octets_back;
    if (recovery == Recovery::nak) {
        options.tcp.big_window = true;
        options.tcp.nak_mode = LFN_NAK_EVERY_GAP;
        options.tcp.renak = true;
        options.tcp.wire = LFN_WIRE_EXID;
    }
    return options;
}

std::uint64_t sum_of(const CardTransferReport& report, std::string_view name) {
    return report.ends[0].card_count(name) + report.ends[1].card_count(name);
}

void print(const char* title, const CardTransferReport& report) {
    std::printf("%-28s %8.3f s  %6.0f + %6.0f B/s\n", title, report.seconds, report.forward.goodput,
                report.backward.goodput);
    for (const CardEndReport& end : report.ends) {
        std::printf("   ");
        for (const NamedCount& count : end.card) {
            if (count.value != 0) {
                std::printf(" %.*s %llu;", static_cast<int>(count.name.size()), count.name.data(),
                            static_cast<unsigned long long>(count.value));
            }
        }
        std::printf("\n");
    }
}

struct Case {
    NicKind card;
    const char* host;
    std::uint64_t octets, octets_back;
    std::string name() const {
        const char* way = octets_back == 0 ? "forward" : octets == 0 ? "back" : "both_ways";
        std::string text = std::string(name_of(card)) + "_" + host + "_" + way;
        for (char& c : text) c = c == '-' ? '_' : c;
        return text;
    }
};

class CardTransfer : public testing::TestWithParam<Case> {};

TEST_P(CardTransfer, arrives_whole_and_every_frame_is_accounted_for) {
    const Case& c = GetParam();
    const CardTransferReport report = run_card_transfer(options_of(c.card, c.host, c.octets, c.octets_back));
    print(c.name().c_str(), report);
    EXPECT_EQ(report.failure, "");
    EXPECT_EQ(report.forward.intact, c.octets > 0);
    EXPECT_EQ(report.backward.intact, c.octets_back > 0);
    EXPECT_EQ(report.forward.octets + report.backward.octets, c.octets + c.octets_back);
    for (const CardEndReport& end : report.ends) {
        std::uint64_t accounted = end.card_count("taken") + end.card_count("damaged");
        for (const NamedCount& count : end.card) {
            if (count.name.starts_with("lost ") || count.name.starts_with("refused ")) accounted += count.value;
        }
        if (c.card == NicKind::p1300) accounted -= end.card_count("damaged");  // which are among those taken
        EXPECT_EQ(end.card_count("addressed"), accounted);
        const std::uint64_t discovery = c.card == NicKind::p1300 ? 1 : 0;  // the message to itself
        EXPECT_EQ(end.driver_count("received") + discovery, end.card_count("taken"));
    }
}

INSTANTIATE_TEST_SUITE_P(
    , CardTransfer,
    testing::Values(Case{NicKind::el3c500, "ideal", megabyte, 0}, Case{NicKind::el3c500, "ideal", 0, megabyte},
                    Case{NicKind::el3c500, "ideal", megabyte, megabyte}, Case{NicKind::el3c500, "pc-at-8", megabyte, 0},
                    Case{NicKind::el3c500, "pc-at-8", 0, megabyte},
                    Case{NicKind::el3c500, "pc-at-8", megabyte, megabyte}, Case{NicKind::p1300, "ideal", megabyte, 0},
                    Case{NicKind::p1300, "ideal", 0, megabyte}, Case{NicKind::p1300, "ideal", megabyte, megabyte},
                    Case{NicKind::p1300, "pc-at-8", megabyte, 0}, Case{NicKind::p1300, "pc-at-8", 0, megabyte},
                    Case{NicKind::p1300, "pc-at-8", megabyte, megabyte}),
    [](const auto& test) { return test.param.name(); });

// The 3C500 has one buffer: what comes while it is the host's, or while a frame of its own is in it, is gone.
TEST(TwoWays, the_3c500_loses_frames_to_deafness) {
    const CardTransferReport report =
        run_card_transfer(options_of(NicKind::el3c500, "pc-at-8", megabyte / 4, megabyte / 4));
    EXPECT_EQ(report.failure, "");
    EXPECT_GT(sum_of(report, "lost host_owns_buffer") + sum_of(report, "lost taken_over"), 50U);
    EXPECT_EQ(report.lost(), sum_of(report, "lost host_owns_buffer") + sum_of(report, "lost taken_over") +
                                 sum_of(report, "lost own_transmission") + sum_of(report, "lost rearming") +
                                 sum_of(report, "lost status_unread"));
}

// The P1300 has two, and its ring pushes back: nothing is lost, senders are refused and try again.
TEST(TwoWays, the_p1300_loses_nothing_and_is_refused_instead) {
    const CardTransferReport report = run_card_transfer(options_of(NicKind::p1300, "pc-at-8", megabyte, megabyte));
    EXPECT_EQ(report.failure, "");
    EXPECT_EQ(report.lost(), 0U);
    EXPECT_GT(sum_of(report, "returned refused"), 50U);
    for (const CardEndReport& end : report.ends) {
        EXPECT_EQ(end.driver_count("refusals"), end.card_count("returned refused"));
        EXPECT_EQ(end.driver_count("abandoned"), 0U);
    }
    // A station hears its own broadcasts, too.
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(report.ends[i].driver_count("received"),
                  report.ends[1 - i].driver_count("sent") + report.ends[i].driver_count("arp_requests_sent"));
    }
}

// The interface holds two frames; the stack is told to wait and loses nothing by it.
TEST(BackPressure, both_cards_make_the_stack_wait) {
    for (const NicKind card : {NicKind::el3c500, NicKind::p1300}) {
        const CardTransferReport report = run_card_transfer(options_of(card, "pc-at-8", 200'000, 0));
        EXPECT_EQ(report.failure, "");
        EXPECT_GT(report.ends[0].stack_refusals, 10U) << name_of(card);
    }
}

struct Race {
    double upstream = 0, nak = 0;  // seconds
    double ratio() const { return upstream / nak; }
};

Race race(CardTransferOptions upstream, CardTransferOptions nak, const char* title) {
    Race sum;
    std::uint64_t timeouts[2] = {}, lost[2] = {};
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        upstream.seed = nak.seed = seed;
        const CardTransferReport without = run_card_transfer(upstream);
        const CardTransferReport with = run_card_transfer(nak);
        EXPECT_EQ(without.failure, "");
        EXPECT_EQ(with.failure, "");
        sum.upstream += without.seconds;
        sum.nak += with.seconds;
        timeouts[0] += without.forward.sender.rtos + without.backward.sender.rtos;
        timeouts[1] += with.forward.sender.rtos + with.backward.sender.rtos;
        lost[0] += without.lost();
        lost[1] += with.lost();
    }
    std::printf("%-34s upstream %7.1f s, %4llu lost, %4llu timeouts; NAK %7.1f s, %4llu, %4llu: %.2f times\n", title,
                sum.upstream, static_cast<unsigned long long>(lost[0]), static_cast<unsigned long long>(timeouts[0]),
                sum.nak, static_cast<unsigned long long>(lost[1]), static_cast<unsigned long long>(timeouts[1]),
                sum.ratio());
    EXPECT_LT(timeouts[1], timeouts[0]);  // which is why
    return sum;
}

constexpr auto el3c500 = NicKind::el3c500;

// Each acknowledgement takes the receiver's one buffer and costs a frame. The window is too small then for three
// duplicate acknowledgements, and upstream waits for its timer; a NAK names the hole at once.
TEST(NakOnThe3c500, one_way_between_pc_ats_is_faster_than_upstreams_recovery) {
    const Race result = race(options_of(el3c500, "pc-at-8", megabyte, 0),
                             options_of(el3c500, "pc-at-8", megabyte, 0, Recovery::nak), "pc-at-8, one way");
    EXPECT_GT(result.ratio(), 1.5);
}

TEST(NakOnThe3c500, both_ways_between_pc_ats_is_faster_than_upstreams_recovery) {
    const Race result = race(options_of(el3c500, "pc-at-8", megabyte, megabyte),
                             options_of(el3c500, "pc-at-8", megabyte, megabyte, Recovery::nak), "pc-at-8, both ways");
    EXPECT_GT(result.ratio(), 1.5);
}

TEST(NakOnThe3c500, among_150_noisy_stations_is_faster_than_upstreams_recovery) {
    CardTransferOptions upstream = options_of(el3c500, "pc-at-8", megabyte / 2, 0);
    upstream.wire = {.stations = 150, .background = 0.1};
    CardTransferOptions nak = options_of(el3c500, "pc-at-8", megabyte / 2, 0, Recovery::nak);
    nak.wire = upstream.wire;
    EXPECT_GT(race(upstream, nak, "pc-at-8, one way, 150 stations").ratio(), 1.5);
}

TEST(Wire, other_stations_take_their_share_and_cause_collisions) {
    CardTransferOptions options = options_of(el3c500, "pc-at-8", 50'000, 0);
    options.wire = {.stations = 150, .background = 0.2};
    const CardTransferReport report = run_card_transfer(options);
    EXPECT_EQ(report.failure, "");
    EXPECT_GT(report.wires[0].load, 0.15);
    EXPECT_LT(report.wires[0].load, 0.25);
    const CardTransferReport again = run_card_transfer(options);
    EXPECT_EQ(again.events, report.events);
    EXPECT_EQ(again.seconds, report.seconds);
    options.seed = 2;
    EXPECT_NE(run_card_transfer(options).events, report.events);
}

TEST(Wire, noise_is_survived_on_both) {
    for (const NicKind card : {NicKind::el3c500, NicKind::p1300}) {
        CardTransferOptions options = options_of(card, "ideal", 100'000, 0, Recovery::nak);
        options.wire.frame_error_rate = 0.02;
        const CardTransferReport report = run_card_transfer(options);
        EXPECT_EQ(report.failure, "") << name_of(card);
        EXPECT_GT(sum_of(report, "damaged"), 0U) << name_of(card);
    }
}

// PC/IP found interrupts lost on some PC/ATs; the clock's tick finds what they would have announced.
TEST(Interrupts, that_are_lost_cost_time_and_no_data) {
    for (const NicKind card : {NicKind::el3c500, NicKind::p1300}) {
        CardTransferOptions options = options_of(card, "pc-at-8", 200'000, 0, Recovery::nak);
        options.interrupt_loss = 0.1;
        const CardTransferReport report = run_card_transfer(options);
        EXPECT_EQ(report.failure, "") << name_of(card);
        for (const CardEndReport& end : report.ends) {
            EXPECT_GT(end.interrupts_lost, 5U) << name_of(card);
            EXPECT_GT(end.driver_count("unannounced"), 0U) << name_of(card);
            EXPECT_EQ(end.driver_count("watchdog_resets"), 0U) << name_of(card);
        }
    }
}

TEST(Stacks, unpatched_lwip_speaks_over_both_cards) {
    for (const NicKind card : {NicKind::el3c500, NicKind::p1300}) {
        CardTransferOptions options = options_of(card, "pc-at-8", 100'000, 50'000);
        options.stacks = {lfn_stack_lfn(), lfn_stack_lwip()};
        EXPECT_EQ(run_card_transfer(options).failure, "") << name_of(card);
    }
}

TEST(Hosts, of_two_kinds_share_a_wire) {
    CardTransferOptions options = options_of(NicKind::p1300, "pc-at-8", 200'000, 0);
    options.hosts[0] = find_host_profile("sun-3");
    const CardTransferReport report = run_card_transfer(options);
    EXPECT_EQ(report.failure, "");
    const auto port_time = [&](int i) { return report.ends[static_cast<std::size_t>(i)].work[0]; };
    EXPECT_LT(2 * port_time(0), port_time(1));
}

}  // namespace
}  // namespace lfn::lab
