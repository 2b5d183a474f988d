// SPDX-License-Identifier: MIT
#include "experiments/inputs/corpus.hpp"

#include <unordered_map>
#include <unordered_set>

#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "narsese/printer.hpp"
#include "narsese/similar_names.hpp"
#include "narsese/term.hpp"

namespace engram::experiments {
namespace {

using narsese::Expectation;
using narsese::NalLine;

// A premise named by a `//needed:` line. It may refer to a later statement, so it is resolved at the end of the file.
struct NamedPremise {
  std::size_t question;
  std::size_t proof;
  std::size_t line;
  std::string text;  // as written
  std::optional<narsese::Sentence> sentence;
  bool may_be_lost = false;  // the file states it, though the memory may have lost it
};

struct TermHash {
  std::size_t operator()(narsese::Term term) const { return term.hash(); }
};

// Creates messages for `//needed:` lines that match no statement, with the nearest statement as a suggestion.
class UnknownPremise {
 public:
  explicit UnknownPremise(const Corpus& corpus) : corpus_(corpus) {}

  core::RejectedLine rejected(const NamedPremise& premise) {
    const std::string text = premise.sentence ? narsese::print(premise.sentence->term) : premise.text;
    std::string message =
        "//needed: names no statement of this file: '" + shortened(legible(text), 200) + "'";
    if (told_++ < most_compared) message += nearest(text);
    return {premise.line, 1, message};
  }

 private:
  // Limits, because each comparison costs O(statements).
  static constexpr std::size_t most_compared = 10, most_statements = 200'000, longest = 400;

  std::string nearest(const std::string& text) {
    if (text.size() > longest) return "";
    const auto& statements = corpus_.session->memory().statements();
    while (texts_.size() < std::min(statements.size(), most_statements)) {
      const auto id = static_cast<core::StatementId>(texts_.size());
      std::string statement = narsese::print(statements[id].sentence.term);
      texts_.push_back(statement.size() > longest ? "" : std::move(statement));
    }
    const std::string found = narsese::nearest_name(text, texts_);
    if (found.empty()) return "";
    const auto id = static_cast<std::size_t>(std::ranges::find(texts_, found) - texts_.begin());
    return "; the nearest is '" + legible(found) + "' in line " + std::to_string(corpus_.lines[id]);
  }

