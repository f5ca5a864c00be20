// SPDX-License-Identifier: BSD-3-Clause
#include "tests/interop/running_command.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace lfn::interop {

namespace {

constexpr useconds_t look_interval_us = 5000;

void redirect(const std::string& file, int fd) {
    const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(opened, fd);
}

}  // namespace

RunningCommand::RunningCommand(const std::vector<std::string>& arguments) {
    std::vector<char*> words;
    for (const std::string& each : arguments) words.push_back(const_cast<char*>(each.c_str()));
    words.push_back(nullptr);
    pid_ = fork();
    if (pid_ != 0) return;
    redirect((streams_.path() / "out").string(), STDOUT_FILENO);
    redirect((streams_.path() / "err").string(), STDERR_FILENO);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    execvp(words[0], words.data());
    _exit(127);
}

RunningCommand::~RunningCommand() {
    if (running()) wait(0);
}

void RunningCommand::signal(int number) const {
    if (!ended_) kill(pid_, number);
}

bool RunningCommand::running() {
    int status = 0;
    if (!ended_ && waitpid(pid_, &status, WNOHANG) == pid_) {
        ended_ = true;
        status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return !ended_;
}

bool RunningCommand::wait_until(const std::function<bool()>& done, int limit_seconds) {
    for (long looks = limit_seconds * 1'000'000L / look_interval_us; looks > 0 && !done() && running(); --looks) {
        usleep(look_interval_us);
    }
    return done();
}

test::CommandOutcome RunningCommand::wait(int limit_seconds) {
    if (!wait_until([this] { return !running(); }, limit_seconds)) {
        signal(SIGKILL);
        wait_until([this] { return !running(); });
    }
    return {status_, out(), err()};
}

std::vector<std::string> lfn_with(const std::vector<std::string>& arguments) {
    std::vector<std::string> all = {LFN_COMMAND};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
}

std::vector<std::string> as_nobody(const std::vector<std::string>& arguments) {
    std::vector<std::string> all = {"setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
}

std::string why_not_as_nobody() {
    if (geteuid() != 0) return "needs root, to stop being it";
    if (!is_installed("setpriv")) return "setpriv is not installed";
    const int status = RunningCommand(as_nobody(lfn_with({"--version"}))).wait().status;
    return status == 0 ? "" : "an ordinary user cannot reach this build's folder";
}

bool is_installed(const std::string& program) {
    return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

}  // namespace lfn::interop
