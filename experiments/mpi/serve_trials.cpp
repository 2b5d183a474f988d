// SPDX-License-Identifier: MIT
// Execution of trials, and of whole cells of a sweep, on ranks other than 0.
#include <limits>

#include "experiments/formats/files.hpp"
#include "experiments/mpi/orders.hpp"
#include "experiments/mpi/service.hpp"
#include "experiments/mpi/worker_pool.hpp"
#include "experiments/runs/journal.hpp"

namespace engram::experiments::mpi {
namespace {

// Number of the first task, the preparation. A worker thread runs it, because it can take minutes, during which this
// rank must handle messages.
constexpr std::size_t preparing = std::numeric_limits<std::size_t>::max();

// Counts the cache hits and damaged entries since the last report to rank 0.
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

// Describes the task with this number, for messages.
using Name = std::function<std::string(std::size_t number)>;

// Throws the failure of an outcome. Input errors and spec errors are unchanged, other errors get the name as prefix.
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

// Prepares the job, then runs the tasks that rank 0 assigns, until the job ends.
void serve_tasks(Service& service, unsigned threads, const std::function<void()>& prepare,
                 const WorkerPool::Task& task, const TrialCache& cache, const Name& name) {
  Mailbox& mailbox = service.ranks().mailbox();
  Cached cached(cache);
  WorkerPool workers(
      threads,
      [&](std::size_t number) {
        if (number != preparing) return task(number);
        prepare();
        return TrialResult{};
      },
      [&mailbox] {
        mailbox.put({0, MessageKind::done});
      });
  workers.add(preparing);
  for (;;) {
    const Message message = service.next();
    if (message.kind == MessageKind::end) return;
    if (message.kind == MessageKind::trial) workers.add(std::stoull(message.text));
    if (message.kind != MessageKind::done) continue;
    const auto outcome = workers.take();
    if (!outcome) continue;
    if (outcome->failure) fail(*outcome, name);
    if (outcome->trial == preparing)
      mailbox.send_to_peers(MessageKind::ready);
    else
      mailbox.send_to_peers(MessageKind::result,
                            cached.since_last() + "\n" + record_line(outcome->trial, outcome->result));
  }
}

void require_same_inputs(Service& service, const Json& order) {
  if (const std::string difference = difference_of_inputs(order); !difference.empty())
    throw SpecError("inputs", difference);
  service.ranks().mailbox().send_to_peers(MessageKind::checked);
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
  // The rejected lines that prepare() returns are ignored here, because rank 0 reports them.
  serve_tasks(
      service, job.jobs, [&] { trials->prepare(); },
      [&](std::size_t trial) { return experiments::carry_out(job, trial); }, cache,
      [](std::size_t trial) { return "trial " + std::to_string(trial); });
}

void serve_cells(Service& service, const Json& order) {
  require_same_inputs(service, order);
  OrderedCells cells;
  // The pool has one thread, because the trials of a cell already use the threads of the job.
  serve_tasks(
      service, 1, [&] { cells = cells_of(order); },
      [&](std::size_t number) { return result_of(cells.jobs.at(number)); }, TrialCache({}),
      [&](std::size_t number) { return "cell " + cells.jobs.at(number).options.out.filename().string(); });
}

}  // namespace engram::experiments::mpi
