// SPDX-License-Identifier: MIT
#include "bridge/stream/stream_session.hpp"

#include <atomic>
#include <exception>
#include <optional>
#include <string>
#include <thread>

#include "bridge/transport/line_splitter.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/parse_error.hpp"

namespace engram::bridge {
namespace {

constexpr std::chrono::milliseconds between_looks{50};  // how often cancellation is checked

// Thread that talks with the NARS of a live world.
class Talk {
 public:
  explicit Talk(EventStream& stream)
      : thread_([this, &stream, work = core::WorkBudget::current()] {
          const core::WorkBudget::ThreadScope part(work);
          try {
            while (stream.work() || !over_) {
              core::check_cancelled();
              stream.wait(between_looks);
            }
          } catch (...) {
            failure_ = std::current_exception();
          }
          ended_ = true;
        }) {}
  ~Talk() { join(); }
  Talk(const Talk&) = delete;
  Talk& operator=(const Talk&) = delete;

  bool ended() const { return ended_; }
  /// Sends what still waits, then joins the thread.  Errors  the error that ended the thread
  void end() {
    join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void join() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
  }

  std::atomic<bool> over_ = false, ended_ = false;
  std::exception_ptr failure_;
  std::thread thread_;  // declared last: it uses the members above
};

// Reads the world until it ends and passes its lines to the stream.
void pass_on(EventStream& stream, World& world, bool live) {
  constexpr std::size_t most_bytes = narsese::ParseLimits{}.max_line_bytes;
  std::optional<Talk> talk;
  if (live) talk.emplace(stream);
  LineSplitter splitter(most_bytes);
  std::size_t number = 0;
  const auto take_lines = [&] {
    while (const auto line = splitter.next()) {
      core::check_cancelled();
      ++number;
      if (line->too_long)
        stream.refuse(number, "a line must have no more than " + std::to_string(most_bytes) + " bytes");
      else
        stream.take(number, line->text);
      while (!live && stream.work()) {
      }
    }
  };
  std::string bytes;
  for (bool batch = false; !talk || !talk->ended();) {
    core::check_cancelled();
    // A batch lasts while more input is at hand.
    const auto time = batch ? std::chrono::milliseconds(0) : between_looks;
    const World::Came came = world.read(bytes, time);
    if (came == World::Came::bytes) {
      splitter.feed(bytes);
      take_lines();
      batch = true;
      continue;
    }
    if (came == World::Came::gone) {
      if (splitter.begun()) stream.refuse(number + 1, "a line must have an end, but the world left before");
      splitter = LineSplitter(most_bytes);
    }
    if (came == World::Came::end) {
      splitter.end();
      take_lines();
    }
    if (live && (batch || came == World::Came::end)) stream.end_batch();
    batch = false;
    if (came == World::Came::end) break;
  }
  if (talk) talk->end();
  stream.end_batch();
  while (stream.work()) {
  }
  stream.finish();
}

}  // namespace

void run_stream(EventStream& stream, World& world, bool live) {
  try {
    pass_on(stream, world, live);
  } catch (const ReasonerError&) {  // the world learns of it by the end of the stream
    try {
      world.end();
    } catch (const WorldError&) {
    }
    throw;
  }
  world.end();
}

}  // namespace engram::bridge
