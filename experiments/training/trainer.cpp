// SPDX-License-Identifier: MIT
#include "experiments/training/trainer.hpp"

#include "core/proofs/proof_methods.hpp"
#include "experiments/links/link_model.hpp"
#include "experiments/prediction/predictors.hpp"
#include "experiments/spec/spec_reader.hpp"

namespace engram::experiments {
namespace {

struct Entry {
  std::string method;
  std::unique_ptr<Trainer> (*make)(const Json&, const std::vector<std::filesystem::path>&);
};

std::vector<Entry> trainers() {
  std::vector<Entry> all{{std::string(core::proof_attention_name), proof_trainer},
                         {std::string(core::trained_hopfield_name), proof_trainer},
                         {std::string(links::bellman_ford_name), link_trainer}};
  for (const std::string& method : prediction::trained_methods()) all.push_back({method, prediction_trainer});
  return all;
}

}  // namespace

std::unique_ptr<Trainer> make_trainer(const Json& spec, const std::vector<std::filesystem::path>& folders) {
  const std::vector<Entry> all = trainers();
  const Entry& entry = checked([&]() -> const Entry& {
    const JsonValue root(spec);
    return root.object()["method"].choice("", all, &Entry::method);
  });
  return entry.make(spec, folders);
}

}  // namespace engram::experiments
