// SPDX-License-Identifier: BSD-3-Clause
// A bound call: a context and a function. Two words, copied freely, never allocates. What it is bound to must outlive
// it.
#pragma once

#include <type_traits>
#include <utility>

namespace lfn {

class Callback {
public:
    using Function = void (*)(void* context);

    constexpr Callback() = default;
    constexpr Callback(Function function, void* context) : function_(function), context_(context) {}

    /// `Callback::bind<&Card::on_sent>(card)` calls card.on_sent().
    template <auto Member, class Object>
    static constexpr Callback bind(Object& object) {
        return {[](void* context) { (static_cast<Object*>(context)->*Member)(); }, &object};
    }

    /// Calls `callable()`, which is kept by reference: a named lambda, say. A temporary does not compile.
    template <class Callable>
    static constexpr Callback to(Callable& callable) {
        static_assert(!std::is_const_v<Callable> && std::is_invocable_v<Callable&>);
        return {[](void* context) { (*static_cast<Callable*>(context))(); }, &callable};
    }

    explicit constexpr operator bool() const { return function_ != nullptr; }
    void operator()() const { function_(context_); }

private:
    Function function_ = nullptr;
    void* context_ = nullptr;
};

}  // namespace lfn
