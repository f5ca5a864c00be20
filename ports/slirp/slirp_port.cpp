// SPDX-License-Identifier: BSD-3-Clause
#include "ports/slirp/slirp_port.hpp"

#include <arpa/inet.h>
#include <slirp/libslirp.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace lfn {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t frame_octets_max = 9000 + 14 + 64;  // libslirp's own frames are no longer than its MTU

in_addr address_of(std::uint32_t host_order) {
    return {htonl(host_order)};
}

SlirpConfig config_for(std::uint16_t mtu) {
    SlirpConfig config{};
    config.version = 4;
    config.in_enabled = true;
    config.vnetwork = address_of(slirp_network);
    config.vnetmask = address_of(~std::uint32_t{0} << (32 - slirp_prefix_length));
    config.vhost = address_of(slirp_host_address);
    config.vdhcp_start = address_of(slirp_guest_address);
    config.vnameserver = address_of(slirp_network + 3);
    config.if_mtu = mtu;
    config.if_mru = mtu;
    config.disable_dhcp = true;
    return config;
}

short poll_events(int slirp_events) {
    int events = 0;
    if ((slirp_events & SLIRP_POLL_IN) != 0) events |= POLLIN;
    if ((slirp_events & SLIRP_POLL_OUT) != 0) events |= POLLOUT;
    if ((slirp_events & SLIRP_POLL_PRI) != 0) events |= POLLPRI;
    return static_cast<short>(events);
}

int slirp_events(short poll_events) {
    int events = 0;
    if ((poll_events & POLLIN) != 0) events |= SLIRP_POLL_IN;
    if ((poll_events & POLLOUT) != 0) events |= SLIRP_POLL_OUT;
    if ((poll_events & POLLPRI) != 0) events |= SLIRP_POLL_PRI;
    if ((poll_events & POLLERR) != 0) events |= SLIRP_POLL_ERR;
    if ((poll_events & POLLHUP) != 0) events |= SLIRP_POLL_HUP;
    return events;
}

}  // namespace

struct SlirpPort::Library {
    // A timer of libslirp's, in our loop.
    struct LibraryTimer {
        LibraryTimer(SlirpPort& owner, SlirpTimerId timer_id, void* timer_context)
            : port(owner),
              id(timer_id),
              context(timer_context),
              timer(owner.loop_, Callback::bind<&LibraryTimer::run>(*this)) {}
        void run() { slirp_handle_timer(port.slirp_, id, context); }
        SlirpPort& port;
        SlirpTimerId id;
        void* context;
        Timer timer;
    };

    static ssize_t send_packet(const void* octets, std::size_t length, void* self) {
        static_cast<SlirpPort*>(self)->take({static_cast<const std::uint8_t*>(octets), length});
        return static_cast<ssize_t>(length);
    }
    static std::int64_t clock_ns(void* self) { return nanoseconds_of(static_cast<SlirpPort*>(self)->loop_.real_now()); }
    static void* timer_new(SlirpTimerId id, void* context, void* self) {
        return new LibraryTimer(*static_cast<SlirpPort*>(self), id, context);
    }
    static void timer_free(void* timer, void*) { delete static_cast<LibraryTimer*>(timer); }
    static void timer_mod(void* timer, std::int64_t expire_ms, void*) {
        static_cast<LibraryTimer*>(timer)->timer.schedule_at(Time(milliseconds(expire_ms)));
    }

    static SlirpCb callbacks() {
        SlirpCb calls{};
        calls.send_packet = send_packet;
        calls.guest_error = [](const char*, void*) {};
        calls.clock_get_ns = clock_ns;
        calls.timer_new_opaque = timer_new;
        calls.timer_free = timer_free;
        calls.timer_mod = timer_mod;
        calls.register_poll_fd = [](int, void*) {};  // every poll asks anew
        calls.unregister_poll_fd = [](int, void*) {};
        calls.notify = [](void*) {};
        return calls;
    }

