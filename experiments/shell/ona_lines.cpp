// SPDX-License-Identifier: MIT
#include "experiments/shell/ona_lines.hpp"

#include "narsese/fidelity.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {

using narsese::Sentence;
using narsese::Tense;
using narsese::Term;
using narsese::TermKind;

namespace {

std::string truth_and_stamp(const Sentence& sentence, OnaLines::Stamp stamp) {
  std::string text = "Stamp=[";
  for (std::size_t i = 0; i < stamp.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(stamp[i]);
  const narsese::TruthValue truth = sentence.truth_or_default();
  return text + "] Truth: frequency=" + std::to_string(truth.frequency) +
         ", confidence=" + std::to_string(truth.confidence);
}

}  // namespace

std::string OnaLines::term(Term term) {
  nested_.mark();
  std::string text = narsese::print_for_ona(narsese::nested_by_twos(term, nested_));
  nested_.rollback();
  nested_.unmark();
  return text;
}

std::string OnaLines::beginning(const Sentence& sentence) {
  std::string text = sentence.delay ? "dt=" + std::to_string(*sentence.delay) + " " : "";
  text += term(sentence.term) + (sentence.punctuation == narsese::Punctuation::goal ? "! " : ". ");
  if (sentence.tense.kind == Tense::Kind::at)
    text += ":|: occurrenceTime=" + std::to_string(sentence.tense.cycles) + " ";
  return text;
}

std::string OnaLines::knowledge(const Sentence& sentence, double priority, Stamp stamp) {
  return beginning(sentence) + "Priority=" + std::to_string(priority) + " " +
         truth_and_stamp(sentence, stamp);
}

std::string OnaLines::answer(const Sentence& sentence, std::int64_t created, Stamp stamp) {
  Sentence undated = sentence;
  undated.delay.reset();
  return "Answer: " + beginning(undated) + "creationTime=" + std::to_string(created) + " " +
         truth_and_stamp(sentence, stamp);
}

std::string OnaLines::execution(Term operation) {
  const bool alone = operation.kind() == TermKind::op;
  return term(alone ? operation : operation.predicate()) + " executed with args " +
         (alone ? "" : term(operation.subject()));
}

std::string OnaLines::concept_line(Term whole, const std::string& state) {
  const auto part = [](Term of, std::size_t at) {
    return of && of.components().size() > at ? of.components()[at] : Term();
  };
  const Term left = part(whole, 0), right = part(whole, 1);
  std::string links;
  for (const Term link : {left, right, part(left, 0), part(left, 1), part(right, 0), part(right, 1)})
    links += (links.empty() ? "\"" : ", \"") + (link ? term(link) : "") + "\"";
  return "//" + term(whole) + ": { " + state + ", \"termlinks\": [" + links + "]}";
}

std::string in_braces(const narsese::TruthValue& truth) {
  return "{" + std::to_string(truth.frequency) + " " + std::to_string(truth.confidence) + "}";
}

}  // namespace engram::experiments
