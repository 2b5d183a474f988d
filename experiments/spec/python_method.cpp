// SPDX-License-Identifier: MIT
#include "experiments/spec/python_method.hpp"

#include <cmath>
#include <string>

#include "core/methods/method.hpp"
#include "experiments/spec/python_file.hpp"
#include "narsese/printer.hpp"

namespace engram::experiments {
namespace {

Json statements_of(const core::Memory& memory) {
  Json all = Json::array();
  for (core::StatementId id = 0; id < memory.statements().size(); ++id) {
    narsese::Sentence sentence = memory.statements()[id].sentence;
    sentence.budget.reset();
    all.push_back(narsese::print(sentence));
  }
  return all;
}

Json cue_of(const core::MemoryIndex& readings, const core::Cue& cue) {
  if (cue.term) return narsese::print(cue.term);
  Json activation = Json::object();
  for (const core::ConceptId id : cue.names()) {
    const auto i = static_cast<core::Index>(id);
    activation[narsese::print(readings.term(i))] = cue.activation[i];
  }
  return activation;
}

struct PythonRetriever : core::Retriever {
  std::string file;

  void check() const override {
    if (file.empty())
      throw core::OptionError("file", "must be a Python file that ends in engram.serve(scores=...)");
  }

  core::Recall recall(const core::MemoryIndex& readings, const core::Cue& cue) const override {
    const auto count = static_cast<std::size_t>(readings.statements());
    const Json scores = python_file(file).call(
        {{"scores", {{"statements", statements_of(readings.memory())}, {"cue", cue_of(readings, cue)}}}});
    const auto refuse = [&](const std::string& what) {
      throw bridge::ReasonerError(file + ": scores() must return a number from 0 to 1e100 for each of the " +
                                  std::to_string(count) + " statements, found " + what);
    };
    if (!scores.is_array()) refuse("no list");
    if (scores.size() != count) refuse(std::to_string(scores.size()));
    core::Vector weights(readings.statements());
    for (std::size_t i = 0; i < count; ++i) {
      constexpr double most = 1e100;
      if (!scores[i].is_number() || !(scores[i].get<double>() >= 0) || scores[i].get<double>() > most)
        refuse(scores[i].dump() + " for statement " + std::to_string(i + 1));
      weights[static_cast<core::Index>(i)] = scores[i].get<double>();
    }
    return core::from_statements(readings, core::SparseVector(weights));
  }
};

constexpr auto python_options = core::option_table(core::text_option<&PythonRetriever::file>(
    "file", "the Python file, which ends in engram.serve(scores=...)"));

}  // namespace

void add_python_method() {
  if (core::find_method("python") != nullptr) return;
  core::add_method(core::make_method<PythonRetriever>(
      "python", "program", "scores of statements by a function of a Python file; in specs alone",
      python_options, {.only_by_name = true}));
}

}  // namespace engram::experiments