    struct Descriptors {
        std::vector<pollfd>& all;
        std::size_t first;
    };
    static int add_poll(int fd, int events, void* context) {
        auto& descriptors = *static_cast<Descriptors*>(context);
        descriptors.all.push_back({fd, poll_events(events), 0});
        return static_cast<int>(descriptors.all.size() - 1 - descriptors.first);
    }
    static int get_revents(int index, void* context) {
        const auto& descriptors = *static_cast<const std::span<const pollfd>*>(context);
        return slirp_events(descriptors[static_cast<std::size_t>(index)].revents);
    }
};

SlirpPort::SlirpPort(RealtimeLoop& loop)
    : loop_(loop), pool_(frame_octets_max), delivery_(loop, Callback::bind<&SlirpPort::deliver>(*this)) {}

SlirpPort::~SlirpPort() {
    loop_.set_guest(nullptr);
    if (slirp_ != nullptr) slirp_cleanup(slirp_);
}

bool SlirpPort::open(std::uint16_t mtu, const std::vector<SlirpForward>& forwards) {
    // The library writes to sockets that whoever is at the other end may have closed.
    std::signal(SIGPIPE, SIG_IGN);
    static const SlirpCb calls = Library::callbacks();
    const SlirpConfig config = config_for(mtu);
    slirp_ = slirp_new(&config, &calls, this);
    if (slirp_ == nullptr) {
        error_ = "libslirp does not start; is it version 4.7 or later?";
        return false;
    }
    loop_.set_guest(this);
    return std::ranges::all_of(forwards, [this](const SlirpForward& wanted) { return forward(wanted); });
}

bool SlirpPort::forward(const SlirpForward& wanted) {
    errno = 0;
    if (slirp_add_hostfwd(slirp_, 0, address_of(wanted.host_address), wanted.host_port, address_of(slirp_guest_address),
                          wanted.guest_port) == 0) {
        return true;
    }
    error_ = "port " + std::to_string(wanted.host_port) + " of the host: " + std::strerror(errno) +
             (errno == EACCES ? "; give one above 1023" : "; give another one");
    return false;
}

std::uint8_t* SlirpPort::transmit_begin(std::size_t length) {
    filling_ = pool_.make(length);
    return filling_->data();
}

void SlirpPort::transmit_end() {
    outgoing_.push_back(std::move(filling_));
}

void SlirpPort::flush() {
    while (!outgoing_.empty()) {
        const FramePtr frame = outgoing_.pop_front();
        ++frames_out_;
        if (capture_ != nullptr) capture_->write(loop_.now(), frame->octets());
        slirp_input(slirp_, frame->data(), static_cast<int>(frame->size()));
    }
}

// libslirp may be called by the stack at this moment, or by the loop: the stack gets it from the loop alone.
void SlirpPort::take(std::span<const std::uint8_t> octets) {
    if (octets.size() > pool_.frame_capacity()) return;
    incoming_.push_back(pool_.make(octets));
    if (!delivery_.pending()) delivery_.schedule_after(Duration::zero());
}

void SlirpPort::deliver() {
    if (receiver_ == nullptr) return incoming_.clear();
    receiver_->batch_begin();
    for (std::size_t count = incoming_.size(); count > 0; --count) {
        const FramePtr frame = incoming_.pop_front();
        ++frames_in_;
        if (capture_ != nullptr) capture_->write(loop_.now(), frame->octets());
        receiver_->receive(frame->octets());
    }
    receiver_->batch_end();
}

void SlirpPort::fill(std::vector<pollfd>& descriptors, Duration& timeout) {
    const std::int64_t limit_ms = std::chrono::ceil<milliseconds>(timeout).count();
    const auto given_ms = static_cast<std::uint32_t>(std::min<std::int64_t>(limit_ms, INT32_MAX));
    std::uint32_t timeout_ms = given_ms;
    Library::Descriptors added{descriptors, descriptors.size()};
    slirp_pollfds_fill(slirp_, &timeout_ms, Library::add_poll, &added);
    if (timeout_ms < given_ms) timeout = std::min<Duration>(timeout, milliseconds(timeout_ms));
}

void SlirpPort::serve(std::span<const pollfd> descriptors) {
    slirp_pollfds_poll(slirp_, 0, Library::get_revents, &descriptors);
}

}  // namespace lfn
