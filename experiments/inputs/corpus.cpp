// SPDX-License-Identifier: MIT
#include "experiments/inputs/corpus.hpp"

#include <algorithm>

#include "experiments/formats/files.hpp"

namespace engram::experiments {
namespace {

using narsese::Expectation;
using narsese::NalLine;

// Premises are named below the question, and may stand anywhere in the file: they are looked up at its end.
struct NamedPremise {
  std::size_t question;
  std::size_t line;
  std::optional<narsese::Sentence> sentence;
};

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
  std::vector<core::RejectedLine> orphans;  // premises of no question
  const auto observe = [&](const NalLine& line) {
    if (line.kind == NalLine::Kind::sentence && line.sentence.asks()) {
      corpus.questions.push_back({line.number, line.sentence, {}, {}});
    } else if (line.kind == NalLine::Kind::sentence) {
      corpus.said.push_back(line.sentence);
      corpus.lines.resize(corpus.session->memory().statements().size(), line.number);
    } else if (line.kind == NalLine::Kind::expectation && corpus.questions.empty()) {
      for (const narsese::ParseWarning& warning : line.warnings)
        orphans.push_back({line.number, warning.column, warning.message});
    } else if (line.kind == NalLine::Kind::expectation) {
      const Expectation& expectation = line.expectation;
      if (expectation.kind == Expectation::Kind::needed)
        premises.push_back({corpus.questions.size() - 1, line.number, expectation.sentence});
      const bool answer =
          expectation.kind == Expectation::Kind::answer || expectation.kind == Expectation::Kind::contains;
      if (answer && expectation.sentence && expectation.text != "None.")  // ONA: no answer is expected
        corpus.questions.back().expected.push_back(*expectation.sentence);
    }
  };
  corpus.rejected = corpus.session->input(in, observe).rejected;
  corpus.rejected.insert(corpus.rejected.end(), orphans.begin(), orphans.end());

  const auto statements = corpus.session->memory().statements();
  for (const NamedPremise& premise : premises) {
    const auto found = std::ranges::find_if(statements, [&](const core::Statement& statement) {
      return premise.sentence && statement.sentence.term == premise.sentence->term;
    });
    if (found == statements.end())
      corpus.rejected.push_back({premise.line, 1, "what is needed must be a statement of this file"});
    else
      corpus.questions[premise.question].needed.push_back(
          static_cast<core::StatementId>(found - statements.begin()));
  }
  return corpus;
}

void add_rejections(Rejections& all, const Corpus& corpus) {
  for (const core::RejectedLine& line : corpus.rejected) all.emplace_back(corpus.name, line);
}

}  // namespace engram::experiments
