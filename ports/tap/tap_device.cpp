// SPDX-License-Identifier: BSD-3-Clause
#include "ports/tap/tap_device.hpp"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "ports/realtime/netns.hpp"
#include "ports/tap/interface_config.hpp"
#include "ports/tap/vnet_header.hpp"

namespace lfn {

namespace {

constexpr const char* clone_device = "/dev/net/tun";

std::string why_no_clone_device(int error) {
    std::string what = std::string(clone_device) + ": " + std::strerror(error);
    if (error == EACCES || error == EPERM) return what + "; run as root, or let your user read and write it";
    if (error == ENOENT || error == ENODEV || error == ENXIO) {
        return what + "; load the module (modprobe tun), or give the container the device";
    }
    return what;
}

std::string why_not_attached(const std::string& name, int error) {
    std::string what = "TAP interface " + name + ": ";
    switch (error) {
        case EBUSY:
            return what + "another process holds it; end that process, or give another name";
        case EINVAL:
            return what +
                   "there is an interface of that name that is no TAP interface (or has several queues); "
                   "give another name";
        case EPERM:
            return what + "no permission; run as root, or make it for your user: ip tuntap add dev " + name +
                   " mode tap user NAME";
        default:
            return what + std::strerror(error);
    }
}

}  // namespace

bool TapDevice::open(const TapOptions& options) {
    close();
    error_.clear();
    const std::size_t colon = options.name.rfind(':');
    const bool in_netns = colon != std::string::npos;
    const std::string name = in_netns ? options.name.substr(colon + 1) : options.name;
    if (name.empty()) return fail("TAP interface: the name is empty; give one, such as lfn0");
    if (name.size() >= IFNAMSIZ || name.find('/') != std::string::npos) {
        return fail("TAP interface " + name + ": not a name; give at most 15 characters, none of them a slash");
    }
    const NetnsScope scope(in_netns ? options.name.substr(0, colon) : std::string());
    if (!scope.error().empty()) return fail(scope.error());
    return attach(options, name) && configure(options);
}

bool TapDevice::attach(const TapOptions& options, const std::string& name) {
    fd_ = ::open(clone_device, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd_ < 0) return fail(why_no_clone_device(errno));
    ifreq request{};
    name.copy(request.ifr_name, IFNAMSIZ - 1);
    request.ifr_flags =
        static_cast<short>(IFF_TAP | IFF_NO_PI | (options.offload ? IFF_VNET_HDR : 0) | (options.merge ? IFF_NAPI : 0));
    if (ioctl(fd_, TUNSETIFF, &request) != 0) return fail(why_not_attached(name, errno));
    name_ = request.ifr_name;
    offload_ = options.offload;
    return !offload_ || set_offload();
}

bool TapDevice::set_offload() {
    int header_octets = vnet_header_octets;
    constexpr unsigned long tcp_of_both_families = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6;
    if (ioctl(fd_, TUNSETVNETHDRSZ, &header_octets) == 0 && ioctl(fd_, TUNSETOFFLOAD, tcp_of_both_families) == 0) {
        return true;
    }
    return fail("TAP interface " + name_ + ": no offloads: " + std::strerror(errno) + "; do without them");
}

bool TapDevice::configure(const TapOptions& options) {
    InterfaceConfig config(name_);
    bool well = options.mtu == 0 || config.set_mtu(options.mtu);
    if (options.kernel_address != 0) {
        well = well && config.set_address(options.kernel_address, options.kernel_prefix_length);
    }
    if (!is_unspecified(options.kernel_ipv6_address)) {
        well = well && config.set_ipv6_address(options.kernel_ipv6_address, options.kernel_ipv6_prefix_length);
    }
    merges_ = options.merge && config.set_gro_timeout(tap_merge_timeout);  // without it, it is only slower
    well = well && config.bring_up() && config.get_mtu(mtu_) && config.get_hardware_address(hardware_address_);
    return well || fail(config.error());
}

void TapDevice::close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
}

bool TapDevice::fail(const std::string& reason) {
    error_ = reason;
    close();
    return false;
}

TapDevice::Result TapDevice::gone() {
    error_ = "TAP interface " + name_ + " is gone; somebody removed it";
    close();
    return Result::gone;
}

// EBADFD: the descriptor has lost its interface (observed in Linux 6.18).
TapDevice::Result TapDevice::read(std::span<std::uint8_t> buffer, std::size_t& size) {
    if (fd_ < 0) return Result::gone;
    const ssize_t length = metered(reads_, [&] { return ::read(fd_, buffer.data(), buffer.size()); });
    if (length >= 0) {
        size = static_cast<std::size_t>(length);
        return Result::done;
    }
    if (errno == EAGAIN || errno == EINTR) return Result::later;
    return errno == EIO ? Result::down : gone();
}

TapDevice::Result TapDevice::write(std::span<const std::uint8_t> frame) {
    if (fd_ < 0) return Result::gone;
    const bool well = metered(writes_, [&] { return ::write(fd_, frame.data(), frame.size()); }) >= 0;
    return well ? Result::done : why_not_written();
}

TapDevice::Result TapDevice::write(std::span<const iovec> pieces) {
    if (fd_ < 0) return Result::gone;
    if (pieces.size() == 1) return write({static_cast<const std::uint8_t*>(pieces[0].iov_base), pieces[0].iov_len});
    const auto count = static_cast<int>(pieces.size());
    const bool well = metered(writes_, [&] { return ::writev(fd_, pieces.data(), count); }) >= 0;
    return well ? Result::done : why_not_written();
}

TapDevice::Result TapDevice::why_not_written() {
    switch (errno) {
        case EAGAIN:
        case EINTR:
        case ENOBUFS:
            return Result::later;
        case EBADFD:
        case EBADF:
        case ENODEV:
            return gone();
        default:  // EIO: down; EINVAL: a frame that the kernel does not take
            return Result::down;
    }
}

}  // namespace lfn
