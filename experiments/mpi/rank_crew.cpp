// SPDX-License-Identifier: MIT
#include "experiments/mpi/rank_crew.hpp"

#include <deque>
#include <set>

#include "experiments/formats/files.hpp"
#include "experiments/mpi/orders.hpp"
#include "experiments/mpi/worker_pool.hpp"
#include "experiments/runs/journal.hpp"

namespace engram::experiments::mpi {
namespace {

using namespace std::chrono_literals;

constexpr auto cancellation_interval = 50ms;  // time between checks for cancellation

// State of a working rank, rank 0 included.
struct Worker {
  bool checked = false;          // the rank has the same inputs
  bool ready = false;            // the rank can take trials
  std::set<std::size_t> trials;  // trials assigned to the rank and not yet finished
};

// A job that consists of numbered trials or cells.
struct Numbered {
  Json order;            // order for the other ranks
  WorkerPool::Task own;  // task for this rank
  unsigned threads = 1;
  std::filesystem::path out;
  TrialCache* cache = nullptr;  // cache that counts the hits of other ranks, or null
};

class RankShift final : public TrialShift {
 public:
  RankShift(Numbered job, Ranks& ranks, std::vector<unsigned>& unended)
      : job_(std::move(job)),
        ranks_(ranks),
        unended_(unended),
        workers_(static_cast<std::size_t>(ranks.size())) {
    ranks_.mailbox().send_to_peers(MessageKind::job, job_.order.dump());
  }

  ~RankShift() override {
    for (std::size_t rank = 1; rank < workers_.size(); ++rank) ++unended_[rank];
    ranks_.mailbox().send_to_peers(MessageKind::end);
  }

  void carry_out(const std::vector<std::size_t>& trials,
                 const std::function<void(std::size_t, const TrialResult&)>& done) override {
    left_.assign(trials.begin(), trials.end());
    WorkerPool own(job_.threads, job_.own, [this] { ranks_.mailbox().put({0, MessageKind::done}); });
    own_ = &own;
    workers_[0].checked = workers_[0].ready = true;
    for (assign_all(); !finished(); assign_all()) {
      core::check_cancelled();
      if (const auto message = ranks_.mailbox().receive(cancellation_interval)) handle(*message, done);
    }
  }

  Json description() const override { return {{"ranks", ranks_.size()}}; }

 private:
  // Whether all trials are finished and all ranks have checked their inputs, even ranks that got no trial.
  bool finished() const {
    for (const Worker& worker : workers_)
      if (!worker.checked || !worker.trials.empty()) return false;
    return left_.empty();
  }

  // Assigns a trial to each free thread of each rank. Then gives each rank one more trial in advance, as long as the
  // remaining trials could still occupy every thread.
  void assign_all() {
    for (const std::size_t most : {job_.threads, job_.threads + 1})
      for (std::size_t rank = 0; rank < workers_.size(); ++rank)
        while (workers_[rank].ready && workers_[rank].trials.size() < most &&
               left_.size() >= (most > job_.threads ? job_.threads * workers_.size() : 1))
          assign(rank);
  }

  void assign(std::size_t rank) {
    const std::size_t trial = left_.front();
    left_.pop_front();
    workers_[rank].trials.insert(trial);
    if (rank == 0)
      own_->add(trial);
    else
      ranks_.mailbox().send({static_cast<int>(rank), MessageKind::trial, std::to_string(trial)});
  }

  void handle(const Message& message, const std::function<void(std::size_t, const TrialResult&)>& done) {
    const auto rank = static_cast<std::size_t>(message.rank);
    if (message.kind == MessageKind::lost)
      throw std::runtime_error(ranks_.error_of_lost(message.rank) +
                               "; to continue, use the same command with --resume: " + job_.out.string());
    if (message.kind == MessageKind::ended && unended_[rank] > 0) --unended_[rank];
    if (unended_[rank] > 0) return;  // the message belongs to an earlier job
    switch (message.kind) {
      case MessageKind::checked:
        workers_[rank].checked = true;
        break;
      case MessageKind::ready:
        workers_[rank].ready = true;
        break;
      case MessageKind::failed:
        fail(message);
      case MessageKind::result:
        take_result(message, done);
        break;
      case MessageKind::done:
        take_own(done);
        break;
      default:
        break;
    }
  }

  void take_own(const std::function<void(std::size_t, const TrialResult&)>& done) {
    const auto outcome = own_->take();
    if (!outcome) return;
    if (outcome->failure) std::rethrow_exception(outcome->failure);
    workers_[0].trials.erase(outcome->trial);
    done(outcome->trial, outcome->result);
  }

  void take_result(const Message& message, const std::function<void(std::size_t, const TrialResult&)>& done) {
    const std::size_t end = message.text.find('\n');
    const auto cached = json_in(message.text.substr(0, end));
    const auto record = end == std::string::npos ? std::nullopt : read_record(message.text.substr(end + 1));
    if (!cached || !record ||
        workers_[static_cast<std::size_t>(message.rank)].trials.erase(record->first) == 0)
      throw std::runtime_error(ranks_.name_of(message.rank) +
                               " must send the record of an assigned trial, and sent " +
                               std::to_string(message.text.size()) + " other bytes");
    if (job_.cache != nullptr) job_.cache->count(whole(cached->at("hits")), whole(cached->at("damaged")));
    done(record->first, record->second);
  }

  // Ends the run after a failure on another rank, with the error that the same failure on this rank would cause.
  [[noreturn]] void fail(const Message& message) {
    const Json failure = Json::parse(message.text);
    const std::string text = ranks_.name_of(message.rank) + ": " + failure.at("text").get<std::string>();
    const auto kind = failure.at("kind").get<std::string>();
    if (kind == "input") throw InputError(text);
    if (kind == "spec") throw SpecError(ranks_.name_of(message.rank), failure.at("text").get<std::string>());
    throw std::runtime_error(text);
  }

  const Numbered job_;
  Ranks& ranks_;
  std::vector<unsigned>& unended_;
  std::vector<Worker> workers_;   // indexed by rank
  std::deque<std::size_t> left_;  // unassigned trials
  WorkerPool* own_ = nullptr;     // pool of this rank's threads; set during carry_out()
};

}  // namespace

std::unique_ptr<TrialShift> RankCrew::begin(const TrialJob& job) {
  used_ = true;
  Numbered numbered{order_of(job), [job](std::size_t trial) { return experiments::carry_out(job, trial); },
                    job.jobs, job.out, &job.cache};
  return std::make_unique<RankShift>(std::move(numbered), ranks_, unended_);
}

std::unique_ptr<TrialShift> RankCrew::begin_cells(const std::vector<CellJob>& cells,
                                                  const std::filesystem::path& sweep) {
  const auto ranks = static_cast<std::size_t>(ranks_.size());
  if (ranks == 1 || cells.size() < 2 * ranks) return nullptr;
  used_ = true;
  Numbered numbered{order_of(cells, sweep),
                    [&cells](std::size_t number) {
                      CellJob cell = cells.at(number);
                      cell.options.talk = nullptr;  // progress is reported for cells, not trials
                      cell.options.crew = nullptr;
                      return result_of(cell);
                    },
                    1, sweep.parent_path(), nullptr};
  return std::make_unique<RankShift>(std::move(numbered), ranks_, unended_);
}

}  // namespace engram::experiments::mpi
