// SPDX-License-Identifier: MIT
// Servers of trials, and of whole cells of a sweep, for ranks other than 0.
#include <limits>

#include "experiments/formats/files.hpp"
#include "experiments/mpi/cell_order.hpp"
#include "experiments/mpi/service.hpp"
#include "experiments/mpi/trial_order.hpp"
#include "experiments/mpi/worker_pool.hpp"
#include "experiments/runs/journal.hpp"

namespace engram::experiments::mpi {
namespace {

// Number of the first task, the preparation. A thread runs it, because it may take minutes and messages must be read
// meanwhile.
constexpr std::size_t preparing = std::numeric_limits<std::size_t>::max();

// Counts cache hits since the last report.
class Cached {
 public:
  explicit Cached(const TrialCache& cache) : cache_(cache) {}
  std::string since_last() {
    const std::size_t hits = cache_.hits() - hits_, damaged = cache_.damaged() - damaged_;
    hits_ += hits;
    damaged_ += damaged;
    return Json{{"hits", hits}, {"damaged", damaged}}.dump();
  }

 private:
  const TrialCache& cache_;
  std::size_t hits_ = 0, damaged_ = 0;
};

// Describes a number in words.
using Name = std::function<std::string(std::size_t number)>;

// Throws the failure of an outcome. Input errors and spec errors stay the same; others get the name as prefix.
[[noreturn]] void fail(const Outcome& outcome, const Name& name) {
  if (outcome.trial == preparing) std::rethrow_exception(outcome.failure);
  try {
    std::rethrow_exception(outcome.failure);
  } catch (const InputError&) {
    throw;
  } catch (const SpecError&) {
    throw;
  } catch (const std::exception& error) {
    throw std::runtime_error(name(outcome.trial) + ": " + error.what());
  }
}

// Prepares, then runs the numbered tasks that rank 0 assigns, until the job ends.
void serve_numbers(Service& service, unsigned threads, const std::function<void()>& prepare,
                   const WorkerPool::Task& task, const TrialCache& cache, const Name& name) {
  Mailbox& post = service.ranks().post();
  Cached cached(cache);
  WorkerPool hands(
      threads,
      [&](std::size_t number) {
        if (number != preparing) return task(number);
        prepare();
        return TrialResult{};
      },
      [&post] {
        post.put({0, MessageKind::done});
      });
  hands.give(preparing);
  for (;;) {
    const Message message = service.next();
    if (message.word == MessageKind::end) return;
    if (message.word == MessageKind::trial) hands.give(std::stoull(message.text));
    if (message.word != MessageKind::done) continue;
    const auto outcome = hands.take();
    if (!outcome) continue;
    if (outcome->failure) fail(*outcome, name);
    if (outcome->trial == preparing)
      post.send_to_peers(MessageKind::ready);
    else
      post.send_to_peers(MessageKind::result,
                         cached.since_last() + "\n" + record_line(outcome->trial, outcome->result));
  }
}

void require_same_inputs(Service& service, const Json& order) {
  if (const std::string difference = difference_of_inputs(order); !difference.empty())
    throw SpecError("inputs", difference);
  service.ranks().post().send_to_peers(MessageKind::checked);
}

}  // namespace

void serve_trials(Service& service, const Json& order) {
  require_same_inputs(service, order);
  const Spec spec = spec_of(order);
  const auto trials = spec.experiment->trials(spec);
  TrialCache cache(order.at("cache").get<std::string>());
  const TrialJob job{spec,
                     order.at("manifest"),
                     *trials,
                     cache,
                     {},
                     order.at("jobs").get<unsigned>(),
                     order.at("trial_bytes").get<std::size_t>()};
  // Rank 0 reports errors of the preparation.
  serve_numbers(
      service, job.jobs, [&] { trials->prepare(); },
      [&](std::size_t trial) { return experiments::carry_out(job, trial); }, cache,
      [](std::size_t trial) { return "trial " + std::to_string(trial); });
}

void serve_cells(Service& service, const Json& order) {
  require_same_inputs(service, order);
  OrderedCells cells;
  // One cell at a time: its trials already use the threads of the job.
  serve_numbers(
      service, 1, [&] { cells = cells_of(order); },
      [&](std::size_t number) { return result_of(cells.jobs.at(number)); }, TrialCache({}),
      [&](std::size_t number) { return "cell " + cells.jobs.at(number).options.out.filename().string(); });
}

}  // namespace engram::experiments::mpi
