// SPDX-License-Identifier: BSD-3-Clause
// Independent pieces of work on all cores. All instances of a stack's build share its globals, so the pieces run in
// processes of their own and not in threads; each starts from the same state, whatever ran before it.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace lfn::lab {

/// How many pieces this process may usefully run at a time; at least 1.
unsigned usable_cores();

/// Runs work(0) to work(count - 1), at most `jobs` at a time, and puts what they return into `results` in the order of
/// their indices: the same for any `jobs`. `on_done` is called in this process with how many are done. Returns what
/// went wrong as a phrase, empty if nothing did; the results are then incomplete.
std::string run_in_processes(std::size_t count, unsigned jobs, const std::function<std::string(std::size_t)>& work,
                             std::vector<std::string>& results,
                             const std::function<void(std::size_t)>& on_done = nullptr);

/// The same, but each result is handed to `on_result` as soon as it is there, in any order, and not kept.
std::string run_in_processes(std::size_t count, unsigned jobs, const std::function<std::string(std::size_t)>& work,
                             const std::function<void(std::size_t index, const std::string& result)>& on_result);

/// The same with results that are plain data.
template <class Result, class Work>
requires std::is_trivially_copyable_v<Result> std::string map_in_processes(
    std::size_t count, unsigned jobs, const Work& work, std::vector<Result>& results,
    const std::function<void(std::size_t)>& on_done = nullptr) {
    const auto pack = [&work](std::size_t index) {
        const Result result = work(index);
        return std::string(reinterpret_cast<const char*>(&result), sizeof(result));
    };
    std::vector<std::string> packed;
    std::string failure = run_in_processes(count, jobs, pack, packed, on_done);
    results.assign(count, Result{});
    for (std::size_t i = 0; i < count && failure.empty(); ++i) {
        if (packed[i].size() != sizeof(Result)) return "a worker process returned too little";
        std::memcpy(&results[i], packed[i].data(), sizeof(Result));
    }
    return failure;
}

}  // namespace lfn::lab
