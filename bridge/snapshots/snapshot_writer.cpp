// SPDX-License-Identifier: MIT
#include <system_error>

#include "bridge/files/files.hpp"
#include "bridge/files/sha256.hpp"
#include "bridge/snapshots/snapshot.hpp"
#include "bridge/snapshots/snapshot_format.hpp"
#include "core/graph/memory_image.hpp"

namespace engram::bridge {
namespace {

namespace fs = std::filesystem;
using core::ConceptId;
using core::MemoryImage;
using narsese::Sentence;
using narsese::Term;

// Checks that written text parses back to the original term or sentence. The term table for this is separate, and is
// cleared when it grows large.
class Proof {
 public:
  void sentence(const Sentence& meant, const std::string& text) {
    narsese::Parser parser(narsese::Dialect::any, snapshot_format::parse_limits());
    auto read = parser.sentence(text, table()).result;
    bool same = read && compare(read->term, meant.term) == 0;
    if (same) {
      Sentence rest = *read;
      rest.term = meant.term;
      same = rest == meant;
    }
    require(same, text);
  }
  void term(Term meant, const std::string& text) {
    const auto read = narsese::parse_term(snapshot_format::between_brackets(text), table(),
                                          snapshot_format::parse_limits());
    require(read && read->is(narsese::Copula::inheritance) && compare(read->subject(), meant) == 0, text);
  }

 private:
  narsese::TermTable& table() {
    constexpr std::size_t large = std::size_t{1} << 22;
    if (table_.memory_bytes() > large) table_ = narsese::TermTable();
    return table_;
  }
  static void require(bool holds, const std::string& text) {
    if (!holds) throw SnapshotError(0, "what was said cannot be written so that it reads as it is: " + text);
  }

  narsese::TermTable table_;
};

// Cost of creating, checking and writing a line.
constexpr std::uint64_t steps_a_line = 5000, steps_a_byte = 20;

class Writer {
 public:
  Writer(const core::Session& session, WholeFile& file)
      : session_(session),
        memory_(session.memory()),
        image_claim_(core::image_bytes(memory_)),
        image_(memory_.image()),
        file_(file) {}

  SnapshotFacts write() {
    header();
    origins();
    concepts_and_links();
    if (image_.learner) learner(*image_.learner);
    budget("concepts", session_.budget(core::AllocationOf::concepts));
    budget("statements", session_.budget(core::AllocationOf::statements));
    text(snapshot_format::end_line(lines_, hasher_.digest()));
    return {bytes_, hasher_.digest()};
  }

 private:
  void text(std::string line) {
    if (line.size() > snapshot_format::max_line_bytes)
      throw SnapshotError(0, "a sentence is too long for a snapshot: " + line.substr(0, 100));
    core::charge(steps_a_line + steps_a_byte * line.size());
    line += '\n';
    file_.add(line);
    hasher_.add(line);
    bytes_ += line.size();
    ++lines_;
  }
  void line(const Json& json) { text(json.dump()); }

  void header() { line(snapshot_format::header(session_, image_)); }

  // Writes the lines that create the concepts, in order. A statement creates all concepts of its term that do not exist
  // yet.
  void origins() {
    for (const core::Statement& statement : image_.statements) {
      const Term term = statement.sentence.term;
      if (term.kind() != narsese::TermKind::variable) terms_before(term);
      const std::string said = narsese::print(statement.sentence);
      proof_.sentence(statement.sentence, said);
      Json json = {{"statement", said}, {"evidence", statement.evidence}};
      if (statement.denied > 0) json["denied"] = statement.denied;
      json.update({{"times", statement.times}, {"updated", statement.updated}});
      line(json);
    }
    terms_up_to(static_cast<ConceptId>(memory_.graph().size()));
  }

  void terms_up_to(ConceptId end) {
    for (; made_ < end; ++made_) {
      const Term term = memory_.graph()[made_].term;
      const std::string name = narsese::print(term);
      proof_.term(term, name);
      line({{"term", name}});
    }
  }

