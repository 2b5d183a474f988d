// SPDX-License-Identifier: MIT
#include "experiments/mpi/mailbox.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace engram::experiments::mpi {
namespace {

using namespace std::chrono_literals;

// Chosen: finished trials are noticed at once, and a waiting rank uses less than one percent of a processor.
constexpr auto shortest_sleep = 100us, longest_sleep = 2000us;
constexpr auto between_beats = 1s, last_moment = 1s;

std::vector<int> peers_of(const boost::mpi::communicator& world) {
  if (world.rank() != 0) return {0};
  std::vector<int> others;
  for (int rank = 1; rank < world.size(); ++rank) others.push_back(rank);
  return others;
}

}  // namespace

Mailbox::Mailbox(const boost::mpi::communicator& world, Duration patience)
    : world_(world, boost::mpi::comm_duplicate),
      patience_(patience),
      peers_(peers_of(world)),
      heard_(static_cast<std::size_t>(world.size()), Clock::now()),
      thread_([this] { carry(); }) {}

Mailbox::~Mailbox() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  out_changed_.notify_one();
  thread_.join();
}

void Mailbox::send(Message message) {
  if (message.text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw std::length_error("a message between ranks must have at most " +
                            std::to_string(std::numeric_limits<int>::max()) + " bytes, this has " +
                            std::to_string(message.text.size()));
  {
    const std::lock_guard lock(mutex_);
    out_.push_back(std::move(message));
  }
  out_changed_.notify_one();
}

void Mailbox::send_to_peers(MessageKind word, const std::string& text) {
  for (const int peer : peers_) send({peer, word, text});
}

void Mailbox::put(Message message) {
  {
    const std::lock_guard lock(mutex_);
    in_.push_back(std::move(message));
  }
  in_changed_.notify_one();
}

std::optional<Message> Mailbox::receive(Duration most) {
  std::unique_lock lock(mutex_);
  if (!in_changed_.wait_for(lock, most, [this] { return !in_.empty(); })) return {};
  Message message = std::move(in_.front());
  in_.pop_front();
  return message;
}

void Mailbox::carry() {
  Duration sleep = shortest_sleep;
  std::optional<Clock::time_point> closed;
  for (auto before = Clock::now();;) {
    const auto now = Clock::now();
    begin_sending();
    std::erase_if(sending_, [](Sending& each) { return each.request.test().has_value(); });
    const bool came = take_what_came();
    tell_that_this_lives(now);
    notice_who_is_lost(now, before);
    before = now;

    std::unique_lock lock(mutex_);
    if (closing_ && !closed) closed = now;
    if (closed && ((sending_.empty() && out_.empty()) || now - *closed > last_moment)) return;
    sleep = came || !sending_.empty() ? shortest_sleep : std::min<Duration>(2 * sleep, longest_sleep);
    const bool already_closing = closing_;
    if (out_changed_.wait_for(lock, sleep, [&] { return !out_.empty() || closing_ != already_closing; }))
      sleep = shortest_sleep;
  }
}

void Mailbox::begin_sending() {
  std::deque<Message> out;
  {
    const std::lock_guard lock(mutex_);
    out.swap(out_);
  }
  for (Message& message : out) {
    Sending& sending = sending_.emplace_back(Sending{std::move(message), {}});
    const Message& said = sending.message;
    sending.request = world_.isend(said.rank, static_cast<int>(said.word), said.text.data(),
                                   static_cast<int>(said.text.size()));
  }
}

// Receives all waiting messages.  Returns  whether there were any
bool Mailbox::take_what_came() {
  bool came = false;
  while (const auto status = world_.iprobe(boost::mpi::any_source, boost::mpi::any_tag)) {
    Message message{status->source(), static_cast<MessageKind>(status->tag()), {}};
    message.text.resize(static_cast<std::size_t>(status->count<char>().value_or(0)));
    world_.recv(message.rank, status->tag(), message.text.data(), static_cast<int>(message.text.size()));
    heard_[static_cast<std::size_t>(message.rank)] = Clock::now();
    if (message.word == MessageKind::beat) continue;
    came = true;
    put(std::move(message));
  }
  return came;
}

void Mailbox::tell_that_this_lives(Clock::time_point now) {
  // Sends no further beats while earlier ones are pending, so that the queue of a stopped peer does not grow.
  if (now - beaten_ < between_beats || sending_.size() > peers_.size()) return;
  beaten_ = now;
  send_to_peers(MessageKind::beat);
}

void Mailbox::notice_who_is_lost(Clock::time_point now, Clock::time_point before) {
  if (now - before > patience_ / 2)  // this process was suspended, and perhaps the peers, too
    std::ranges::fill(heard_, now);
  for (const int peer : peers_) {
    auto& heard = heard_[static_cast<std::size_t>(peer)];
    if (heard == Clock::time_point::max() || now - heard < patience_) continue;
    heard = Clock::time_point::max();
    put({peer, MessageKind::lost});
  }
}

}  // namespace engram::experiments::mpi
