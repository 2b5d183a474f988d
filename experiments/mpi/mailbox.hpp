// SPDX-License-Identifier: MIT
// Messages between ranks, carried by a thread of their own: who computes, or waits, keeps no message waiting.
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

/// The post of one rank, over a communicator that nobody else uses. Messages of one rank come in the order in
/// which it sent them. Rank 0 and each other rank tell one another in every second that they live; one that
/// has not been heard of for as long as `patience` is told as MessageKind::lost, once. Waiting takes no processor:
/// MPI's own waiting spins, so the thread looks and sleeps, two milliseconds at most.
class Mailbox {
 public:
  using Duration = std::chrono::steady_clock::duration;

  /// MPI must have been initialised for several threads.
  Mailbox(const boost::mpi::communicator& world, Duration patience);
  /// Waits a second at most for what was said to go out.
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  /// Errors  std::length_error for a text of more bytes than a message of MPI can have
  void send(Message message);
  /// Rank 0: to all others; else: to rank 0.
  void send_to_peers(MessageKind word, const std::string& text = {});
  /// Puts it among what has come to this rank. May be called from any thread.
  void put(Message message);
  /// The next that has come, or nothing within this time.
  std::optional<Message> receive(Duration most);

 private:
  struct Sending {
    Message message;  // its bytes must stay until they are sent
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
  std::vector<Clock::time_point> heard_;  // by rank
  Clock::time_point beaten_{};
  std::list<Sending> sending_;

  std::mutex mutex_;
  std::condition_variable out_changed_, in_changed_;
  std::deque<Message> out_, in_;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace engram::experiments::mpi
