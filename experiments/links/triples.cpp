// SPDX-License-Identifier: MIT
#include "experiments/links/triples.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "experiments/formats/files.hpp"
#include "experiments/imports/table.hpp"
#include "narsese/nal_line.hpp"
#include "narsese/printer.hpp"
#include "narsese/text.hpp"

namespace engram::experiments::links {
namespace {

using narsese::Connector;
using narsese::Copula;
using narsese::NalLine;

// Converts a name of a table to an atom of letters, digits and underscores, which every NARS accepts.
std::string atom_of(std::string_view name) {
  std::string atom(name);
  for (char& c : atom)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))) c = '_';
  return atom.front() >= '0' && atom.front() <= '9' ? "n" + atom : atom;
}

// Converts a table to Narsese line by line, so that line numbers stay the same.
class TableReader {
 public:
  explicit TableReader(std::vector<core::RejectedLine>& rejected) : rejected_(rejected) {}

  std::string narsese(std::istream& table) {
    std::string text, line;
    for (std::size_t number = 1; std::getline(table, line); ++number) {
      if (number == 1 && line.starts_with(narsese::byte_order_mark))
        line.erase(0, narsese::byte_order_mark.size());
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (!line.empty()) text += sentence(line, number);
      text += '\n';
    }
    return text;
  }

 private:
  // Converts a line to a sentence, or to an empty text if the line is rejected.
  std::string sentence(const std::string& line, std::size_t number) {
    const auto fields = fields_of(line);
    if (!fields) return reject(number, fields.error().offset, fields.error().message);
    std::array<std::string, 3> atoms;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string name((*fields)[i]);
      atoms[i] = atom_of(name);
      const auto [known, fresh] = names_.emplace(atoms[i], name);
      if (!fresh && known->second != name)
        return reject(number, static_cast<std::size_t>((*fields)[i].data() - line.data()),
                      "'" + name + "' and '" + known->second + "' would both be the atom " + atoms[i]);
    }
    return "<(" + atoms[0] + " * " + atoms[2] + ") --> " + atoms[1] + ">.";
  }

  std::string reject(std::size_t line, std::size_t column, const std::string& message) {
    rejected_.push_back({line, column + 1, message});
    return {};
  }

  std::vector<core::RejectedLine>& rejected_;
  std::map<std::string, std::string> names_;  // original name of each atom
};

std::optional<Triple> triple_of(const narsese::Sentence& sentence) {
  const narsese::Term term = sentence.term;
  if (sentence.punctuation != narsese::Punctuation::judgment || sentence.truth_or_default().frequency <= 0.5)
    return {};
  if (!term.is(Copula::inheritance) || term.has_variables()) return {};
  const narsese::Term pair = term.subject();
  if (!pair.is(Connector::product) || pair.components().size() != 2) return {};
  return Triple{print(pair.components()[0]), print(term.predicate()), print(pair.components()[1])};
}

// The name of the set with this training split: `umls` for umls/train.tsv and umls_train.nal.
std::string set_name(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  if (stem == "train") return std::filesystem::absolute(file).parent_path().filename().string();
  for (const std::string_view part : {".train", "_train", "-train"})
    if (stem.ends_with(part)) return stem.substr(0, stem.size() - part.size());
  return stem;
}

// Looks up the concepts of entities and the terms of questions in advance, while only one thread runs. Several threads
// must not create terms of the same memory.
void find_terms(LinkSet& set) {
  for (const std::string& entity : set.entities) {
    const auto id = set.memory->known_concept(entity);
    set.concepts.push_back(id && *id ? static_cast<core::Index>(**id) : -1);
  }
  for (const core::Fact& question : set.questions(2)) {
    const auto cue = set.memory->cue(set.narsese(question));
    if (!cue) throw std::logic_error("the question is not Narsese: " + set.narsese(question));
    set.asked[{question.head, question.relation}] = cue->term;
  }
}

}  // namespace

