// SPDX-License-Identifier: BSD-3-Clause
#include "lfn/tcp_options.h"

#include <algorithm>

#include "contract.hpp"
#include "lfn/big_window.h"

namespace {

constexpr uint8_t kind_end = 0;
constexpr uint8_t kind_nop = 1;
constexpr size_t exid_octets = 2;

// Octets behind kind, length and ExID.
constexpr size_t body_a = 5;
constexpr size_t body_b = 4;
constexpr size_t body_c = 2;
constexpr size_t body_nak_permitted = 0;
// C in the exid form up to the ExID: two NOPs, kind and length. Every segment has it.
constexpr uint32_t exid_c_head =
    uint32_t{kind_nop} << 24 | kind_nop << 16 | LFN_OPTION_KIND_EXID << 8 | (2 + exid_octets + body_c);

enum class Meaning { none, a, b, c, nak_permitted };

uint16_t get16(const uint8_t* at) {
    return static_cast<uint16_t>(at[0] << 8 | at[1]);
}

uint32_t get32(const uint8_t* at) {
    return uint32_t{get16(at)} << 16 | get16(at + 2);
}

uint8_t* put16(uint8_t* at, uint16_t value) {
    at[0] = static_cast<uint8_t>(value >> 8);
    at[1] = static_cast<uint8_t>(value & 0xFF);
    return at + 2;
}

uint8_t* put32(uint8_t* at, uint32_t value) {
    put16(at, static_cast<uint16_t>(value >> 16));
    return put16(at + 2, static_cast<uint16_t>(value & 0xFFFF));
}

size_t head_octets(const lfn_wire_form& form) {
    return form.wire == LFN_WIRE_EXID ? 2 + exid_octets : 2;
}

size_t bare_octets(const lfn_wire_form& form, size_t body) {
    return head_octets(form) + body;
}

constexpr size_t padded(size_t octets) {
    return (octets + 3) / 4 * 4;
}

Meaning meaning_by_body(size_t body) {
    switch (body) {
        case body_a:
            return Meaning::a;
        case body_b:
            return Meaning::b;
        case body_c:
            return Meaning::c;
        case body_nak_permitted:
            return Meaning::nak_permitted;
        default:
            return Meaning::none;
    }
}

Meaning meaning_exid(const lfn_wire_form& form, const uint8_t* option, size_t length) {
    if (option[0] != LFN_OPTION_KIND_EXID || length < 2 + exid_octets) return Meaning::none;
    if (get16(option + 2) != form.exid) return Meaning::none;
    return meaning_by_body(length - 2 - exid_octets);
}

Meaning meaning_rfc1106(const lfn_wire_form& form, const uint8_t* option, size_t length) {
    const uint8_t kind = option[0];
    if (kind == form.kind_a && length == 2 + body_a) return Meaning::a;
    if (kind == form.kind_b && length == 2 + body_b) return Meaning::b;
    if (kind == form.kind_c && length == 2 + body_c) return Meaning::c;
    return Meaning::none;
}

Meaning meaning_of(const lfn_wire_form& form, const uint8_t* option, size_t length, bool syn) {
    const Meaning meaning =
        form.wire == LFN_WIRE_EXID ? meaning_exid(form, option, length) : meaning_rfc1106(form, option, length);
    const bool belongs_in_syn = meaning == Meaning::b || meaning == Meaning::nak_permitted;
    return belongs_in_syn == syn ? meaning : Meaning::none;
}

void take_nak(lfn_options& out, const uint8_t* body) {
    if (out.nak_count == LFN_NAKS_PER_SEGMENT) return;
    out.naks[out.nak_count].seq = get32(body);
    out.naks[out.nak_count].segments = body[4];
    ++out.nak_count;
}

void take(lfn_options& out, Meaning meaning, const uint8_t* body) {
    switch (meaning) {
        case Meaning::a:
            take_nak(out, body);
            break;
        case Meaning::b:
            if (!out.has_b) out.b_window = std::min<uint32_t>(get32(body), LFN_WINDOW_MAX);
            out.has_b = true;
            break;
        case Meaning::c:
            if (!out.has_c) out.c_high = get16(body);
            out.has_c = true;
            break;
        case Meaning::nak_permitted:
            out.nak_permitted = true;
            break;
        case Meaning::none:
            break;
    }
}

uint8_t* put_head(const lfn_wire_form& form, uint8_t* at, uint8_t kind, size_t body) {
    const bool exid = form.wire == LFN_WIRE_EXID;
    *at++ = exid ? uint8_t{LFN_OPTION_KIND_EXID} : kind;
    *at++ = static_cast<uint8_t>(bare_octets(form, body));
    return exid ? put16(at, form.exid) : at;
}

uint8_t* put_padded_head(const lfn_wire_form& form, uint8_t* at, uint8_t kind, size_t body) {
    const size_t bare = bare_octets(form, body);
    return put_head(form, lfn_option_nop_fill(at, padded(bare) - bare), kind, body);
}

uint8_t* put_nak(const lfn_wire_form& form, uint8_t* at, const lfn_nak& nak) {
    at = put32(put_head(form, at, form.kind_a, body_a), nak.seq);
    *at++ = nak.segments;
    return at;
}

}  // namespace