  // Writes lines for the concepts that existed before this statement and were created without a sentence, as ends of a
  // link.
  void terms_before(Term term) {
    const ConceptId root = id_of(term);
    if (root < made_) return;
    std::vector<ConceptId> order;
    std::vector<bool> met(root - made_ + std::size_t{1}, false);
    collect_new(term, order, met);
    // The sentence created the last concepts, consecutively and in this order. Concepts before a gap are older.
    ConceptId first = root + 1;
    for (auto id = order.rbegin(); id != order.rend(); ++id)
      if (*id + 1 == first) first = *id;
    terms_up_to(first);
    made_ = root + 1;
  }

  // Collects the concepts of a term with IDs of at least made_, in the order in which the term creates them.
  void collect_new(Term term, std::vector<ConceptId>& order, std::vector<bool>& met) const {
    const ConceptId id = id_of(term);
    if (id < made_ || met[id - made_]) return;
    for (const Term component : term.components())
      if (component.kind() != narsese::TermKind::variable) collect_new(component, order, met);
    met[id - made_] = true;
    order.push_back(id);
  }

  ConceptId id_of(Term term) const { return memory_.graph().find(term).value(); }

  void concepts_and_links() {
    std::size_t written = 0;
    const auto concepts_up_to = [&](std::size_t end) {
      for (; written < end; ++written) concept_line(static_cast<ConceptId>(written));
    };
    for (std::size_t k = 0; k < image_.graph.links.size(); ++k) {
      concepts_up_to(image_.graph.concepts_before[k]);
      const core::HebbianLink& link = image_.graph.links[k];
      Json json = {{"link", Json::array({link.source, link.target})}, {"together", link.together}};
      if (link.denied > 0) json["apart"] = link.denied;
      json.update({{"told", Json::array({link.judged.frequency, link.judged.confidence})},
                   {"updated", link.updated}});
      line(json);
    }
    concepts_up_to(image_.graph.concepts.size());
  }

  void concept_line(ConceptId id) {
    const core::Concept& node = image_.graph.concepts[id];
    Json json = {{"concept", id}};
    if (node.term.complexity() <= snapshot_format::most_nodes_shown) json["name"] = narsese::print(node.term);
    json.update({{"activity", node.activity}, {"told", node.judged}, {"updated", node.updated}});
    line(json);
  }

  void learner(const core::LearnerImage& learner) {
    line({{"learner", learner.units.size()},
          {"evidence", learner.total},
          {"step", learner.step},
          {"updated", learner.last}});
    for (std::size_t id = 0; id < learner.units.size(); ++id) {
      const auto& unit = learner.units[id];
      line({{"unit", id}, {"level", unit.level}, {"step", unit.step}, {"updated", unit.time}});
    }
    for (const auto& link : learner.links)
      line({{"learnt", Json::array({link.to, link.from})}, {"weight", link.weight}, {"step", link.step}});
    for (const ConceptId id : learner.before) line({{"before", id}});
  }

  void budget(const char* of, const core::Vector& shares) {
    if (shares.size() == 0) return;
    line({{"budget", of}, {"size", shares.size()}});
    for (core::Index i = 0; i < shares.size(); ++i)
      if (shares[i] != 0) line({{"share", Json::array({i, shares[i]})}});
  }

  const core::Session& session_;
  const core::Memory& memory_;
  const core::Reservation image_claim_;
  const MemoryImage image_;
  WholeFile& file_;
  Sha256 hasher_;
  std::uintmax_t bytes_ = 0;
  std::size_t lines_ = 0;
  ConceptId made_ = 0;  // number of concepts created by the lines so far
  Proof proof_;
};

}  // namespace

SnapshotFacts snapshot_format::write_lines(const core::Session& session, WholeFile& file) {
  return Writer(session, file).write();
}

}  // namespace engram::bridge
