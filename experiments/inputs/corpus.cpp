// SPDX-License-Identifier: MIT
#include "experiments/inputs/corpus.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "narsese/printer.hpp"
#include "narsese/similar_names.hpp"
#include "narsese/term.hpp"

namespace engram::experiments {

std::uint64_t ForgottenOverTime::Moment::count() const {
  return std::accumulate(times.begin(), times.end(), std::uint64_t{0});
}

void ForgottenOverTime::Moment::take(Moment later) {
  to = later.to;
  left = later.left;
  for (std::size_t r = 0; r < times.size(); ++r) times[r] += later.times[r];
  statements += later.statements;
  concepts += later.concepts;
  links += later.links;
  examples = std::move(later.examples);
}

void ForgottenOverTime::add(const core::ForgettingEvent& event) {
  Moment moment{event.when,
                event.when,
                {},
                event.left + event.statements,
                event.left,
                event.statements,
                event.concepts,
                event.links,
                event.examples};
  moment.times[static_cast<std::size_t>(event.reason)] = 1;
  if (!moments_.empty() && moments_.back().count() < times_each_)
    moments_.back().take(std::move(moment));
  else
    moments_.push_back(std::move(moment));
  ++seen_;
  if (moments_.size() <= most) return;
  std::vector<Moment> halved;
  for (std::size_t i = 0; i < moments_.size(); i += 2) {
    halved.push_back(std::move(moments_[i]));
    if (i + 1 < moments_.size()) halved.back().take(std::move(moments_[i + 1]));
  }
  moments_ = std::move(halved);
  times_each_ *= 2;
}

void ForgottenOverTime::update(const core::Session& session) {
  const core::ForgettingHistory& so_far = session.forgetting().state().so_far;
  const auto all = std::accumulate(so_far.times.begin(), so_far.times.end(), std::uint64_t{0});
  const auto fresh = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(all - seen_, so_far.recent.size()));
  for (auto event = so_far.recent.end() - fresh; event != so_far.recent.end(); ++event) add(*event);
  seen_ = all;
}

Json ForgottenOverTime::times_json(const Times& times) {
  Json json = Json::object();
  for (const auto& reason : core::forgetting_reasons)
    if (const auto count = times[static_cast<std::size_t>(reason.value)]; count > 0)
      json[std::string(reason.name)] = count;
  return json;
}

Json ForgottenOverTime::json(const core::Session& session) const {
  const core::Forgetting& forgetting = session.forgetting();
  const core::ForgettingHistory& so_far = forgetting.state().so_far;
  Json moments = Json::array();
  for (const Moment& moment : moments_)
    moments.push_back({{"from", moment.from},
                       {"to", moment.to},
                       {"times", times_json(moment.times)},
                       {"before", moment.before},
                       {"left", moment.left},
                       {"statements", moment.statements},
                       {"concepts", moment.concepts},
                       {"links", moment.links},
                       {"examples", moment.examples}});
  return {{"policy", name_of(core::forgetting_policies, forgetting.options().policy)},
          {"statements", so_far.statements},
          {"concepts", so_far.concepts},
          {"links", so_far.links},
          {"times", times_json(so_far.times)},
          {"cycles", session.memory().now()},
          {"held", session.memory().statements().size()},
          {"moments", moments}};
}

namespace {

using narsese::Expectation;
using narsese::NalLine;

// A premise named by a `//needed:` line. It may refer to a later statement, so it is resolved at the end of the file.
struct NamedPremise {
  std::size_t question;
  std::size_t proof;
  std::size_t line;
  std::string text;  // text of the premise in the file
  std::optional<narsese::Sentence> sentence;
  bool may_be_lost = false;  // whether the file states the premise, so a full memory may have forgotten it
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
  // Limits on the search for the nearest statement, because each search costs O(statements).
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

// Finds the statement of each named premise and adds the proofs to their questions. A proof with an unknown premise is
// dropped as a whole.
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
    corpus.forgotten.update(*corpus.session);
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
