// SPDX-License-Identifier: MIT
#include "bridge/durable/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <utility>

#include "bridge/files/sha256.hpp"
#include "bridge/snapshots/binary_format.hpp"

namespace engram::bridge {
namespace {

constexpr std::size_t digits = 16, head_bytes = 32;  // of a checksum; of a header before its checksum
constexpr std::size_t whole_head = head_bytes + digits;

std::string check_of(std::string_view bytes) { return sha256_of_text(bytes).substr(0, digits); }

}  // namespace

Journal::Journal(const std::filesystem::path& path, std::uint64_t generation, std::uint64_t first)
    : path_(path) {
  std::string head = binary_format::beginning(binary_format::journal_magic);
  put_number(head, generation);
  put_number(head, first);
  // Creates the file atomically, because a journal with an incomplete header would be unusable.
  write_file(path, head + check_of(head), private_mode);
  descriptor_ = open_file(path, O_WRONLY | O_APPEND);
}

Journal::Journal(const std::filesystem::path& path, const JournalFacts& read)
    : path_(path), descriptor_(open_file(path, O_WRONLY | O_APPEND)) {
  if (read.incomplete == 0) return;
  errno = 0;
  if (ftruncate(descriptor_.number(), static_cast<off_t>(read.bytes)) != 0) throw_file_error(path);
  sync(descriptor_.number(), path);
}

std::string Journal::framed(std::string_view record, std::uint64_t number) {
  std::string bytes;
  put_number(bytes, std::uint64_t{record.size()});
  put_number(bytes, number);
  bytes += check_of(record);
  bytes += check_of(bytes);
  bytes += record;
  return bytes;
}

void Journal::append(std::string_view records) {
  write_all(descriptor_.number(), records, path_);
  sync_data(descriptor_.number(), path_);
}

JournalFacts read_journal(const std::filesystem::path& path, const std::function<void(ByteReader&)>& record) {
  const MappedFile file(path);
  const std::string_view all = file.bytes();
  ByteReader begin(all);
  JournalFacts facts;
  binary_format::read_beginning(begin, binary_format::journal_magic, "journal");
  facts.generation = begin.number<std::uint64_t>("a generation");
  facts.first = facts.next = begin.number<std::uint64_t>("the number of the first record");
  if (all.size() < whole_head || check_of(all.substr(0, head_bytes)) != all.substr(head_bytes, digits))
    throw ByteError(0, "the header of the journal is damaged");
  for (facts.bytes = whole_head; facts.bytes < all.size();) {
    const std::string_view rest = all.substr(facts.bytes);
    const bool is_zero = rest.find_first_not_of('\0') == rest.npos;
    if (is_zero || rest.size() < whole_head) break;
    if (check_of(rest.substr(0, head_bytes)) != rest.substr(head_bytes, digits))
      throw ByteError(facts.bytes, "the header of a record is damaged");
    ByteReader head(rest, facts.bytes);
    const auto length = head.number<std::uint64_t>("a length");
    const auto number = head.number<std::uint64_t>("a number");
    if (number != facts.next)
      throw ByteError(facts.bytes,
                      "expected record " + std::to_string(facts.next) + ", found " + std::to_string(number));
    if (length > rest.size() - whole_head) break;
    const std::string_view content = rest.substr(whole_head, length);
    if (check_of(content) != rest.substr(head_bytes - digits, digits))
      throw ByteError(facts.bytes, "record " + std::to_string(number) + " is damaged");
    ByteReader reader(content, facts.bytes + whole_head);
    record(reader);
    facts.bytes += whole_head + length;
    ++facts.next;
  }
  facts.incomplete = all.size() - facts.bytes;
  return facts;
}

// --- changes ----------------------------------------------------------------------------------------------

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
  const auto bits =
      bytes.array<std::uint8_t>("flags of forgotten statements", (size + 7) / 8, (size + 7) / 8);
  std::vector<bool> statements(size), links(memory.graph().hebbian_links().size());
  for (std::size_t e = 0; e < size; ++e) statements[e] = (bits[e / 8] >> e % 8 & 1) == 0;
  const auto told = bytes.array<std::uint32_t>("kept links", 0, links.size());
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (told[i] >= links.size()) told.refuse(i, "a link");
    links[told[i]] = true;
  }
  session.keep(statements, links, static_cast<core::ForgettingReason>(reason));
}

}  // namespace

void ChangesWriter::begin() {
  *this = {};  // a replay starts with the reset
  kinds_.push_back(began);
}

void ChangesWriter::accept(const narsese::Sentence& said, bool tells_link) {
  sentences_.add(said, terms_.add(said.term));
  kinds_.push_back(tells_link ? link : sentence);
}

void ChangesWriter::advance(core::Time passed) {
  cycles_.push_back(passed);
  kinds_.push_back(cycles);
}

void ChangesWriter::allocate(core::AllocationOf of, const core::SparseVector& budget) {
  binary_format::put_budget(rest_, budget);
  kinds_.push_back(of == core::AllocationOf::concepts ? concept_budget : statement_budget);
}

void ChangesWriter::keep(const std::vector<bool>& statements, const std::vector<bool>& links,
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

std::string ChangesWriter::take() {
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
  const std::vector<narsese::Term> terms = read_terms(bytes, most_changes, table).terms;
  SentencesReader written(bytes, terms, table, most_changes);
  std::vector<narsese::Sentence> sentences;
  while (sentences.size() < written.size()) sentences.push_back(written.next());
  written.require_end();
  auto passed = bytes.array<std::uint64_t>("cycles", 0, kinds.size());
  std::size_t said = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::uint8_t kind = kinds[i];
    if (kind == sentence || kind == link) {
      if (said == sentences.size())
        kinds.refuse(i, "a change other than a sentence, because no sentence is left");
      if (const auto accepted = session.accept(sentences[said++], kind == link); !accepted)
        throw std::runtime_error(
            "journal replay rejected a sentence that was accepted when it was written: " + accepted.error());
    } else if (kind == cycles) {
      session.mutable_memory().advance(passed.next("the cycles that passed"));
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
  passed.require_end("cycles");
  if (said != sentences.size() || !bytes.at_end()) bytes.refuse("the end of the changes", "more");
}

}  // namespace engram::bridge
