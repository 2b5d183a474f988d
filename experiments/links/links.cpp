// SPDX-License-Identifier: MIT
#include "experiments/links/links.hpp"

#include "experiments/links/links.hpp"

namespace engram::experiments {
namespace {

// Files come by threes: to learn from, to choose by, held out.
void read_own_parts(SpecReader& reader, Spec& spec, LinksOptions& links) {
  if (spec.inputs.size() % 3 != 0)
    throw SpecError(reader.at("inputs"), "expected three files a set: train, valid and test");
  for (std::size_t i = 0; i < spec.methods.size(); ++i)
    for (const char* taken : {trained_links, link_baselines[0], link_baselines[1], link_baselines[2]})
      if (spec.methods[i].label == taken)
        throw SpecError(reader.at("methods") + "/" + std::to_string(i),
                        std::string("'") + taken + "' is measured anyway; expected another label");
  const Json* published = reader.find("published");
  if (published != nullptr && !published->is_string())
    throw SpecError(reader.at("published"), "expected a file name, or nothing, found " + published->dump());
  links.published = reader.keep("published", published != nullptr ? published->get<std::string>() : "");
  if (!links.published.empty()) {
    links.published_path = reader.found(links.published);
    published_figures(links.published_path, {});
    spec.vectors.push_back({links.published, links.published_path});
  }
  reader.numbers("regularisation", links.regularisations, 0, 100);
  core::RelationalTrainingOptions& training = links.training;
  reader.count("pairs", training.pairs, 4096);
  reader.count("batch", training.batch, 100'000);
  reader.number("learning_rate", training.learning_rate, 1e-6, 10);
  reader.count("epochs", training.epochs, 100'000);
  reader.count("check_every", training.check_every, 100'000);
  reader.count("patience", training.patience, 100'000);
}

}  // namespace

void Links::read(SpecReader& reader, Spec& spec) {
  read_inputs(reader, spec);
  read_methods(
      reader, spec,
      {"attention", "concept_attention", "hopfield", "modern_hopfield", "spreading_activation", "pagerank"});
  read_seeds(reader, spec, 3);
  read_own_parts(reader, spec, options_);
  read_memory(reader, spec);
}

Measures Links::measures() const {
  return {"test fact by test fact", [](const Json& row) {
            const Json& ranks = row.at("ranks");
            std::vector<Observation> all;
            for (std::size_t i = 0; i < ranks.size(); ++i)  // a fact is asked for from both of its ends
              all.push_back({"MRR", row.at("method").get<std::string>(), std::to_string(i),
                             1 / ranks[i].get<double>(), row.at("set").get<std::string>()});
            return all;
          }};
}

std::unique_ptr<Experiment> links_experiment() { return std::make_unique<Links>(); }

}  // namespace engram::experiments
