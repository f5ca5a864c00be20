// SPDX-License-Identifier: BSD-3-Clause
#include "ports/realtime/stop_on_signals.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

namespace lfn {

StopOnSignals::StopOnSignals(RealtimeLoop& loop)
    : loop_(loop), watch_(loop, Callback::bind<&StopOnSignals::on_signal>(*this)) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    fd_ = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    if (fd_ < 0) return;  // the signals keep their usual effect
    sigprocmask(SIG_BLOCK, &signals, &previous_);
    watch_.set(fd_, POLLIN);
}

// Signals that nobody has read yet are taken, so that they do not end the process once they are let through.
StopOnSignals::~StopOnSignals() {
    if (fd_ < 0) return;
    on_signal();
    sigprocmask(SIG_SETMASK, &previous_, nullptr);
    close(fd_);
}

void StopOnSignals::on_signal() {
    signalfd_siginfo info{};
    while (read(fd_, &info, sizeof(info)) == static_cast<ssize_t>(sizeof(info))) {
        if (!signal_) signal_ = static_cast<int>(info.ssi_signo);
        loop_.stop();
    }
}

}  // namespace lfn
