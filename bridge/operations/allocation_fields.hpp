// SPDX-License-Identifier: MIT
// Parser for the optional fields of `allocate`: how a budget is updated, which items may have a share, how it is cut
// off, and what is logged.
#pragma once

#include "bridge/operations/request.hpp"
#include "core/budgets/budget_allocator.hpp"

namespace engram::bridge {

/// Whether the request allocates budgets to operations (core/events/operation_desires.hpp). These requests have other
/// fields.
bool is_of_operations(const Request& request);

/// Options for budgets of concepts and statements. Parses of, capacity and the optional fields prior, prior_form,
/// alpha, temperature, durability, fresh, select, threshold, share and policy.
/// Errors  RequestError; also for a field that would have no effect
core::AllocationOptions allocation_options(const Request& request, const core::ActivationPolicy& memory);

/// The transfers in a reply. `name` returns the name of an item.
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
