// SPDX-License-Identifier: BSD-3-Clause
// `lfn devices`: each card from its own tables: registers, timings, behaviours, sources, what is guessed, and what is
// not modelled.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "ports/cli/cards.hpp"
#include "ports/cli/options.hpp"

namespace lfn::cli {

namespace {

using Json = nlohmann::ordered_json;

struct DevicesRequest {
    std::string name;
    bool json = false;
    bool guesses = false;
};

std::string provenance_text(const Provenance& provenance) {
    std::string text(name_of(provenance.evidence));
    if (!provenance.sources.empty()) text += ": " + std::string(provenance.sources);
    return text;
}

std::string offsets_of(const RegisterRow& row) {
    return row.first == row.last ? fmt::format("{:X}", row.first) : fmt::format("{:X}-{:X}", row.first, row.last);
}

void print_registers(const DeviceSheet& sheet) {
    fmt::print("\n  registers\n");
    for (const RegisterRow& row : sheet.registers) {
        fmt::print("    {:<4}{} {:<18} {} [{}]\n", offsets_of(row), static_cast<char>(row.access), row.name,
                   row.meaning, provenance_text(row.provenance));
        for (const BitRow& bit : row.bits) {
            fmt::print("           {:02X} {:<15} {} [{}]\n", bit.mask, bit.name, bit.meaning,
                       provenance_text(bit.provenance));
        }
    }
}

void print_sheet(const DeviceSheet& sheet) {
    fmt::print("{}: {}\n", sheet.part, sheet.title);
    print_registers(sheet);
    fmt::print("\n  timings\n");
    for (const TimingRow& row : sheet.timings) {
        fmt::print("    {:<18} {} [{}]\n", row.name, row.value, provenance_text(row.provenance));
    }
    fmt::print("\n  behaviour\n");
    for (const BehaviourRow& row : sheet.behaviours) {
        fmt::print("    {} [{}]\n", row.claim, provenance_text(row.provenance));
    }
    fmt::print("\n  not modelled\n");
    for (const std::string_view what : sheet.not_modelled) fmt::print("    {}\n", what);
    fmt::print("\n  sources\n");
    for (const SourceRow& row : sheet.sources) fmt::print("    {:<12} {}\n", row.key, row.title);
    fmt::print("\n");
}

void print_guess(const DeviceSheet& sheet, std::string_view what, const Provenance& provenance) {
    if (provenance.evidence == Evidence::guess) fmt::print("{}: {}\n", sheet.part, what);
}

void print_guesses(const DeviceSheet& sheet) {
    for (const RegisterRow& row : sheet.registers) {
        print_guess(sheet, fmt::format("{}: {}", row.name, row.meaning), row.provenance);
        for (const BitRow& bit : row.bits) {
            print_guess(sheet, fmt::format("{} {}: {}", row.name, bit.name, bit.meaning), bit.provenance);
        }
    }
    for (const TimingRow& row : sheet.timings) {
        print_guess(sheet, fmt::format("{}: {}", row.name, row.value), row.provenance);
    }
    for (const BehaviourRow& row : sheet.behaviours) print_guess(sheet, row.claim, row.provenance);
}

Json with(Json json, const Provenance& provenance) {
    json["evidence"] = name_of(provenance.evidence);
    json["sources"] = provenance.sources;
    return json;
}

Json registers_json(const DeviceSheet& sheet) {
    Json registers = Json::array();
    for (const RegisterRow& row : sheet.registers) {
        Json bits = Json::array();
        for (const BitRow& bit : row.bits) {
            bits.push_back(with({{"mask", bit.mask}, {"name", bit.name}, {"meaning", bit.meaning}}, bit.provenance));
        }
        registers.push_back(with({{"first_offset", row.first},
                                  {"last_offset", row.last},
                                  {"access", row.access == Access::read ? "read" : "write"},
                                  {"name", row.name},
                                  {"meaning", row.meaning},
                                  {"bits", bits}},
                                 row.provenance));
    }
    return registers;
}

Json sheet_json(const DeviceSheet& sheet) {
    Json timings = Json::array(), behaviours = Json::array(), sources = Json::object();
    for (const TimingRow& row : sheet.timings) {
        timings.push_back(with({{"name", row.name}, {"value", row.value}}, row.provenance));
    }
    for (const BehaviourRow& row : sheet.behaviours) {
        behaviours.push_back(with({{"claim", row.claim}}, row.provenance));
    }
    for (const SourceRow& row : sheet.sources) sources[std::string(row.key)] = row.title;
    return {{"part", sheet.part}, {"title", sheet.title},     {"registers", registers_json(sheet)},
            {"timings", timings}, {"behaviours", behaviours}, {"not_modelled", sheet.not_modelled},
            {"sources", sources}};
}

int run_devices(const DevicesRequest& request) {
    Json devices = Json::array();
    for (const DeviceSheet* sheet : lab::nic_sheets()) {
        if (!request.name.empty() && sheet->part != request.name) continue;
        if (request.json) {
            devices.push_back(sheet_json(*sheet));
        } else if (request.guesses) {
            print_guesses(*sheet);
        } else {
            print_sheet(*sheet);
        }
    }
    if (request.json) fmt::print("{}\n", Json{{"devices", devices}}.dump(2));
    return exit_ok;
}

}  // namespace

void add_devices(Command& program, Run& run) {
    Command command =
        program.add_subcommand("devices", "Describe the emulated cards: registers, timings, sources, guesses");
    command.footer(
        "Examples:\n"
        "  lfn devices\n"
        "  lfn devices p1300\n"
        "  lfn devices --guesses       what no source was found for\n"
        "  lfn devices --json");
    const auto request = std::make_shared<DevicesRequest>();
    add_text(command, {"NAME", "", "", "Only this one: 3c500, p1300", ""}, [request](const std::string& name) {
        if (!lab::find_nic_kind(name)) complain("unknown device " + name + "; there are 3c500 and p1300");
        request->name = name;
    });
    command.add_flag("--json", request->json, "Print JSON");
    command.add_flag("--guesses", request->guesses, "Print only what is guessed");
    command.callback([&run, request] { run = [request] { return run_devices(*request); }; });
}

}  // namespace lfn::cli
