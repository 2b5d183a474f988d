// SPDX-License-Identifier: MIT
// AttachedMemory: records about statements and inputs. They follow the forgetting of the memory and have byte limits.
#include <algorithm>

#include "bridge/attach/attached_memory.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge {
namespace {

constexpr std::size_t kinds_beside = 5;  // AttachedMemory::bytes_beside
// Bytes of one recorded input without its text: its number, the string and the map node.
constexpr std::size_t bytes_of_input = 112;

}  // namespace

void AttachedMemory::take_on() {
  const std::uint64_t before = session_.forgetting().state().so_far.statements;
  for (std::size_t id = 0; id < session_.memory().statements().size(); ++id)
    origins_.push_back({.number = before + id + 1, .told = true});
  note_bytes();
}

std::size_t AttachedMemory::most_remembered(const core::MemoryLimits& limits) {
  return std::min(limits.max_statements, bytes_beside(limits) / SeenSet::bytes_each);
}

std::size_t AttachedMemory::told() const {
  return static_cast<std::size_t>(std::ranges::count_if(origins_, &Origin::told));
}

std::optional<core::StatementId> AttachedMemory::find(std::uint64_t number) const {
  const auto found = std::ranges::lower_bound(origins_, number, {}, &Origin::number);
  if (found == origins_.end() || found->number != number) return std::nullopt;
  return static_cast<core::StatementId>(found - origins_.begin());
}

narsese::Result<std::optional<core::StatementId>, std::string> AttachedMemory::accept(
    const narsese::Sentence& sentence, bool tells_link, std::size_t stamp_bytes) {
  session_.mutable_memory();  // may drop the index to make room
  // Only looks the sentence up if the list must grow, since the memory will look it up again.
  const bool grows = origins_.size() == origins_.capacity() && !sentence.asks() && !tells_link &&
                     !session_.memory().find(sentence);
  const std::size_t more = grows ? origins_.size() / 2 + 1 : 0, room = session_.room();
  if (more * sizeof(Origin) + stamp_bytes > room)
    return "the memory is full: there are " + std::to_string(room) +
           " bytes left, which do not hold where the sentence comes from";
  origins_.reserve(origins_.size() + more);
  note_bytes();
  auto accepted = session_.accept(sentence, tells_link,
                                  [this](const core::Renumbering& numbers) { follow(numbers.statements); });
  const std::size_t held = session_.memory().statements().size();
  if (origins_.size() < held)
    origins_.push_back({.number = session_.forgetting().state().so_far.statements + held});
  return accepted;
}

// Removes the records of forgotten statements. The remaining statements keep their order and move together.
void AttachedMemory::follow(std::span<const std::uint32_t> numbers) {
  std::size_t left = 0;
  for (std::size_t id = 0; id < origins_.size(); ++id) {
    if (numbers[id] == core::Renumbering::gone) {
      stamp_bytes_ -= origins_[id].stamp.size() * sizeof(std::uint64_t);
      continue;
    }
    if (left != id) origins_[left] = std::move(origins_[id]);
    ++left;
  }
  origins_.resize(left);
}

void AttachedMemory::hear_input(const NarsEvent& event) {
  if (event.kind != NarsEvent::Kind::input || event.stamp.size() != 1 || !event.term) return;
  Input& input = inputs_[event.stamp[0]];
  if (input.term.empty())
    input_bytes_ += bytes_of_input;
  else
    input_bytes_ -= input.term.size();
  input = {narsese::print(*event.term), event.truth.value_or(narsese::TruthValue{}).frequency};
  input_bytes_ += input.term.size();
  const core::MemoryLimits& limits = session_.limits();
  while (inputs_.size() > most_remembered(limits) || input_bytes_ > bytes_beside(limits)) {
    input_bytes_ -= bytes_of_input + inputs_.begin()->second.term.size();
    inputs_.erase(inputs_.begin());  // the oldest
  }
}

void AttachedMemory::forget_inputs() {
  inputs_.clear();
  input_bytes_ = 0;
}

void AttachedMemory::note_bytes() {
  session_.set_external_bytes(kinds_beside * bytes_beside(session_.limits()) +
                              origins_.capacity() * sizeof(Origin) + stamp_bytes_);
}

}  // namespace engram::bridge
