// SPDX-License-Identifier: BSD-3-Clause
#include "ports/tap/interface_config.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace lfn {

namespace {

ifreq request_for(const std::string& name) {
    ifreq request{};
    name.copy(request.ifr_name, IFNAMSIZ - 1);
    return request;
}

void put_address(sockaddr& destination, std::uint32_t address) {
    sockaddr_in internet{};
    internet.sin_family = AF_INET;
    internet.sin_addr.s_addr = htonl(address);
    std::memcpy(&destination, &internet, sizeof(internet));
}

struct Descriptor {
    explicit Descriptor(int opened) : fd(opened) {}
    ~Descriptor() {
        if (fd >= 0) close(fd);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int fd;
};

// The error with which the kernel answers a request; 0: none.
int answer_of_netlink(const void* request, std::size_t octets) {
    struct {
        nlmsghdr header;
        nlmsgerr error;
        char rest[512];
    } answer{};
    const Descriptor netlink(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
    if (send(netlink.fd, request, octets, 0) < 0 || recv(netlink.fd, &answer, sizeof(answer), 0) < 0) return errno;
    return answer.header.nlmsg_type == NLMSG_ERROR ? -answer.error.error : EPROTO;
}

}  // namespace

InterfaceConfig::InterfaceConfig(std::string name)
    : name_(std::move(name)), socket_(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {}

InterfaceConfig::~InterfaceConfig() {
    if (socket_ >= 0) close(socket_);
}

bool InterfaceConfig::call(unsigned long request, void* argument, const std::string& remedy) {
    if (socket_ >= 0 && ioctl(socket_, request, argument) == 0) return true;
    error_ = "interface " + name_ + ": " + std::strerror(errno) + "; " + remedy;
    return false;
}

bool InterfaceConfig::set_mtu(std::uint16_t octets) {
    ifreq request = request_for(name_);
    request.ifr_mtu = octets;
    return call(SIOCSIFMTU, &request, "as root: ip link set " + name_ + " mtu " + std::to_string(octets));
}

bool InterfaceConfig::get_mtu(std::uint16_t& octets) {
    ifreq request = request_for(name_);
    if (!call(SIOCGIFMTU, &request, "its MTU cannot be read")) return false;
    octets = static_cast<std::uint16_t>(std::min(request.ifr_mtu, 0xffff));
    return true;
}

bool InterfaceConfig::set_address(std::uint32_t address, std::uint8_t prefix_length) {
    const std::string remedy = "as root: ip address add ADDRESS/LENGTH dev " + name_;
    ifreq request = request_for(name_);
    put_address(request.ifr_addr, address);
    if (!call(SIOCSIFADDR, &request, remedy)) return false;
    request = request_for(name_);
    put_address(request.ifr_netmask, prefix_length == 0 ? 0 : ~std::uint32_t{0} << (32 - prefix_length));
    return call(SIOCSIFNETMASK, &request, remedy);
}

// By netlink: the ioctl knows no flags, and an address that is still being asked for is of no use yet.
bool InterfaceConfig::set_ipv6_address(const Ipv6Address& address, std::uint8_t prefix_length) {
    struct {
        nlmsghdr header;
        ifaddrmsg message;
        rtattr attribute;
        Ipv6Address address;
    } request{};
    request.header.nlmsg_len = sizeof(request);
    request.header.nlmsg_type = RTM_NEWADDR;
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE;
    request.message.ifa_family = AF_INET6;
    request.message.ifa_prefixlen = prefix_length;
    request.message.ifa_flags = IFA_F_NODAD;
    request.message.ifa_index = if_nametoindex(name_.c_str());
    request.attribute = {RTA_LENGTH(sizeof(address)), IFA_LOCAL};
    request.address = address;
    const int error = answer_of_netlink(&request, sizeof(request));
    if (error == 0) return true;
    error_ = "interface " + name_ + ": " + std::strerror(error) + "; as root: ip address add ADDRESS/LENGTH dev " +
             name_ + ", and IPv6 must not be switched off (sysctl net.ipv6.conf.all.disable_ipv6)";
    return false;
}

bool InterfaceConfig::get_hardware_address(std::array<std::uint8_t, 6>& address) {
    ifreq request = request_for(name_);
    if (!call(SIOCGIFHWADDR, &request, "its hardware address cannot be read")) return false;
    std::memcpy(address.data(), request.ifr_hwaddr.sa_data, address.size());
    return true;
}

// The one setting that has no call of its own. What is mounted on /sys may show another network namespace than ours, so
// a file system of our own is made, which is mounted nowhere and goes with its descriptor.
bool InterfaceConfig::set_gro_timeout(std::chrono::nanoseconds timeout) {
    const Descriptor context(fsopen("sysfs", FSOPEN_CLOEXEC));
    fsconfig(context.fd, FSCONFIG_CMD_CREATE, nullptr, nullptr, 0);
    const Descriptor mount(fsmount(context.fd, FSMOUNT_CLOEXEC, 0));
    const std::string path = "class/net/" + name_ + "/gro_flush_timeout";
    const Descriptor file(openat(mount.fd, path.c_str(), O_WRONLY | O_CLOEXEC));
    const std::string text = std::to_string(timeout.count());
    if (write(file.fd, text.data(), text.size()) == static_cast<ssize_t>(text.size())) return true;
    error_ = "interface " + name_ + ": " + std::strerror(errno) + "; as root: echo " + text + " > /sys/" + path;
    return false;
}

bool InterfaceConfig::bring_up() {
    ifreq request = request_for(name_);
    if (!call(SIOCGIFFLAGS, &request, "its state cannot be read")) return false;
    if ((request.ifr_flags & IFF_UP) != 0) return true;
    request.ifr_flags = static_cast<short>(request.ifr_flags | IFF_UP);
    return call(SIOCSIFFLAGS, &request, "as root: ip link set " + name_ + " up");
}

bool InterfaceConfig::bring_down() {
    ifreq request = request_for(name_);
    if (!call(SIOCGIFFLAGS, &request, "its state cannot be read")) return false;
    request.ifr_flags = static_cast<short>(request.ifr_flags & ~IFF_UP);
    return call(SIOCSIFFLAGS, &request, "as root: ip link set " + name_ + " down");
}

}  // namespace lfn
