// SPDX-License-Identifier: MIT
// Training by the likelihood of examples, whatever the model that gives it.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/numbers/numeric.hpp"
#include "core/numbers/optimiser.hpp"
#include "core/numbers/parallel.hpp"

namespace engram::core {

/// What holds whichever model is trained.
struct LikelihoodOptions {
  const TrainingOptions& descent;
  double prior = 0;           // lambda
  std::vector<Index> frozen;  // parameters that stay as they are
  unsigned threads = 1;       // make no difference to the result
};

/// The mean of -log p over examples, its terms added up in their order whichever thread worked them out.
/// `likelihood(example, parameters)` gives nothing, or {log_p, gradient} with a gradient as long as the parameters.
template <class Example, class Likelihood>
class MeanLoss {
 public:
  MeanLoss(std::vector<const Example*> examples, const Likelihood& likelihood, unsigned threads)
      : examples_(std::move(examples)), likelihood_(likelihood), threads_(threads) {}

  double operator()(const Vector& parameters, Vector* gradient) const {
    using Found = std::invoke_result_t<Likelihood, const Example&, const Vector&>;
    std::vector<typename Found::value_type> each(examples_.size());
    for_each_task(examples_.size(), thread_count(threads_, examples_.size()), [&](std::size_t i, unsigned) {
      if (auto one = likelihood_(*examples_[i], parameters)) each[i] = *std::move(one);
    });
    const auto count = static_cast<double>(examples_.size());
    double loss = 0;
    if (gradient != nullptr) *gradient = Vector::Zero(parameters.size());
    for (const auto& one : each) {
      loss -= one.log_p / count;
      if (gradient == nullptr) continue;
      for (std::size_t f = 0; f < one.gradient.size(); ++f)
        (*gradient)[static_cast<Index>(f)] -= one.gradient[f] / count;
    }
    return loss;
  }

 private:
  std::vector<const Example*> examples_;
  const Likelihood& likelihood_;
  unsigned threads_;
};

/// Parameters that make less
///   - mean of log p over the examples  +  lambda / 2 |parameters - start|^2
/// by Adam, with all examples in each step: those of the step after which the mean without the prior was least
/// on `held_out`. Examples without a likelihood at the start teach nothing, and are left out.
/// Errors   std::invalid_argument unless both have an example that teaches; as train
template <class Example, class Likelihood>
Training train_likelihood(const Vector& start, std::span<const Example> examples,
                          std::type_identity_t<std::span<const Example>> held_out,
                          const Likelihood& likelihood, const LikelihoodOptions& options) {
  const auto teaching = [&](std::span<const Example> all) {
    std::vector<char> teaches(all.size());
    for_each_task(all.size(), thread_count(options.threads, all.size()),
                  [&](std::size_t i, unsigned) { teaches[i] = likelihood(all[i], start) ? 1 : 0; });
    std::vector<const Example*> found;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (teaches[i] != 0) found.push_back(&all[i]);
    require(!found.empty(),
            "the search must find a known proof, or the known answer, of at least one example");
    return MeanLoss<Example, Likelihood>(std::move(found), likelihood, options.threads);
  };
  const auto training = teaching(examples), validation = teaching(held_out);
  const auto with_prior = [&](const Vector& parameters, Vector* gradient) {
    const double loss = training(parameters, gradient);
    const Vector away = parameters - start;
    if (gradient != nullptr) {
      *gradient += options.prior * away;
      for (const Index f : options.frozen) (*gradient)[f] = 0;
    }
    return loss + options.prior / 2 * dot(as_span(away), as_span(away));
  };
  return train(start, with_prior, validation, options.descent);
}

}  // namespace engram::core
