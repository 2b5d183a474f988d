// SPDX-License-Identifier: MIT
#include "bridge/durable/changes.hpp"

#include <limits>
#include <utility>

#include "bridge/snapshots/binary_format.hpp"

namespace engram::bridge {
namespace {

enum Kind : std::uint8_t { began, sentence, link, cycles, concept_budget, statement_budget, forgotten };

constexpr std::size_t most_changes = std::numeric_limits<std::uint32_t>::max();

void set_budget(core::Session& session, bool of_concepts, core::Vector budget) {
  core::Vector concepts = session.budget(core::AllocationOf::concepts);
  core::Vector statements = session.budget(core::AllocationOf::statements);
  (of_concepts ? concepts : statements) = std::move(budget);
  core::Memory memory = std::move(session.mutable_memory());
  session.restore(std::move(memory), std::move(concepts), std::move(statements),
                  session.forgetting().state());
}

void read_forgotten(ByteReader& bytes, core::Session& session) {
  const core::Memory& memory = session.memory();
  const auto reason = bytes.number<std::uint64_t>("the reason of forgetting");
  if (reason >= core::forgetting_reasons.size())
    bytes.refuse("a reason of forgetting", std::to_string(reason));
  const std::size_t size = memory.statements().size();
  if (const auto found = bytes.number<std::uint64_t>("the number of statements"); found != size)
    bytes.refuse(std::to_string(size) + " statements", std::to_string(found));
  const auto bits = bytes.array<std::uint8_t>("statements that went", (size + 7) / 8, (size + 7) / 8);
  std::vector<bool> statements(size), links(memory.graph().hebbian_links().size());
  for (std::size_t e = 0; e < size; ++e) statements[e] = (bits[e / 8] >> e % 8 & 1) == 0;
  const auto told = bytes.array<std::uint32_t>("links that stayed", 0, links.size());
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (told[i] >= links.size()) told.refuse(i, "a link");
    links[told[i]] = true;
  }
  session.keep(statements, links, static_cast<core::ForgettingReason>(reason));
}

}  // namespace

void ChangesOut::begin() {
  *this = {};  // a replay starts with the reset
  kinds_.push_back(began);
}

void ChangesOut::accept(const narsese::Sentence& said, bool tells_link) {
  sentences_.add(said, terms_.add(said.term));
  kinds_.push_back(tells_link ? link : sentence);
}

void ChangesOut::advance(core::Time passed) {
  cycles_.push_back(passed);
  kinds_.push_back(cycles);
}

void ChangesOut::allocate(core::AllocationOf of, const core::Vector& budget) {
  binary_format::put_budget(rest_, budget);
  kinds_.push_back(of == core::AllocationOf::concepts ? concept_budget : statement_budget);
}

void ChangesOut::keep(const std::vector<bool>& statements, const std::vector<bool>& links,
                      core::ForgettingReason reason) {
  std::vector<std::uint8_t> gone((statements.size() + 7) / 8);
  for (std::size_t e = 0; e < statements.size(); ++e)
    if (!statements[e]) gone[e / 8] = static_cast<std::uint8_t>(gone[e / 8] | 1U << e % 8);
  std::vector<std::uint32_t> told;
  for (std::size_t k = 0; k < links.size(); ++k)
    if (links[k]) told.push_back(static_cast<std::uint32_t>(k));
  put_number(rest_, static_cast<std::uint64_t>(reason));
  put_number(rest_, std::uint64_t{statements.size()});
  put_array(rest_, gone);
  put_array(rest_, told);
  kinds_.push_back(forgotten);
}

std::string ChangesOut::take() {
  std::string bytes;
  put_array(bytes, kinds_);
  terms_.write(bytes);
  sentences_.write(bytes);
  put_array(bytes, cycles_);
  bytes += rest_;
  *this = {};
  return bytes;
}

void replay(ByteReader& bytes, core::Session& session) {
  const core::Session::Request request(session);
  const auto kinds = bytes.array<std::uint8_t>("changes", 1, most_changes);
  if (kinds[0] == began) session.reset();
  narsese::TermTable& table = session.mutable_memory().terms();
  const std::vector<narsese::Term> terms = TermsIn(bytes, most_changes).made_in(table);
  SentencesIn written(bytes, terms, table, most_changes);
  std::vector<narsese::Sentence> sentences;
  while (sentences.size() < written.size()) sentences.push_back(written.next());
  written.end();
  const auto passed = bytes.array<std::uint64_t>("cycles", 0, kinds.size());
  std::size_t said = 0, waited = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::uint8_t kind = kinds[i];
    if (kind == sentence || kind == link) {
      if (said == sentences.size()) kinds.refuse(i, "a change that is no further sentence");
      if (const auto accepted = session.accept(sentences[said++], kind == link); !accepted)
        throw std::runtime_error("what was taken in once is refused now: " + accepted.error());
    } else if (kind == cycles) {
      if (waited == passed.size()) kinds.refuse(i, "a change that is no further time");
      session.mutable_memory().advance(passed[waited++]);
    } else if (kind == concept_budget || kind == statement_budget) {
      const bool of_concepts = kind == concept_budget;
      const core::Memory& memory = session.memory();
      set_budget(session, of_concepts,
                 binary_format::read_budget(
                     bytes, of_concepts ? memory.graph().size() : memory.statements().size()));
    } else if (kind == forgotten) {
      read_forgotten(bytes, session);
    } else if (kind != began || i > 0) {
      kinds.refuse(i, "a kind of change");
    }
  }
  if (said != sentences.size() || waited != passed.size() || !bytes.at_end())
    bytes.refuse("the end of the changes", "more");
}

}  // namespace engram::bridge
