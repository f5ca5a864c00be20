// SPDX-License-Identifier: BSD-3-Clause
// `lfn sweep`: a grid of transfers over all cores, or one shard of it.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "ports/cli/commands.hpp"
#include "ports/cli/options.hpp"
#include "ports/cli/sweep.hpp"
#include "ports/cli/units.hpp"
#include "ports/lab/worker_pool.hpp"

namespace lfn::cli {

namespace {

constexpr const char* footer =
    "Examples:\n"
    "  lfn sweep --link geo-10m-bursts,leo-handover --window 1M --bytes 1M --seeds 2\n"
    "  lfn sweep --ber 0,1e-6 --window 64K,512K --loss-policy congestion,noise --bytes 1M --out t1.jsonl --csv t1.csv\n"
    "  lfn sweep --link shared-10m --loss-policy congestion,auto --bytes 2M --csv -\n"
    "  lfn sweep --seeds 8 --count          how many cells that would be\n"
    "  lfn sweep --seeds 8 --bytes 1M --shard 2/4 --out part2.jsonl\n"
    "\n"
    "Over a machine or a cluster, the parts put together being the whole:\n"
    "  parallel lfn sweep GRID --jobs 1 --shard {}/8 --out part{}.jsonl ::: 1 2 3 4 5 6 7 8\n"
    "  sbatch --array=1-8 --wrap 'lfn sweep GRID --shard slurm --out part$SLURM_ARRAY_TASK_ID.jsonl'\n"
    "  cat part*.jsonl > all.jsonl\n"
    "\n"
    "Every cell is one transfer, verified by digest. The lines depend on the grid alone, not on cores and shards; "
    "their\n"
    "order is that in which the cells were done. Started again with the same --out it goes on where it stopped.";

// The cells of a shard, what each of them is called, and its row once it is there.
struct Part {
    std::vector<std::uint64_t> cells;
    std::vector<std::string> rows;
    std::vector<std::size_t> open;  // places in `cells` that have no row
};

Part part_of(const SweepRequest& request, const std::map<std::string, std::string>& known) {
    Part part;
    for (std::uint64_t cell = 0; cell < request.grid.size(); ++cell) {
        if (!request.shard.has(cell)) continue;
        const auto row = known.find(key_of(describe_cell(request.grid.cell(cell))));
        if (row == known.end()) part.open.push_back(part.cells.size());
        part.cells.push_back(cell);
        part.rows.push_back(row == known.end() ? "" : row->second);
    }
    return part;
}

// Of other cells' rows in the file: another grid's, which do not belong there; another shard's may.
bool has_strangers(const SweepRequest& request, const std::map<std::string, std::string>& known) {
    std::size_t ours = 0;
    for (std::uint64_t cell = 0; cell < request.grid.size() && ours < known.size(); ++cell) {
        ours += known.count(key_of(describe_cell(request.grid.cell(cell))));
    }
    return ours < known.size();
}

void run_part(const SweepRequest& request, Part& part, SweepFile& file) {
    Progress progress(request.progress, "cells");
    std::size_t done = part.cells.size() - part.open.size();
    progress.update(done, part.cells.size());
    const auto work = [&](std::size_t index) {
        const lab::TransferOptions cell = request.grid.cell(part.cells[part.open[index]]);
        return sweep_row(cell, run_transfer(cell)).dump();
    };
    const bool prints = request.out.empty() && request.csv != "-";
    const auto take = [&](std::size_t index, const std::string& row) {
        part.rows[part.open[index]] = row;
        if (!request.out.empty()) file.append(row);
        if (prints) fmt::print("{}\n", row);
        progress.update(++done, part.cells.size());
    };
    const std::string failure = lab::run_in_processes(part.open.size(), request.jobs, work, take);
    if (!failure.empty()) throw std::runtime_error(failure);
}

void write_csv(const SweepRequest& request, const Part& part) {
    if (request.csv.empty()) return;
    const std::string text = sweep_csv(part.rows, request.shard.number == 1);
    if (request.csv == "-") {
        fmt::print("{}", text);
        return;
    }
    std::ofstream file(request.csv, std::ios::binary);
    file << text;
    file.close();
    if (!file)
        throw std::runtime_error(request.csv + ": " + std::strerror(errno) +
                                 (request.out.empty() ? "; run it again with a file that can be written"
                                                      : "; the rows are in " + request.out));
}

int run_sweep(const SweepRequest& request) {
    SweepFile file;
    std::error_code ignored;
    const bool leaves_nothing = request.count && !std::filesystem::exists(request.out, ignored);
    if (!request.out.empty() && !leaves_nothing) {
        std::string fault = file.open(request.out);
        if (fault.empty() && has_strangers(request, file.rows())) {
            fault = request.out + ": has cells that this sweep has not; give another file";
        }
        if (!fault.empty()) {
            fmt::print(stderr, "lfn sweep: --out {}\n", fault);
            return exit_bad_input;
        }
    }
    Part part = part_of(request, file.rows());
    if (request.count) {
        fmt::print("{} cells{}\n", format_count(part.cells.size()),
                   file.rows().empty() ? "" : ", " + format_count(part.open.size()) + " of them to be run");
        return exit_ok;
    }
    run_part(request, part, file);
    write_csv(request, part);
    std::size_t failed = 0;
    for (const std::string& row : part.rows) failed += SweepRow::parse(row)["intact"] == true ? 0 : 1;
    if (failed == 0) return exit_ok;
    std::fflush(stdout);
    fmt::print(stderr, "lfn sweep: {} of {} transfers are not intact; their lines say why\n", format_count(failed),
               format_count(part.rows.size()));
    return exit_failed;
}

}  // namespace

void add_sweep(Command& program, Run& run) {
    Command command =
        program.add_subcommand("sweep", "Run a grid of transfers: links x errors x windows x policies x seeds");
    command.footer(footer);
    const auto request = std::make_shared<SweepRequest>();
    request->jobs = lab::usable_cores();
    add_sweep_options(command, request);
    command.callback([&run, request] {
        settle(*request);
        run = [request] { return run_sweep(*request); };
    });
}

}  // namespace lfn::cli
