// SPDX-License-Identifier: MIT
// Mailbox: messages between ranks, carried by a separate thread, so that computations and waits do not delay them.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/request.hpp>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "experiments/mpi/messages.hpp"

namespace engram::experiments::mpi {

/// Mailbox of a rank. Its communicator must not be used elsewhere. Messages from one rank arrive in the order in which
/// they were sent. Rank 0 and each other rank exchange a heartbeat every second. A rank that is silent for `patience`
/// is reported once, as MessageKind::lost. The thread polls and sleeps, at most two milliseconds, because MPI's own
/// waiting spins.
class Mailbox {
 public:
  using Duration = std::chrono::steady_clock::duration;

  /// Starts the thread. MPI must be initialised for several threads.
  Mailbox(const boost::mpi::communicator& world, Duration patience);
  /// Waits at most a second until pending messages are sent.
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  /// Sends a message.  Errors  std::length_error for a text that exceeds the size of an MPI message
  void send(Message message);
  /// Sends to all others from rank 0, and to rank 0 from other ranks.
  void send_to_peers(MessageKind word, const std::string& text = {});
  /// Adds a message to the received ones. May be called from any thread.
  void put(Message message);
  /// Returns the next received message, or nothing within this time.
  std::optional<Message> receive(Duration most);

 private:
  struct Sending {
    Message message;  // its bytes must not move until they are sent
    boost::mpi::request request;
  };
  using Clock = std::chrono::steady_clock;

  void carry();
  void begin_sending();
  bool take_what_came();
  void tell_that_this_lives(Clock::time_point now);
  void notice_who_is_lost(Clock::time_point now, Clock::time_point before);

  boost::mpi::communicator world_;
  const Duration patience_;
  const std::vector<int> peers_;
  std::vector<Clock::time_point> heard_;  // time of the last message, by rank
  Clock::time_point beaten_{};
  std::list<Sending> sending_;

  std::mutex mutex_;
  std::condition_variable out_changed_, in_changed_;
  std::deque<Message> out_, in_;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace engram::experiments::mpi