void lfn_wire_form_init(struct lfn_wire_form* form, enum lfn_wire wire) {
    form->wire = static_cast<uint8_t>(wire);
    form->kind_a = LFN_OPTION_KIND_A;
    form->kind_b = LFN_OPTION_KIND_B;
    form->kind_c = LFN_OPTION_KIND_C;
    form->exid = LFN_OPTION_EXID;
}

bool lfn_options_parse(const struct lfn_wire_form* form, const uint8_t* octets, size_t length, bool syn,
                       struct lfn_options* out) {
    if (length > LFN_OPTION_AREA_MAX) return false;
    *out = lfn_options{};
    size_t at = 0;
    while (at < length && octets[at] != kind_end) {
        if (octets[at] == kind_nop) {
            ++at;
            continue;
        }
        const size_t left = length - at;
        if (left < 2 || octets[at + 1] < 2 || octets[at + 1] > left) break;
        const uint8_t* option = octets + at;
        const Meaning meaning = meaning_of(*form, option, option[1], syn);
        if (meaning != Meaning::none) take(*out, meaning, option + head_octets(*form));
        at += option[1];
    }
    return true;
}

bool lfn_options_only_c(const struct lfn_wire_form* form, const uint8_t* octets, size_t length,
                        struct lfn_options* out) {
    if (length != lfn_option_c_length(form)) return false;
    if (form->wire == LFN_WIRE_EXID) {
        if (get32(octets) != exid_c_head || get16(octets + 4) != form->exid) return false;
    } else if (octets[0] != form->kind_c || octets[1] != 2 + body_c) {
        return false;
    }
    out->has_b = out->nak_permitted = false;
    out->b_window = 0;
    out->nak_count = 0;
    out->has_c = true;
    out->c_high = get16(octets + length - body_c);
    return true;
}

size_t lfn_option_b_length(const struct lfn_wire_form* form) {
    return padded(bare_octets(*form, body_b));
}

size_t lfn_option_c_length(const struct lfn_wire_form* form) {
    return padded(bare_octets(*form, body_c));
}

size_t lfn_option_nak_length(const struct lfn_wire_form* form) {
    return padded(bare_octets(*form, body_a));
}

size_t lfn_option_nak_permitted_length(const struct lfn_wire_form* form) {
    return form->wire == LFN_WIRE_EXID ? padded(bare_octets(*form, body_nak_permitted)) : 0;
}

uint8_t* lfn_option_b_write(const struct lfn_wire_form* form, uint8_t* at, uint32_t window) {
    at = put_padded_head(*form, at, form->kind_b, body_b);
    return put32(at, std::min<uint32_t>(window, LFN_WINDOW_MAX));
}

uint8_t* lfn_option_c_write(const struct lfn_wire_form* form, uint8_t* at, uint16_t c_high) {
    if (form->wire == LFN_WIRE_EXID) {
        at = put32(at, exid_c_head);
        at = put16(at, form->exid);
    } else {
        *at++ = form->kind_c;
        *at++ = 2 + body_c;
    }
    return put16(at, c_high);
}

uint8_t* lfn_option_nak_write(const struct lfn_wire_form* form, uint8_t* at, const struct lfn_nak* nak) {
    return lfn_option_naks_write(form, at, nak, 1);
}

uint8_t* lfn_option_nak_permitted_write(const struct lfn_wire_form* form, uint8_t* at) {
    if (form->wire != LFN_WIRE_EXID) return at;
    return put_padded_head(*form, at, LFN_OPTION_KIND_EXID, body_nak_permitted);
}

size_t lfn_option_naks_length(const struct lfn_wire_form* form, size_t count) {
    return padded(count * bare_octets(*form, body_a));
}

size_t lfn_option_naks_fit(const struct lfn_wire_form* form, size_t room) {
    return std::min<size_t>(room / 4 * 4 / bare_octets(*form, body_a), LFN_NAKS_PER_SEGMENT);
}

uint8_t* lfn_option_naks_write(const struct lfn_wire_form* form, uint8_t* at, const struct lfn_nak* naks,
                               size_t count) {
    const size_t bare = count * bare_octets(*form, body_a);
    at = lfn_option_nop_fill(at, padded(bare) - bare);
    for (size_t i = 0; i < count; ++i) at = put_nak(*form, at, naks[i]);
    return at;
}

uint8_t* lfn_option_nop_fill(uint8_t* at, size_t n) {
    return std::fill_n(at, n, kind_nop);
}