  const Corpus& corpus_;
  std::vector<std::string> texts_;  // texts of the statements, printed when needed
  std::size_t told_ = 0;
};

// Resolves the premises to statements. A proof with an unknown premise is dropped as a whole.
void add_proofs(const std::vector<NamedPremise>& premises, Corpus& corpus) {
  std::unordered_map<narsese::Term, core::StatementId, TermHash> ids;
  const auto& statements = corpus.session->memory().statements();
  for (core::StatementId id = 0; id < statements.size(); ++id) ids.emplace(statements[id].sentence.term, id);
  UnknownPremise unknown(corpus);
  for (std::size_t i = 0; i < premises.size();) {
    const NamedPremise& first = premises[i];
    Question::Proof proof;
    bool whole = true;
    for (; i < premises.size() && premises[i].question == first.question && premises[i].proof == first.proof;
         ++i) {
      const auto& sentence = premises[i].sentence;
      auto found = sentence ? ids.find(sentence->term) : ids.end();
      if (found == ids.end() && premises[i].may_be_lost) {
        found = ids.emplace(sentence->term, statements.size() + corpus.lost.size()).first;
        corpus.lost.push_back(*sentence);
      }
      whole = whole && found != ids.end();
      if (found == ids.end())
        corpus.rejected.push_back(unknown.rejected(premises[i]));
      else
        proof.push_back(found->second);
    }
    if (whole) corpus.questions[first.question].proofs.push_back(std::move(proof));
  }
}

narsese::Sentence copied(narsese::Sentence sentence, narsese::TermTable& to) {
  sentence.term = narsese::TermCopies(to)(sentence.term);
  return sentence;
}

}  // namespace

Corpus load_corpus(const Input& input, const core::MemoryOptions& memory, CorpusForgetting forgetting) {
  std::ifstream file = open_input(input.path);
  Corpus corpus = read_corpus(file, input.name, memory, forgetting);
  require_whole(file, input.path.string());
  return corpus;
}

Corpus read_corpus(std::istream& in, const std::string& name, const core::MemoryOptions& memory,
                   CorpusForgetting forgetting) {
  Corpus corpus;
  corpus.name = name;
  corpus.session = std::make_unique<core::Session>(
      memory, core::ForgettingOptions{.policy = forgetting.value_or(core::ForgettingPolicy::none)});
  std::vector<NamedPremise> premises;
  std::size_t proof = 0;                    // number of the current proof of the last question
  std::vector<core::RejectedLine> orphans;  // lines before the first question
  // A memory that forgets releases the terms of forgotten statements between lines, so this table keeps them.
  if (forgetting) corpus.terms = std::make_shared<narsese::TermTable>();
  const auto lasting = [&](const narsese::Sentence& sentence) {
    return forgetting ? copied(sentence, *corpus.terms) : sentence;
  };
  const auto observe = [&](const NalLine& line) {
    if (line.kind == NalLine::Kind::sentence && line.sentence.asks()) {
      corpus.questions.push_back({line.number, lasting(line.sentence), {}});
      proof = 0;
    } else if (line.kind == NalLine::Kind::sentence) {
      corpus.said.push_back(lasting(line.sentence));
      corpus.lines.resize(corpus.held(), line.number);
    } else if (line.kind == NalLine::Kind::expectation && corpus.questions.empty()) {
      for (const narsese::ParseWarning& warning : line.warnings)
        orphans.push_back({line.number, warning.column, warning.message});
    } else if (line.kind == NalLine::Kind::expectation) {
      const Expectation& expectation = line.expectation;
      const auto sentence =
          expectation.sentence ? std::optional(lasting(*expectation.sentence)) : std::nullopt;
      if (expectation.kind == Expectation::Kind::needed)
        premises.push_back({corpus.questions.size() - 1, proof, line.number, expectation.text, sentence});
      if (expectation.kind == Expectation::Kind::alternative) ++proof;
      const bool answer =
          expectation.kind == Expectation::Kind::answer || expectation.kind == Expectation::Kind::contains;
      if (expectation.expects_none())
        corpus.questions.back().refuted = true;
      else if (answer && sentence)
        corpus.questions.back().expected.push_back(*sentence);
    }
  };
  const auto follow = [&](const core::Renumbering& numbers) {
    corpus.forgotten.look(*corpus.session);
    std::size_t left = 0;
    for (std::size_t id = 0; id < corpus.lines.size(); ++id)
      if (numbers.statements[id] != core::Renumbering::gone) corpus.lines[left++] = corpus.lines[id];
    corpus.lines.resize(left);
  };
  corpus.rejected = corpus.session->read(in, observe, follow).rejected;
  corpus.rejected.insert(corpus.rejected.end(), orphans.begin(), orphans.end());

  if (forgetting) {  // reading is done: copy the terms to the table of the memory, as cues require
    std::unordered_set<narsese::Term, TermHash> said;
    for (const narsese::Sentence& sentence : corpus.said) said.insert(sentence.term);
    const auto in_memory = [&](const narsese::Sentence& sentence) {
      return copied(sentence, corpus.session->mutable_memory().terms());
    };
    for (NamedPremise& premise : premises) {
      if (!premise.sentence) continue;
      premise.may_be_lost = said.contains(premise.sentence->term);
      premise.sentence = in_memory(*premise.sentence);
    }
    for (Question& question : corpus.questions) {
      question.sentence = in_memory(question.sentence);
      for (narsese::Sentence& expected : question.expected) expected = in_memory(expected);
    }
  }
  add_proofs(premises, corpus);
  return corpus;
}

void add_rejections(Rejections& all, const Corpus& corpus) {
  for (const core::RejectedLine& line : corpus.rejected) all.emplace_back(corpus.name, line);
}

}  // namespace engram::experiments
