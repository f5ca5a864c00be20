// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "emulators/link/path.hpp"
#include "ports/pcap/capture.hpp"

namespace lfn {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using Octets = std::vector<std::uint8_t>;

std::string file_octets(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class PcapTest : public testing::Test {
protected:
    PcapTest() {
        const testing::TestInfo* const info = testing::UnitTest::GetInstance()->current_test_info();
        directory_ = testing::TempDir() + "lfn_pcap_" + info->name();
        std::filesystem::remove_all(directory_);
        std::filesystem::create_directory(directory_);
    }
    ~PcapTest() override { std::filesystem::remove_all(directory_); }
    std::string file(const std::string& name) const { return directory_ + "/" + name; }

    std::string directory_;
};

TEST_F(PcapTest, what_is_written_is_read_back_to_the_nanosecond) {
    const Octets small = {0x45, 1, 2, 3};
    const Octets large(9180, 0x5a);
    const Time first{nanoseconds(1)};
    const Time second{std::chrono::seconds(2'000'000'000) + nanoseconds(999'999'999)};
    CaptureWriter writer;
    ASSERT_TRUE(writer.open(file("a.pcap"), CaptureLink::raw_ip)) << writer.error();
    writer.write(first, small);
    writer.write(second, large);
    EXPECT_EQ(writer.records(), 2U);
    ASSERT_TRUE(writer.close()) << writer.error();

    CaptureReader reader;
    ASSERT_TRUE(reader.open(file("a.pcap"))) << reader.error();
    EXPECT_EQ(reader.link(), CaptureLink::raw_ip);
    CaptureRecord record;
    ASSERT_TRUE(reader.read(record));
    EXPECT_EQ(record.time, first);
    EXPECT_THAT(record.octets, ElementsAreArray(small));
    EXPECT_EQ(record.original_size, small.size());
    ASSERT_TRUE(reader.read(record));
    EXPECT_EQ(record.time, second);
    EXPECT_THAT(record.octets, ElementsAreArray(large));
    EXPECT_FALSE(reader.read(record));
    EXPECT_EQ(reader.error(), "");
}

TEST_F(PcapTest, the_file_header_is_nanosecond_pcap_of_the_link_type_asked_for) {
    const auto header = [this](CaptureLink link) {
        CaptureWriter writer;
        EXPECT_TRUE(writer.open(file("a.pcap"), link));
        EXPECT_TRUE(writer.close());
        const std::string octets = file_octets(file("a.pcap"));
        EXPECT_EQ(octets.size(), 24U);
        std::uint32_t words[6] = {};
        std::copy_n(octets.data(), sizeof words, reinterpret_cast<char*>(words));
        return std::vector<std::uint32_t>{words[0], words[2], words[3], words[5]};
    };
    EXPECT_THAT(header(CaptureLink::raw_ip), ElementsAre(0xa1b23c4d, 0, 0, 101));
    EXPECT_THAT(header(CaptureLink::ethernet), ElementsAre(0xa1b23c4d, 0, 0, 1));
}

TEST_F(PcapTest, a_path_that_cannot_be_written_is_refused_in_words) {
    CaptureWriter writer;
    EXPECT_FALSE(writer.open(file("no-such-folder/a.pcap"), CaptureLink::raw_ip));
    EXPECT_FALSE(writer.is_open());
    EXPECT_THAT(writer.error(), HasSubstr("no-such-folder/a.pcap"));
    EXPECT_THAT(writer.error(), HasSubstr("No such file or directory"));
    const Octets packet = {1};
    writer.write(Time{}, packet);
    EXPECT_EQ(writer.records(), 0U);
}

TEST_F(PcapTest, a_full_disk_is_reported_when_the_capture_is_closed) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    CaptureWriter writer;
    ASSERT_TRUE(writer.open("/dev/full", CaptureLink::raw_ip));
    const Octets packet(100, 0);
    writer.write(Time{}, packet);
    EXPECT_FALSE(writer.close());
    EXPECT_THAT(writer.error(), HasSubstr("incomplete"));
}

TEST_F(PcapTest, what_is_no_capture_is_refused_in_words) {
    CaptureReader reader;
    EXPECT_FALSE(reader.open(file("missing.pcap")));
    EXPECT_THAT(reader.error(), HasSubstr("No such file"));
    std::ofstream(file("text.pcap")) << "this is not a capture file, but long enough for a header";
    EXPECT_FALSE(reader.open(file("text.pcap")));
    EXPECT_THAT(reader.error(), HasSubstr("cannot read a capture"));
    CaptureRecord record;
    EXPECT_FALSE(reader.read(record));
}

TEST_F(PcapTest, a_cut_file_gives_its_whole_records_and_then_an_error) {
    CaptureWriter writer;
    ASSERT_TRUE(writer.open(file("a.pcap"), CaptureLink::ethernet));
    const Octets packet(100, 7);
    writer.write(Time{}, packet);
    writer.write(Time{}, packet);
    ASSERT_TRUE(writer.close());
    std::filesystem::resize_file(file("a.pcap"), 24 + 2 * 116 - 1);
    CaptureReader reader;
    ASSERT_TRUE(reader.open(file("a.pcap")));
    EXPECT_EQ(reader.link(), CaptureLink::ethernet);
    CaptureRecord record;
    EXPECT_TRUE(reader.read(record));
    EXPECT_FALSE(reader.read(record));
    EXPECT_THAT(reader.error(), HasSubstr("damaged"));
}

TEST_F(PcapTest, other_link_types_are_refused_in_words) {
    CaptureWriter writer;
    ASSERT_TRUE(writer.open(file("a.pcap"), CaptureLink::ethernet));
    ASSERT_TRUE(writer.close());
    std::fstream patched(file("a.pcap"), std::ios::in | std::ios::out | std::ios::binary);
    const std::uint32_t linktype_null = 0;
    patched.seekp(20).write(reinterpret_cast<const char*>(&linktype_null), sizeof linktype_null);
    patched.close();
    CaptureReader reader;
    EXPECT_FALSE(reader.open(file("a.pcap")));
    EXPECT_THAT(reader.error(), HasSubstr("NULL is neither raw IP nor Ethernet"));
}

// A noisy path with a tap at each end.
void run(const std::string& name, std::uint64_t seed) {
    struct Discard final : FrameSink {
        void accept(FramePtr) override {}
    } discard;
    Loop loop;
    FramePool pool(1500);
    Path path(loop, *find_link_profile("t1-satellite"), {.seed = seed, .bit_error_rate = 1e-5, .queue_frames = 0},
              "a-to-b");
    path.connect(discard);
    CaptureWriter writer;
    ASSERT_TRUE(writer.open(name, CaptureLink::raw_ip));
    path.tap_received(writer);
    for (int sent = 0; sent < 500; ++sent) {
        FramePtr frame = pool.make(1000);
        std::fill_n(frame->data(), frame->size(), static_cast<std::uint8_t>(sent));
        ASSERT_TRUE(path.transmitter().offer(frame));
    }
    loop.run();
    EXPECT_EQ(writer.records(), path.counters().out.frames);
    EXPECT_TRUE(writer.close());
}

TEST_F(PcapTest, one_seed_gives_one_file_and_another_gives_another) {
    run(file("a.pcap"), 1);
    run(file("b.pcap"), 1);
    run(file("c.pcap"), 2);
    EXPECT_GT(file_octets(file("a.pcap")).size(), 400U * 1016);
    EXPECT_TRUE(file_octets(file("a.pcap")) == file_octets(file("b.pcap")));
    EXPECT_FALSE(file_octets(file("a.pcap")) == file_octets(file("c.pcap")));
}

}  // namespace
}  // namespace lfn
