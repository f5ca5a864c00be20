// SPDX-License-Identifier: BSD-3-Clause
#include "ports/lab/worker_pool.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <thread>
#include <utility>

namespace lfn::lab {

namespace {

using Work = std::function<std::string(std::size_t)>;

using OnResult = std::function<void(std::size_t, const std::string&)>;

struct Worker {
    std::size_t index;
    pid_t process;
    int pipe;
    std::string result{};
};

bool write_all(int file, const std::string& octets) {
    std::size_t at = 0;
    while (at < octets.size()) {
        const ssize_t written = write(file, octets.data() + at, octets.size() - at);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += static_cast<std::size_t>(written);
    }
    return true;
}

// In the child: leaves without the parent's exit handlers and buffers.
[[noreturn]] void work_and_leave(const Work& work, std::size_t index, int pipe) {
    bool done = false;
    try {
        done = write_all(pipe, work(index));
    } catch (const std::exception&) {
        done = false;
    }
    _exit(done ? 0 : 1);
}

class Pool {
public:
    Pool(const Work& work, const OnResult& on_result) : work_(work), on_result_(on_result) {}
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool() {
        for (const Worker& worker : workers_) {
            kill(worker.process, SIGKILL);
            close(worker.pipe);
            wait_for(worker.process);
        }
    }

    std::size_t running() const { return workers_.size(); }
    const std::string& failure() const { return failure_; }

    bool start(std::size_t index) {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0) return fail("a pipe to a worker process cannot be made", errno);
        const pid_t process = fork();
        if (process == 0) {
            close(ends[0]);
            work_and_leave(work_, index, ends[1]);
        }
        const int reason = errno;
        close(ends[1]);
        if (process < 0) {
            close(ends[0]);
            return fail("a worker process cannot be started", reason);
        }
        workers_.push_back({index, process, ends[0]});
        return true;
    }

    // Waits until something comes from a worker, and takes it. Returns how many ended; none after a failure.
    std::size_t collect() {
        std::vector<pollfd> ears;
        for (const Worker& worker : workers_) ears.push_back({worker.pipe, POLLIN, 0});
        if (poll(ears.data(), ears.size(), -1) < 0) {
            if (errno != EINTR) fail("waiting for the worker processes failed", errno);
            return 0;
        }
        std::size_t ended = 0;
        for (std::size_t i = ears.size(); i-- > 0;) {  // from the back: finished ones are taken out
            if (ears[i].revents != 0 && !read_from(workers_[i])) {
                if (!end(i)) return 0;
                ++ended;
            }
        }
        return ended;
    }

private:
    static bool wait_for(pid_t process) {
        int status = 0;
        while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

    // False at the end of what the worker has to say.
    static bool read_from(Worker& worker) {
        std::array<char, 4096> buffer;
        const ssize_t length = read(worker.pipe, buffer.data(), buffer.size());
        if (length > 0) worker.result.append(buffer.data(), static_cast<std::size_t>(length));
        return length > 0 || (length < 0 && errno == EINTR);
    }

    bool end(std::size_t at) {
        const Worker worker = std::move(workers_[at]);
        workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(at));
        close(worker.pipe);
        if (wait_for(worker.process)) {
            on_result_(worker.index, worker.result);
            return true;
        }
        failure_ = "the worker process for piece " + std::to_string(worker.index) + " died";
        return false;
    }

    bool fail(const char* what, int reason) {
        failure_ = std::string(what) + ": " + std::strerror(reason);
        return false;
    }

    const Work& work_;
    const OnResult& on_result_;
    std::vector<Worker> workers_;
    std::string failure_;
};

}  // namespace

unsigned usable_cores() {
    const unsigned cores = std::thread::hardware_concurrency();
    return cores > 0 ? cores : 1;
}

std::string run_in_processes(std::size_t count, unsigned jobs, const Work& work, const OnResult& on_result) {
    Pool pool(work, on_result);
    std::size_t started = 0;
    std::size_t done = 0;
    while (done < count) {
        while (started < count && pool.running() < std::max(jobs, 1U)) {
            if (!pool.start(started)) return pool.failure();
            ++started;
        }
        done += pool.collect();
        if (!pool.failure().empty()) return pool.failure();
    }
    return {};
}

std::string run_in_processes(std::size_t count, unsigned jobs, const Work& work, std::vector<std::string>& results,
                             const std::function<void(std::size_t)>& on_done) {
    results.assign(count, std::string());
    std::size_t done = 0;
    return run_in_processes(count, jobs, work, [&](std::size_t index, const std::string& result) {
        results[index] = result;
        ++done;
        if (on_done) on_done(done);
    });
}

}  // namespace lfn::lab
