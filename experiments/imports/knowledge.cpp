// SPDX-License-Identifier: MIT
#include "experiments/imports/knowledge.hpp"

#include <algorithm>

#include "core/numbers/work.hpp"
#include "experiments/formats/files.hpp"

namespace engram::experiments {
namespace {

constexpr std::uint64_t steps_a_claim = 100;  // about what it takes to be read, for who may stop it

}  // namespace

std::uint32_t Knowledge::add_file(std::string name, std::string_view text) {
  files_.push_back({std::move(name), sha256_of_text(text)});
  return static_cast<std::uint32_t>(files_.size() - 1);
}

NameId Knowledge::name(const std::string& source, const std::string& wanted, Place place) {
  if (const auto known = ids_.find(source); known != ids_.end()) return known->second;
  const auto id = static_cast<NameId>(names_.size());
  ids_.emplace(names_.emplace_back(SourceName{source, wanted, place}).source, id);
  return id;
}

void Knowledge::add(const Claim& claim) {
  core::spend(steps_a_claim);
  if (claims_.size() == max_claims)
    throw SpecError(
        files_.at(claim.place.file).name + ":" + std::to_string(claim.place.line),
        "this is more than the " + std::to_string(max_claims) + " statements that an import may make");
  claims_.push_back(claim);
}

void Knowledge::hold_out(const Claim& claim) {
  core::spend(steps_a_claim);
  held_out_.push_back(claim);
}

void Knowledge::error(Place place, const std::string& message) const {
  tell_({files_.at(place.file).name, place, true, message, {}});
}

void Knowledge::warning(Place place, const std::string& message, const std::string& alike) const {
  tell_({files_.at(place.file).name, place, false, message, alike});
}

bool TextLines::next() {
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size()), next = std::min(end + 1, rest_.size());
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(next);
  advance_(next);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  ++number_;
  return true;
}

}  // namespace engram::experiments
