// SPDX-License-Identifier: MIT
#include "experiments/imports/knowledge.hpp"

#include <algorithm>
#include <utility>

#include "core/numbers/work_budget.hpp"
#include "experiments/formats/files.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

constexpr std::size_t worth_a_claim = std::size_t{1} << 20;
// Memory of a claim and a name. Vectors may hold twice their size. A name is stored in a list and a table, and has a
// name in the target.
constexpr std::size_t bytes_a_claim = 2 * sizeof(Claim), bytes_a_name = 400;
constexpr std::uint64_t steps_a_claim = 100;  // about the cost of reading it

}  // namespace

std::uint32_t Knowledge::add_file(std::string name, std::string sha256) {
  files_.push_back({std::move(name), std::move(sha256)});
  return static_cast<std::uint32_t>(files_.size() - 1);
}

NameId Knowledge::name(const std::string& source, const std::string& wanted, Place place) {
  if (const auto known = ids_.find(source); known != ids_.end()) return known->second;
  claim(bytes_a_name + 2 * source.size() + wanted.size());
  const auto id = static_cast<NameId>(names_.size());
  ids_.emplace(names_.emplace_back(SourceName{source, wanted, place}).source, id);
  return id;
}

void Knowledge::add(const Claim& claim) {
  core::charge(steps_a_claim);
  if (claims_.size() == max_claims)
    throw SpecError(
        files_.at(claim.place.file).name + ":" + std::to_string(claim.place.line),
        "this is more than the " + std::to_string(max_claims) + " statements that an import may make");
  this->claim(bytes_a_claim);
  claims_.push_back(claim);
}

// Reserves memory in batches. A reservation for each item would cost more than reading it.
void Knowledge::claim(std::size_t bytes) {
  unclaimed_ += bytes;
  if (unclaimed_ >= worth_a_claim) core::Reservation(std::exchange(unclaimed_, 0)).keep();
}

void Knowledge::hold_out(const Claim& claim) {
  core::charge(steps_a_claim);
  this->claim(bytes_a_claim);
  held_out_.push_back(claim);
}

void Knowledge::error(Place place, const std::string& message) const {
  tell_({files_.at(place.file).name, place, true, message, {}});
}

void Knowledge::warning(Place place, const std::string& message, const std::string& alike) const {
  tell_({files_.at(place.file).name, place, false, message, alike});
}

bool SourceBlocks::append_to(std::string& text) {
  core::check_cancelled();
  const std::size_t size = text.size();
  text.resize(size + block_bytes);
  in_.read(text.data() + size, static_cast<std::streamsize>(block_bytes));
  text.resize(size + static_cast<std::size_t>(in_.gcount()));
  require_whole(in_, "the file");
  const std::string_view block = std::string_view(text).substr(size);
  hasher_.add(block);
  advance_(block.size());
  return !block.empty();
}

bool SourceLines::next() {
  line_.clear();
  is_too_long_ = false;
  for (bool any = false, ends = false; !ends; any = true) {
    if (at_ == block_.size() && !fill()) {
      if (!any) return false;
      break;
    }
    const std::size_t found = block_.find('\n', at_), end = std::min(found, block_.size());
    ends = found != std::string::npos;
    const std::string_view piece = std::string_view(block_).substr(at_, end - at_);
    const std::string_view kept = piece.substr(0, max_line_bytes - line_.size());
    is_too_long_ = is_too_long_ || kept.size() < piece.size();
    line_ += kept;
    at_ = ends ? end + 1 : end;
  }
  if (line_.ends_with('\r')) line_.pop_back();
  if (++number_ == 1 && line_.starts_with(narsese::byte_order_mark))
    line_.erase(0, narsese::byte_order_mark.size());
  return true;
}

std::string SourceLines::flaw() const {
  return is_too_long_ ? "a line may have at most " + std::to_string(max_line_bytes) + " bytes" : "";
}

bool SourceLines::fill() {
  block_.clear();
  at_ = 0;
  return blocks_.append_to(block_);
}

}  // namespace engram::experiments
