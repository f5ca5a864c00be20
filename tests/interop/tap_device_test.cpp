// SPDX-License-Identifier: BSD-3-Clause
// What can be wrong when a TAP interface is opened, in words; and what passes one.
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ports/tap/interface_config.hpp"
#include "ports/tap/tap_device.hpp"
#include "tests/interop/netns_fixture.hpp"

namespace lfn::interop {

namespace {

using testing::AllOf;
using testing::HasSubstr;

class TapDeviceTest : public InteropTest {};

TEST_F(TapDeviceTest, a_new_interface_is_up_and_goes_when_it_is_closed) {
    TapDevice device;
    ASSERT_TRUE(device.open({.name = "fresh0", .mtu = 9000})) << device.error();
    EXPECT_EQ(device.mtu(), 9000);
    EXPECT_NE(if_nametoindex("fresh0"), 0U);
    device.close();
    EXPECT_EQ(if_nametoindex("fresh0"), 0U);
}

TEST_F(TapDeviceTest, a_pattern_is_completed) {
    TapDevice device;
    ASSERT_TRUE(device.open({.name = "any%d"})) << device.error();
    EXPECT_EQ(device.name(), "any0");
}

TEST_F(TapDeviceTest, an_interface_that_is_held_is_busy) {
    TapDevice first, second;
    ASSERT_TRUE(first.open({.name = "held0"})) << first.error();
    EXPECT_FALSE(second.open({.name = "held0"}));
    EXPECT_THAT(second.error(), AllOf(HasSubstr("held0"), HasSubstr("another process holds it")));
}

TEST_F(TapDeviceTest, another_kind_of_interface_is_refused) {
    TapDevice device;
    EXPECT_FALSE(device.open({.name = "lo"}));
    EXPECT_THAT(device.error(), AllOf(HasSubstr("lo"), HasSubstr("no TAP interface")));
}

TEST_F(TapDeviceTest, names_that_are_none_are_refused) {
    TapDevice device;
    EXPECT_FALSE(device.open({.name = "sixteen_letters_"}));
    EXPECT_THAT(device.error(), HasSubstr("at most 15 characters"));
    EXPECT_FALSE(device.open({.name = ""}));
    EXPECT_THAT(device.error(), HasSubstr("empty"));
}

TEST_F(TapDeviceTest, a_namespace_that_is_not_there_is_named) {
    TapDevice device;
    EXPECT_FALSE(device.open({.name = "nowhere:t0"}));
    EXPECT_THAT(device.error(), AllOf(HasSubstr("nowhere"), HasSubstr("ip netns list")));
}

TEST_F(TapDeviceTest, an_ordinary_user_is_told_what_to_do) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root, to stop being it";
    TapDevice device;
    ASSERT_EQ(seteuid(65534), 0);
    const bool opened = device.open({.name = "mine0"});
    const std::string error = device.error();
    ASSERT_EQ(seteuid(0), 0);
    EXPECT_FALSE(opened);
    EXPECT_THAT(error, testing::AnyOf(HasSubstr("run as root"), HasSubstr("ip tuntap add dev mine0")));
}

TEST_F(TapDeviceTest, one_in_another_namespace_is_opened_there) {
    Netns other;
    std::string reason;
    ASSERT_TRUE(other.make_and_enter(reason)) << reason;
    TapDevice device;
    ASSERT_TRUE(device.open({.name = netns_.prefix() + "there0"})) << device.error();
    EXPECT_EQ(device.name(), "there0");
    EXPECT_EQ(if_nametoindex("there0"), 0U);
}

TEST_F(TapDeviceTest, an_interface_that_is_down_loses_frames_and_lives) {
    TapDevice device;
    ASSERT_TRUE(device.open({.name = "down0"})) << device.error();
    InterfaceConfig config("down0");
    ASSERT_TRUE(config.bring_down());
    const std::uint8_t frame[60] = {};
    EXPECT_EQ(device.write(frame), TapDevice::Result::down);
    ASSERT_TRUE(config.bring_up());
    EXPECT_EQ(device.write(frame), TapDevice::Result::done);
}

TEST_F(TapDeviceTest, an_interface_that_is_removed_is_gone) {
    TapDevice device;
    ASSERT_TRUE(device.open({.name = "gone0"})) << device.error();
    ASSERT_TRUE(delete_interface("gone0"));
    const std::uint8_t frame[60] = {};
    EXPECT_EQ(device.write(frame), TapDevice::Result::gone);
    EXPECT_THAT(device.error(), HasSubstr("gone0"));
    EXPECT_FALSE(device.is_open());
}

}  // namespace

}  // namespace lfn::interop
