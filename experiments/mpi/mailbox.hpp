// SPDX-License-Identifier: MIT
// Mailbox: messages between ranks. A separate thread sends and receives them, so that computations do not delay them.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/request.hpp>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace engram::experiments::mpi {

/// The kind of a message, which MPI sends as its tag. The comments give the sender in brackets, then the text.
enum class MessageKind : int {
  beat,     // (all) heartbeat
  hello,    // (others) JSON: the build of the program, and its host
  job,      // (rank 0) JSON: "kind" selects the server (service.cpp); the rest depends on the kind
  checked,  // (others) this rank has the same build and inputs
  ready,    // (others) this rank can take trials
  trial,    // (rank 0) number of the trial
  result,   // (others) JSON: use of the cache; a line feed; record_line() of the trial
  failed,   // (others) JSON: why this rank cannot continue the job
  end,      // (rank 0) the job has ended
  ended,    // (others) the last message of this job
  release,  // (rank 0) the program ends
  bye,      // (others) the last message
  lost,     // (local) a rank has been silent for longer than `patience`
  done,     // (local) a thread of this rank has finished a task
};

/// A message between ranks, or to this rank itself.
struct Message {
  int rank = 0;  // sender or receiver
  MessageKind kind = MessageKind::beat;
  std::string text = {};
};

/// Mailbox of a rank. Messages from one rank arrive in the order of sending. Rank 0 and each other rank exchange a
/// heartbeat every second. If a rank sends nothing for the time `patience`, the mailbox reports it once, by
/// MessageKind::lost. The thread polls and sleeps, at most two milliseconds, because MPI's own waiting spins.
class Mailbox {
 public:
  using Duration = std::chrono::steady_clock::duration;

  /// Starts the thread, which uses a duplicate of `world`. MPI must be initialised for several threads.
  Mailbox(const boost::mpi::communicator& world, Duration patience);
  /// Waits at most a second until pending messages are sent.
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  /// Sends a message.  Errors  std::length_error for a text that exceeds the size of an MPI message
  void send(Message message);
  /// Sends from rank 0 to all other ranks, or from another rank to rank 0.
  void send_to_peers(MessageKind kind, const std::string& text = {});
  /// Adds a message to the received messages. Any thread may call it.
  void put(Message message);
  /// Returns the next received message, or nothing if none arrives within this time.
  std::optional<Message> receive(Duration most);

 private:
  struct Sending {
    Message message;  // not moved before it is sent, because MPI reads its bytes
    boost::mpi::request request;
  };
  using Clock = std::chrono::steady_clock;

  void run();
  void start_sending();
  bool receive_pending();
  void send_heartbeat(Clock::time_point now);
  void detect_lost(Clock::time_point now, Clock::time_point before);

  boost::mpi::communicator world_;
  const Duration patience_;
  const std::vector<int> peers_;
  std::vector<Clock::time_point> last_message_;  // time of the last message from each rank
  Clock::time_point last_beat_{};
  std::list<Sending> sending_;

  std::mutex mutex_;
  std::condition_variable out_changed_, in_changed_;
  std::deque<Message> out_, in_;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace engram::experiments::mpi
