// SPDX-License-Identifier: MIT
// The optional fields of `allocate`: how a budget is updated, who may hold it, how it is cut, what is logged.
#pragma once

#include "bridge/operations/request.hpp"
#include "core/budgets/budget_allocator.hpp"

namespace engram::bridge {

/// Whether the budgets are to be those of operations (core/events/operation_desires.hpp); those have other fields.
bool is_of_operations(const Request& request);

/// Of concepts and statements: reads of, capacity, and where they are given prior, prior_form, alpha, temperature,
/// durability, fresh, select, threshold, share and policy.
/// Errors  RequestError; also for a field that nothing would read
core::AllocationOptions allocation_options(const Request& request, const core::ActivationPolicy& memory);

/// The transfers as the reply tells them; `name` is that of an item.
template <class Name>
Json transfers_json(const core::TransferLog& log, Name name) {
  Json rows = Json::array();
  for (const core::Transfer& transfer : log.transfers())
    add_to(rows, {{"from", transfer.from ? Json(name(*transfer.from)) : Json(nullptr)},
                  {"to", transfer.to ? Json(name(*transfer.to)) : Json(nullptr)},
                  {"amount", transfer.amount},
                  {"why", name_of(core::transfer_reasons, transfer.reason)}});
  return rows;
}

}  // namespace engram::bridge
