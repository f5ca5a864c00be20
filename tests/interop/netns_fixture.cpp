// SPDX-License-Identifier: BSD-3-Clause
#include "tests/interop/netns_fixture.hpp"

#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "ports/tap/interface_config.hpp"
#include "ports/tap/tap_device.hpp"

namespace lfn::interop {

namespace {

bool write_file(const std::string& path, const std::string& text) {
    const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const ssize_t written = write(fd, text.data(), text.size());
    close(fd);
    return written == static_cast<ssize_t>(text.size());
}

// As an ordinary user, where the system lets users have namespaces.
bool unshare_as_user() {
    const uid_t user = geteuid();
    const gid_t group = getegid();
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return false;
    write_file("/proc/self/setgroups", "deny");
    write_file("/proc/self/uid_map", "0 " + std::to_string(user) + " 1");
    write_file("/proc/self/gid_map", "0 " + std::to_string(group) + " 1");
    return true;
}

}  // namespace

Netns::~Netns() {
    if (fd_ >= 0) close(fd_);
}

bool Netns::make_and_enter(std::string& reason) {
    if (unshare(CLONE_NEWNET) != 0 && (errno != EPERM || !unshare_as_user())) {
        reason = std::string("no network namespace: ") + std::strerror(errno);
        return false;
    }
    fd_ = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    InterfaceConfig loopback("lo");
    if (fd_ >= 0 && loopback.bring_up()) return true;
    reason = "network namespace without loopback: " + loopback.error();
    return false;
}

bool delete_interface(const std::string& name) {
    struct {
        nlmsghdr header;
        ifinfomsg info;
    } request{};
    request.header.nlmsg_len = sizeof(request);
    request.header.nlmsg_type = RTM_DELLINK;
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
    request.info.ifi_index = static_cast<int>(if_nametoindex(name.c_str()));
    struct {
        nlmsghdr header;
        nlmsgerr error;
        char rest[512];
    } answer{};
    const int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    const bool told = fd >= 0 && send(fd, &request, sizeof(request), 0) == sizeof(request) &&
                      recv(fd, &answer, sizeof(answer), 0) > 0;
    if (fd >= 0) close(fd);
    return told && answer.header.nlmsg_type == NLMSG_ERROR && answer.error.error == 0;
}

bool set_sysctl(const std::string& name, const std::string& value) {
    return write_file("/proc/sys/net/" + name, value);
}

void InteropTest::SetUp() {
    std::string reason;
    if (!netns_.make_and_enter(reason)) GTEST_SKIP() << reason;
    TapDevice probe;
    if (!probe.open({.name = "probe%d"})) GTEST_SKIP() << probe.error();
}

void InteropTest::TearDown() {
    for (Kept& kept : captures_) {
        kept.writer->close();
        if (HasFailure()) {
            std::printf("capture kept: %s\n", kept.file.c_str());
        } else {
            std::remove(kept.file.c_str());
        }
    }
}

bool InteropTest::run_until(const std::function<bool()>& done, Duration limit) {
    constexpr Duration look_interval = milliseconds(2);
    const Time end = loop_.now() + limit;
    while (!done() && loop_.now() < end) loop_.run_for(look_interval);
    return done();
}

CaptureWriter& InteropTest::capture(const std::string& part) {
    const testing::TestInfo& info = *testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(info.test_suite_name()) + "." + info.name() + part + ".pcap";
    std::replace(name.begin(), name.end(), '/', '-');
    auto writer = std::make_unique<CaptureWriter>();
    EXPECT_TRUE(writer->open(name, CaptureLink::ethernet)) << writer->error();
    captures_.push_back({name, std::move(writer)});
    return *captures_.back().writer;
}

}  // namespace lfn::interop
