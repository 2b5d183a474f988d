// SPDX-License-Identifier: MIT
#include "experiments/inputs/corpus.hpp"

#include <unordered_map>

#include "experiments/formats/files.hpp"

namespace engram::experiments {
namespace {

using narsese::Expectation;
using narsese::NalLine;

// Premises are named below the question, and may stand anywhere in the file: they are looked up at its end.
struct NamedPremise {
  std::size_t question;
  std::size_t proof;
  std::size_t line;
  std::optional<narsese::Sentence> sentence;
};

struct TermHash {
  std::size_t operator()(narsese::Term term) const { return term.hash(); }
};

// Of a proof that names something else than a statement nothing is kept: half a proof is none.
void add_proofs(const std::vector<NamedPremise>& premises, Corpus& corpus) {
  std::unordered_map<narsese::Term, core::StatementId, TermHash> ids;
  const auto& statements = corpus.session->memory().statements();
  for (core::StatementId id = 0; id < statements.size(); ++id) ids.emplace(statements[id].sentence.term, id);
  for (std::size_t i = 0; i < premises.size();) {
    const NamedPremise& first = premises[i];
    Question::Proof proof;
    bool whole = true;
    for (; i < premises.size() && premises[i].question == first.question && premises[i].proof == first.proof;
         ++i) {
      const auto found = premises[i].sentence ? ids.find(premises[i].sentence->term) : ids.end();
      whole = whole && found != ids.end();
      if (found == ids.end())
        corpus.rejected.push_back({premises[i].line, 1, "what is needed must be a statement of this file"});
      else
        proof.push_back(found->second);
    }
    if (whole) corpus.questions[first.question].proofs.push_back(std::move(proof));
  }
}

}  // namespace

Corpus load_corpus(const Input& input, const core::MemoryOptions& memory) {
  std::ifstream file = open_input(input.path);
  Corpus corpus = read_corpus(file, input.name, memory);
  require_whole(file, input.path.string());
  return corpus;
}

Corpus read_corpus(std::istream& in, const std::string& name, const core::MemoryOptions& memory) {
  Corpus corpus;
  corpus.name = name;
  corpus.session = std::make_unique<core::Session>(memory);
  std::vector<NamedPremise> premises;
  std::size_t proof = 0;                    // of the last question
  std::vector<core::RejectedLine> orphans;  // premises of no question
  const auto observe = [&](const NalLine& line) {
    if (line.kind == NalLine::Kind::sentence && line.sentence.asks()) {
      corpus.questions.push_back({line.number, line.sentence, {}});
      proof = 0;
    } else if (line.kind == NalLine::Kind::sentence) {
      corpus.said.push_back(line.sentence);
      corpus.lines.resize(corpus.session->memory().statements().size(), line.number);
    } else if (line.kind == NalLine::Kind::expectation && corpus.questions.empty()) {
      for (const narsese::ParseWarning& warning : line.warnings)
        orphans.push_back({line.number, warning.column, warning.message});
    } else if (line.kind == NalLine::Kind::expectation) {
      const Expectation& expectation = line.expectation;
      if (expectation.kind == Expectation::Kind::needed)
        premises.push_back({corpus.questions.size() - 1, proof, line.number, expectation.sentence});
      if (expectation.kind == Expectation::Kind::alternative) ++proof;
      const bool answer =
          expectation.kind == Expectation::Kind::answer || expectation.kind == Expectation::Kind::contains;
      if (expectation.expects_none())
        corpus.questions.back().refuted = true;
      else if (answer && expectation.sentence)
        corpus.questions.back().expected.push_back(*expectation.sentence);
    }
  };
  corpus.rejected = corpus.session->input(in, observe).rejected;
  corpus.rejected.insert(corpus.rejected.end(), orphans.begin(), orphans.end());

  add_proofs(premises, corpus);
  return corpus;
}

void add_rejections(Rejections& all, const Corpus& corpus) {
  for (const core::RejectedLine& line : corpus.rejected) all.emplace_back(corpus.name, line);
}

}  // namespace engram::experiments
