// SPDX-License-Identifier: MIT
#include "experiments/mpi/mailbox.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace engram::experiments::mpi {
namespace {

using namespace std::chrono_literals;

// Bounds of the sleep between two polls for messages. They are short enough to notice finished trials at once, and long
// enough that a waiting rank uses less than one percent of a processor.
constexpr auto shortest_sleep = 100us, longest_sleep = 2000us;
constexpr auto between_beats = 1s, longest_closing = 1s;

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
      last_message_(static_cast<std::size_t>(world.size()), Clock::now()),
      thread_([this] { run(); }) {}

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

void Mailbox::send_to_peers(MessageKind kind, const std::string& text) {
  for (const int peer : peers_) send({peer, kind, text});
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

void Mailbox::run() {
  Duration sleep = shortest_sleep;
  std::optional<Clock::time_point> closed;
  for (auto before = Clock::now();;) {
    const auto now = Clock::now();
    start_sending();
    std::erase_if(sending_, [](Sending& each) { return each.request.test().has_value(); });
    const bool received = receive_pending();
    send_heartbeat(now);
    detect_lost(now, before);
    before = now;

    std::unique_lock lock(mutex_);
    if (closing_ && !closed) closed = now;
    if (closed && ((sending_.empty() && out_.empty()) || now - *closed > longest_closing)) return;
    sleep = received || !sending_.empty() ? shortest_sleep : std::min<Duration>(2 * sleep, longest_sleep);
    const bool already_closing = closing_;
    if (out_changed_.wait_for(lock, sleep, [&] { return !out_.empty() || closing_ != already_closing; }))
      sleep = shortest_sleep;
  }
}

void Mailbox::start_sending() {
  std::deque<Message> out;
  {
    const std::lock_guard lock(mutex_);
    out.swap(out_);
  }
  for (Message& message : out) {
    Sending& sending = sending_.emplace_back(Sending{std::move(message), {}});
    const Message& sent = sending.message;
    sending.request = world_.isend(sent.rank, static_cast<int>(sent.kind), sent.text.data(),
                                   static_cast<int>(sent.text.size()));
  }
}

// Receives all pending messages.  Returns  whether there were any
bool Mailbox::receive_pending() {
  bool received = false;
  while (const auto status = world_.iprobe(boost::mpi::any_source, boost::mpi::any_tag)) {
    Message message{status->source(), static_cast<MessageKind>(status->tag()), {}};
    message.text.resize(static_cast<std::size_t>(status->count<char>().value_or(0)));
    world_.recv(message.rank, status->tag(), message.text.data(), static_cast<int>(message.text.size()));
    last_message_[static_cast<std::size_t>(message.rank)] = Clock::now();
    if (message.kind == MessageKind::beat) continue;
    received = true;
    put(std::move(message));
  }
  return received;
}

void Mailbox::send_heartbeat(Clock::time_point now) {
  // Sends no heartbeat while earlier ones are pending, so that the queue for a stopped peer does not grow.
  if (now - last_beat_ < between_beats || sending_.size() > peers_.size()) return;
  last_beat_ = now;
  send_to_peers(MessageKind::beat);
}

void Mailbox::detect_lost(Clock::time_point now, Clock::time_point before) {
  if (now - before > patience_ / 2)  // this process was suspended, perhaps with its peers
    std::ranges::fill(last_message_, now);
  for (const int peer : peers_) {
    auto& last = last_message_[static_cast<std::size_t>(peer)];
    if (last == Clock::time_point::max() || now - last < patience_) continue;
    last = Clock::time_point::max();
    put({peer, MessageKind::lost});
  }
}

}  // namespace engram::experiments::mpi
