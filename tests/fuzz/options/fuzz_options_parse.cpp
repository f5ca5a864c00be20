// SPDX-License-Identifier: BSD-3-Clause
// The option parser on any octets. First octet: bit 0 the form, bit 1 SYN, bit 2 another set of kinds. What is
// understood must obey the parser's contract, and must read back the same once written.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "lfn/big_window.h"
#include "lfn/nak_sender.h"
#include "lfn/tcp_options.h"

namespace {

void check(bool kept) {
    if (!kept) std::abort();
}

bool same(const lfn_options& a, const lfn_options& b) {
    if (a.has_b != b.has_b || a.has_c != b.has_c || a.nak_permitted != b.nak_permitted) return false;
    if (a.b_window != b.b_window || a.c_high != b.c_high || a.nak_count != b.nak_count) return false;
    for (unsigned i = 0; i < a.nak_count; ++i) {
        if (a.naks[i].seq != b.naks[i].seq || a.naks[i].segments != b.naks[i].segments) return false;
    }
    return true;
}

void check_invariants(const lfn_wire_form& form, const lfn_options& o, bool syn) {
    check(syn ? !o.has_c && o.nak_count == 0 : !o.has_b && !o.nak_permitted);
    check(o.has_b || o.b_window == 0);
    check(o.has_c || o.c_high == 0);
    check(o.b_window <= LFN_WINDOW_MAX);
    check(o.nak_count <= LFN_NAKS_PER_SEGMENT);
    check(!o.nak_permitted || form.wire == LFN_WIRE_EXID);
}

std::vector<uint8_t> written(const lfn_wire_form& form, const lfn_options& o) {
    std::vector<uint8_t> area(64);
    uint8_t* at = area.data();
    if (o.nak_permitted) at = lfn_option_nak_permitted_write(&form, at);
    if (o.has_b) at = lfn_option_b_write(&form, at, o.b_window);
    if (o.has_c) at = lfn_option_c_write(&form, at, o.c_high);
    at = lfn_option_naks_write(&form, at, o.naks, o.nak_count);
    area.resize(static_cast<size_t>(at - area.data()));
    check(area.size() % 4 == 0);
    return area;
}

void check_clip(const lfn_nak& nak) {
    constexpr uint32_t una = 0xFFFFF000;
    constexpr uint32_t flight = 1 << 20;
    uint32_t from = 1, to = 2;
    const lfn_nak_verdict verdict = lfn_nak_clip(&nak, una, una + flight, 1460, &from, &to);
    if (verdict != LFN_NAK_HONOUR) return check(from == 1 && to == 2);
    check(from - una < flight && to - una <= flight && from - una < to - una);
}

// The short way says what the long one says, or nothing.
void check_only_c(const lfn_wire_form& form, const std::vector<uint8_t>& area, bool syn, const lfn_options& long_way) {
    lfn_options o = {};
    if (syn || !lfn_options_only_c(&form, area.data(), area.size(), &o)) return;
    check(o.has_c);
    check(same(o, long_way));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    const bool syn = data[0] & 2;
    lfn_wire_form form;
    lfn_wire_form_init(&form, data[0] & 1 ? LFN_WIRE_RFC1106 : LFN_WIRE_EXID);
    if (data[0] & 4) form.kind_a = 8, form.kind_b = 2, form.kind_c = 3, form.exid = 0;
    const std::vector<uint8_t> area(data + 1, data + size);

    lfn_options o;
    std::memset(&o, 0x5A, sizeof o);
    const lfn_options untouched = o;
    if (!lfn_options_parse(&form, area.data(), area.size(), syn, &o)) {
        check(area.size() > LFN_OPTION_AREA_MAX);
        check(std::memcmp(&o, &untouched, sizeof o) == 0);
        return 0;
    }
    check(area.size() <= LFN_OPTION_AREA_MAX);
    check_invariants(form, o, syn);
    check_only_c(form, area, syn, o);
    for (unsigned i = 0; i < o.nak_count; ++i) check_clip(o.naks[i]);

    const std::vector<uint8_t> again = written(form, o);
    if (again.size() > LFN_OPTION_AREA_MAX) return 0;  // unpadded originals can be denser than ours
    lfn_options back;
    check(lfn_options_parse(&form, again.data(), again.size(), syn, &back));
    check(same(o, back));
    return 0;
}