TripleFile load_triples(const Input& input, const core::MemoryOptions& memory) {
  std::ifstream file = open_input(input.path);
  TripleFile result;
  result.session = std::make_unique<core::Session>(memory);
  std::stringstream converted;
  const bool table = input.path.extension() == ".tsv";
  if (table) converted << TableReader(result.rejected).narsese(file);
  std::set<Triple> seen;
  std::istream& in = table ? static_cast<std::istream&>(converted) : file;
  std::vector<core::RejectedLine> others;
  const auto report = result.session->read(in, [&](const NalLine& line) {
    if (line.kind != NalLine::Kind::sentence || line.sentence.asks()) return;
    if (auto triple = triple_of(line.sentence)) {
      if (seen.insert(*triple).second) result.triples.push_back(std::move(*triple));
    } else {
      others.push_back(
          {line.number, 1, "a fact must be a judgment <(head * tail) --> relation>. of frequency above 0.5"});
    }
  });
  require_whole(file, input.path.string());
  for (const auto& more : {report.rejected, others})
    result.rejected.insert(result.rejected.end(), more.begin(), more.end());
  std::ranges::stable_sort(result.rejected, {}, &core::RejectedLine::line);
  return result;
}

std::uint32_t FactNumbers::Numbers::operator()(const std::string& name) {
  const auto [place, fresh] = of.emplace(name, static_cast<std::uint32_t>(names.size()));
  if (fresh) names.push_back(name);
  return place->second;
}

core::Fact FactNumbers::fact_of(const Triple& triple) {
  const std::uint32_t head = entities_(triple.head), relation = relations_(triple.relation);
  return {head, relation, entities_(triple.tail)};
}

LinkAnswers answers_of(std::span<const core::Fact> questions) {
  LinkAnswers answers;
  for (const core::Fact& fact : questions) answers[{fact.head, fact.relation}].push_back(fact.tail);
  for (auto& [question, tails] : answers) {
    std::ranges::sort(tails);
    tails.erase(std::unique(tails.begin(), tails.end()), tails.end());
  }
  return answers;
}

std::string LinkSet::narsese(const core::Fact& question) const {
  const std::uint32_t m = relation_count();
  const bool forward = question.relation < m;
  const std::string& known = entities.at(question.head);
  return "<(" + (forward ? known + " * ?1" : "?1 * " + known) + ") --> " +
         relations.at(question.relation % m) + ">?";
}

LinkSet load_link_set(const std::array<Input, 3>& files, const core::MemoryOptions& memory,
                      Rejections& rejections) {
  LinkSet set;
  set.files = files;
  set.name = set_name(files[0].path);
  FactNumbers numbers;
  std::set<Triple> known;
  for (std::size_t split = 0; split < 3; ++split) {
    set.sha256[split] = sha256_of_file(files[split].path);
    TripleFile file = load_triples(files[split], memory);
    std::size_t twice = 0;
    for (const Triple& triple : file.triples) {
      if (!known.insert(triple).second) ++twice;
      set.splits[split].push_back(numbers.fact_of(triple));
    }
    if (twice > 0)
      file.rejected.push_back({1, 1, std::to_string(twice) + " facts also occur in an earlier split"});
    if (file.triples.empty())
      file.rejected.push_back(
          {1, 1, "the file must contain facts <(head * tail) --> relation>., found none"});
    for (const core::RejectedLine& line : file.rejected) rejections.emplace_back(files[split].name, line);
    if (split == 0) set.memory = std::move(file.session);
  }
  set.entities = numbers.entities();
  set.relations = numbers.relations();
  std::vector<core::Fact> all;
  for (std::size_t split = 0; split < 3; ++split)
    for (const core::Fact& fact : set.questions(split)) all.push_back(fact);
  set.answers = answers_of(all);
  find_terms(set);
  return set;
}

}  // namespace engram::experiments::links
