// SPDX-License-Identifier: MIT
#include "experiments/mpi/rank_crew.hpp"

#include <deque>
#include <set>

#include "experiments/formats/files.hpp"
#include "experiments/mpi/cell_order.hpp"
#include "experiments/mpi/trial_order.hpp"
#include "experiments/mpi/worker_pool.hpp"
#include "experiments/runs/journal.hpp"

namespace engram::experiments::mpi {
namespace {

using namespace std::chrono_literals;

constexpr auto between_looks = 50ms;  // how often cancellation is checked

// State of a working rank, rank 0 included.
struct Worker {
  bool checked = false;          // the rank has the same inputs
  bool ready = false;            // the rank can take trials
  std::set<std::size_t> trials;  // trials assigned to the rank and not yet finished
};

// A job whose parts have numbers.
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
    ranks_.post().send_to_peers(MessageKind::job, job_.order.dump());
  }

  ~RankShift() override {
    for (std::size_t rank = 1; rank < workers_.size(); ++rank) ++unended_[rank];
    ranks_.post().send_to_peers(MessageKind::end);
  }

  void carry_out(const std::vector<std::size_t>& trials,
                 const std::function<void(std::size_t, const TrialResult&)>& done) override {
    left_.assign(trials.begin(), trials.end());
    WorkerPool own(job_.threads, job_.own, [this] { ranks_.post().put({0, MessageKind::done}); });
    own_ = &own;
    workers_[0].checked = workers_[0].ready = true;
    for (deal(); !finished(); deal()) {
      core::check_cancelled();
      if (const auto message = ranks_.post().receive(between_looks)) take(*message, done);
    }
  }

  Json description() const override { return {{"ranks", ranks_.size()}}; }

 private:
  // Whether all ranks have answered. Ranks that came too late for a trial count, too, because their inputs must be
  // checked.
  bool finished() const {
    for (const Worker& worker : workers_)
      if (!worker.checked || !worker.trials.empty()) return false;
    return left_.empty();
  }

  // Assigns each rank as many trials as it has threads, and one in advance if enough trials remain for the others.
  void deal() {
    for (const std::size_t most : {job_.threads, job_.threads + 1})
      for (std::size_t rank = 0; rank < workers_.size(); ++rank)
        while (workers_[rank].ready && workers_[rank].trials.size() < most &&
               left_.size() >= (most > job_.threads ? job_.threads * workers_.size() : 1))
          give(rank);
  }

  void give(std::size_t rank) {
    const std::size_t trial = left_.front();
    left_.pop_front();
    workers_[rank].trials.insert(trial);
    if (rank == 0)
      own_->give(trial);
    else
      ranks_.post().send({static_cast<int>(rank), MessageKind::trial, std::to_string(trial)});
  }

  void take(const Message& message, const std::function<void(std::size_t, const TrialResult&)>& done) {
    const auto rank = static_cast<std::size_t>(message.rank);
    if (message.word == MessageKind::lost)
      throw std::runtime_error(ranks_.silence_of(message.rank) +
                               "; the same command with --resume goes on with " + job_.out.string());
    if (message.word == MessageKind::ended && unended_[rank] > 0) --unended_[rank];
    if (unended_[rank] > 0) return;  // belongs to an earlier job
    switch (message.word) {
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
                               " must send the record of a trial that it was given, and sent " +
                               std::to_string(message.text.size()) + " bytes that are none");
    if (job_.cache != nullptr) job_.cache->count(whole(cached->at("hits")), whole(cached->at("damaged")));
    done(record->first, record->second);
  }

  // Ends the run with the error that the same failure on this rank would cause.
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
  WorkerPool* own_ = nullptr;     // set during carry_out()
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
