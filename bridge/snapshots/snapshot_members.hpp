// SPDX-License-Identifier: MIT
// Description of the members of a snapshot, for all encodings: JSON lines and binary arrays, writers and readers. Add a
// new member only here. Private to bridge.
//
// visit_members(visitor, object) calls the visitor for each member of an object, in the order of its JSON line:
//   visitor(NAME, value)            a member in JSON; in binary an array with this number of each object
//   visitor(NAME, first, second)    a list of two numbers in JSON; two arrays in binary
//   visitor.optional(NAME, number)  a member that JSON omits if it is 0; in binary its array follows the others
//   visitor.implied(NAME, number)   nothing in JSON, because the order of the lines implies it; an array in binary
//   visitor.unbounded(NAME, number) null in JSON if the number is infinite; does not occur in binary
// Writers pass const objects.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "core/graph/memory_image.hpp"

namespace engram::bridge {

/// A type or its const form: the objects of writers and readers.
template <class T, class Plain>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Plain>;

/// A link and the number of concepts that existed when it was created.
struct LinkRow {
  core::HebbianLink link;
  std::uint32_t before = 0;
};

// --- options and totals: the first line in both encodings -------------------------------------------------

void visit_members(auto&& member, MaybeConst<core::ActivationPolicy> auto& policy) {
  member("compounds", policy.compounds);
  member("statements", policy.statements);
  member("self", policy.self);
}
void visit_members(auto&& member, MaybeConst<core::LinkLearning> auto& learning) {
  member("rule", learning.rule);
  member("rate", learning.rate);
  member("decay", learning.decay);
  member("time", learning.time);
  member("reach", learning.reach);
  member.unbounded("bound", learning.bound);
}
void visit_members(auto&& member, MaybeConst<core::MemoryOptions> auto& options) {
  member("decay", options.decay);
  member("activation", options.activation);
  member("learning", options.learning);
}
void visit_members(auto&& member, MaybeConst<core::MemoryImage> auto& image) {
  member("now", image.now);
  member("evidence", image.total);
  member("updated", image.total_updated);
}

// --- tables: a line of JSON for each row ------------------------------------------------------------------

void visit_members(auto&& member, MaybeConst<core::Statement> auto& statement) {
  member("evidence", statement.evidence);
  member.optional("denied", statement.denied);
  member("times", statement.times);
  member("updated", statement.updated);
}
void visit_members(auto&& member, MaybeConst<core::Concept> auto& row) {
  member("activity", row.activity);
  member("told", row.judged);
  member("updated", row.updated);
}
void visit_members(auto&& member, MaybeConst<LinkRow> auto& row) {
  member("link", row.link.source, row.link.target);
  member.implied("before", row.before);
  member("together", row.link.together);
  member.optional("apart", row.link.denied);
  member("told", row.link.judged.frequency, row.link.judged.confidence);
  member("updated", row.link.updated);
}
void visit_members(auto&& member, MaybeConst<core::LearnerImage> auto& learner) {
  member("evidence", learner.total);
  member("step", learner.step);
  member("updated", learner.last);
}
void visit_members(auto&& member, MaybeConst<core::LearnerImage::Unit> auto& unit) {
  member("level", unit.level);
  member("step", unit.step);
  member("updated", unit.time);
}
void visit_members(auto&& member, MaybeConst<core::LearnerImage::Link> auto& link) {
  member("learnt", link.to, link.from);
  member("weight", link.weight);
  member("step", link.step);
}
void visit_members(auto&& member, MaybeConst<core::ConceptId> auto& active) { member("before", active); }

}  // namespace engram::bridge
