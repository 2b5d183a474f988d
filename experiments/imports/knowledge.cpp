// SPDX-License-Identifier: MIT
#include "experiments/imports/knowledge.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/numbers/random.hpp"
#include "core/numbers/work_budget.hpp"
#include "experiments/formats/files.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

constexpr std::size_t batch_bytes = std::size_t{1} << 20;
// Estimated memory of a claim and of a name. A vector may reserve twice its size. A name is stored in a list and in a
// table, and also has a name in the target.
constexpr std::size_t bytes_a_claim = 2 * sizeof(Claim), bytes_a_name = 400;
constexpr std::uint64_t steps_a_claim = 100;  // about the cost of reading a claim

}  // namespace

std::uint32_t Knowledge::add_file(std::string name, std::string sha256) {
  files_.push_back({std::move(name), std::move(sha256)});
  return static_cast<std::uint32_t>(files_.size() - 1);
}

NameId Knowledge::name(const std::string& source, const std::string& wanted, Place place) {
  if (const auto known = ids_.find(source); known != ids_.end()) return known->second;
  reserve(bytes_a_name + 2 * source.size() + wanted.size());
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
  reserve(bytes_a_claim);
  claims_.push_back(claim);
}

// Reserves memory in batches. A reservation for each item would cost more than reading it.
void Knowledge::reserve(std::size_t bytes) {
  unreserved_ += bytes;
  if (unreserved_ >= batch_bytes) core::Reservation(std::exchange(unreserved_, 0)).keep();
}

void Knowledge::hold_out(const Claim& claim) {
  core::charge(steps_a_claim);
  reserve(bytes_a_claim);
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

namespace {

std::pair<ClaimKind, NameId> sort_of(const Claim& claim) {
  return {claim.kind, claim.kind == ClaimKind::relation ? claim.relation : 0};
}

std::tuple<ClaimKind, NameId, NameId, NameId> key(const Claim& claim) {
  return {claim.kind, sort_of(claim).second, claim.subject, claim.object};
}

}  // namespace

void add_wrong_claims(Knowledge& knowledge, double share, std::uint64_t seed) {
  constexpr std::size_t draws = 10;  // random draws per wanted claim; chosen
  const std::vector<Claim> said = knowledge.claims();
  if (share <= 0 || said.empty()) return;
  std::set<std::tuple<ClaimKind, NameId, NameId, NameId>> taken;
  std::map<std::pair<ClaimKind, NameId>, std::vector<NameId>> objects;
  core::charge(64 * said.size());
  for (const Claim& claim : said) {
    taken.insert(key(claim));
    objects[sort_of(claim)].push_back(claim.object);
  }
  for (const Claim& claim : knowledge.held_out()) taken.insert(key(claim));
  const auto wanted =
      static_cast<std::size_t>(std::llround(share / (1 - share) * static_cast<double>(said.size())));
  core::Rng rng(seed, "wrong claims");
  std::size_t added = 0;
  for (std::size_t draw = 0; added < wanted && draw < draws * wanted; ++draw) {
    core::charge(32);
    Claim wrong = said[rng.below(said.size())];
    const std::vector<NameId>& others = objects[sort_of(wrong)];
    wrong.object = others[rng.below(others.size())];
    if (wrong.object == wrong.subject || !taken.insert(key(wrong)).second) continue;
    knowledge.add(wrong);
    ++added;
  }
  knowledge.remarks.push_back("The last " + std::to_string(added) +
                              " statements that are no rules are wrong: their second name was drawn.");
}

}  // namespace engram::experiments
