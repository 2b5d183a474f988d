// SPDX-License-Identifier: MIT
// Trainer of the link network for `engram train`: learns from one file of facts and evaluates on another.
#include <boost/algorithm/hex.hpp>
#include <iterator>

#include "experiments/formats/files.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/links/link_predictors.hpp"
#include "experiments/spec/spec_reader.hpp"
#include "experiments/training/trainer.hpp"

namespace engram::experiments {
namespace {

using core::BellmanFordTraining;
using core::Fact;

struct LinkTrainingSpec {
  std::array<Input, 2> inputs;  // training file and held-out file
  core::BellmanFordOptions network;
  core::BellmanFordTrainingOptions training;
  Json resolved;
};

LinkTrainingSpec read_spec(const Json& json, const std::vector<std::filesystem::path>& folders) {
  return checked([&] {
    LinkTrainingSpec training;
    Spec spec;
    SpecReader reader(JsonValue(json), folders);
    reader.choice("method", "", {std::string(links::bellman_ford_name)});
    read_inputs(reader, spec);
    if (spec.inputs.size() != 2)
      throw SpecError("/inputs", "must be two files, to learn from and held out, found " +
                                     std::to_string(spec.inputs.size()));
    training.inputs = {spec.inputs[0], spec.inputs[1]};
    reader.count("layers", training.network.layers, 16);
    reader.count("width", training.network.width, 1'000'000);
    reader.count("most_edges", training.network.most_edges, 1'000'000);
    reader.flag("dependent", training.network.dependent);
    const std::string hidden = reader.choice("hidden", "fact", {"fact", "ends"});
    training.training.hidden = hidden == "fact" ? core::Hidden::fact : core::Hidden::ends;
    reader.count("batch", training.training.batch, 4096);
    reader.number("learning_rate", training.training.adam.learning_rate, 1e-6, 10);
    reader.count("epochs", training.training.epochs, 10'000);
    reader.number("least_share", training.training.least_share, 0, 1);
    reader.count("seed", training.training.seed, 1'000'000'000, 0);
    reader.refuse_others();
    training.resolved = reader.resolved;
    return training;
  });
}

// Reads the facts of a file as numbers. A malformed line is an error, because a model file cannot report it.
std::vector<Fact> facts_of(const Input& input, links::FactNumbers& numbers) {
  const links::TripleFile file = links::load_triples(input, {});
  if (!file.rejected.empty())
    throw InputError(input.name + ":" + std::to_string(file.rejected[0].line) + ":" +
                     std::to_string(file.rejected[0].column) + ": " + file.rejected[0].message);
  if (file.triples.empty())
    throw InputError(input.name + ": must hold facts <(head * tail) --> relation>., found none");
  std::vector<Fact> facts;
  for (const links::Triple& triple : file.triples) facts.push_back(numbers.fact_of(triple));
  return facts;
}

class LinkTrainer : public Trainer {
 public:
  explicit LinkTrainer(LinkTrainingSpec spec) : spec_(std::move(spec)) {
    learnt_ = facts_of(spec_.inputs[0], numbers_);
    relations_ = numbers_.relations();
    held_out_ = facts_of(spec_.inputs[1], numbers_);
    if (numbers_.relations().size() > relations_.size())
      throw InputError(spec_.inputs[1].name + ": no fact to learn from has the relation " +
                       numbers_.relations()[relations_.size()]);
    try {
      training_ =
          std::make_unique<BellmanFordTraining>(static_cast<std::uint32_t>(numbers_.entities().size()),
                                                relation_count(), learnt_, spec_.network, spec_.training);
    } catch (const std::invalid_argument& error) {
      throw InputError(error.what());
    }
  }

  const Json& spec() const override { return spec_.resolved; }
  Json sha256_of_inputs() const override { return sha256_of(spec_.inputs); }
  std::size_t steps() const override { return training_->all_steps(); }
  std::string units() const override { return "steps"; }

  std::size_t resume(const JsonValue& state) override {
    bridge::ObjectReader reader(state);
    const JsonValue given = reader["bytes"].required("the state's bytes");
    std::string bytes;
    try {
      boost::algorithm::unhex(given.text(), std::back_inserter(bytes));
    } catch (const boost::algorithm::hex_decode_error&) {
      given.refuse("bytes in hexadecimal");
    }
    reader.refuse_others();
    training_->restore(bytes);
    return training_->steps();
  }

  FinishedTraining run(unsigned threads, const OnTrainingStep& on_step) override {
    while (training_->steps() < training_->all_steps()) {
      try {
        training_->step(threads);
      } catch (const std::invalid_argument& error) {
        throw InputError(error.what());
      }
      on_step(training_->steps(), [&] {
        std::string hex;
        boost::algorithm::hex_lower(training_->state(), std::back_inserter(hex));
        return Json{{"bytes", hex}};
      });
    }
    const double held_out = validate();
    const links::LinkModel model{relations_,
                                 training_->network(),
                                 {{"by", "engram train"},
                                  {"spec", spec_.resolved},
                                  {"sha256_of_inputs", sha256_of_inputs()},
                                  {"facts", learnt_.size()},
                                  {"entities", numbers_.entities().size()},
                                  {"held_out", held_out_.size()},
                                  {"mrr_held_out", held_out}}};
    return {to_text(model),
            std::to_string(model.network.parameters().size()) + " parameters, learnt from " +
                std::to_string(learnt_.size()) + " facts\nfiltered mean reciprocal rank of " +
                std::to_string(held_out_.size()) +
                " facts held out, tails and heads (an answer that only other files know counts as wrong): " +
                fixed(held_out, 3) + '\n'};
  }

 private:
  std::uint32_t relation_count() const { return static_cast<std::uint32_t>(relations_.size()); }

  double validate() const {
    const std::vector<Fact> asked = core::with_reciprocals(held_out_, relation_count());
    std::vector<Fact> known = core::with_reciprocals(learnt_, relation_count());
    known.insert(known.end(), asked.begin(), asked.end());
    return links::mean_reciprocal_rank(links::filtered_ranks(
        links::answers_of(known), asked, links::network_scores(training_->network(), training_->graph())));
  }

  LinkTrainingSpec spec_;
  links::FactNumbers numbers_;
  std::vector<std::string> relations_;
  std::vector<Fact> learnt_, held_out_;
  std::unique_ptr<BellmanFordTraining> training_;
};

}  // namespace

std::unique_ptr<Trainer> link_trainer(const Json& spec, const std::vector<std::filesystem::path>& folders) {
  return std::make_unique<LinkTrainer>(read_spec(spec, folders));
}

}  // namespace engram::experiments
