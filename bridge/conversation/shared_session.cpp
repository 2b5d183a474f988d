// SPDX-License-Identifier: MIT
#include "bridge/conversation/shared_session.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace engram::bridge {
namespace {

using Lock = std::lock_guard<std::mutex>;

constexpr std::chrono::milliseconds poll_interval{20};  // how often waiting threads check for cancellation

}  // namespace

void FairMutex::lock() {
  std::unique_lock guard(mutex_);
  const auto place = queue_.insert(queue_.end(), 0);
  const auto mine = [&] { return place == queue_.begin(); };
  try {
    while (!queue_changed_.wait_for(guard, poll_interval, mine)) core::check_cancelled();
  } catch (...) {
    queue_.erase(place);
    queue_changed_.notify_all();
    throw;
  }
}

void FairMutex::unlock() {
  const std::lock_guard guard(mutex_);
  queue_.pop_front();
  queue_changed_.notify_all();
}

// --- locks ------------------------------------------------------------------------------------------------

SharedSession::ReadLock::ReadLock(SharedSession& shared)
    : session_(*shared.session_), lock_(shared.session_lock_) {}

SharedSession::WriteLock::WriteLock(SharedSession& shared) : shared_(shared), lock_(shared.session_lock_) {
  std::vector<std::unique_ptr<Copy>> stale;  // a change would have to copy the data that they share
  {
    const Lock lock(shared_.mutex_);
    before_ = shared_.version_++;
    stale.swap(shared_.idle_copies_);
  }
  shared_.drop(std::move(stale));
  left_before_ = narsese::released_shared_bytes;
}

SharedSession::WriteLock::~WriteLock() {
  const std::size_t bytes = session().bytes();
  const Lock lock(shared_.mutex_);
  shared_.left_to_copies_ += narsese::released_shared_bytes - left_before_;
  shared_.session_bytes_ = bytes;
}

bool SharedSession::WriteLock::is_next_after(const Snapshot& snapshot) const {
  return before_ == snapshot.copy_->version;
}

// --- requests ---------------------------------------------------------------------------------------------

SharedSession::RequestCharge::RequestCharge(SharedSession& shared, LimitedWork& work)
    : shared_(shared), work_(work) {
  const Lock lock(shared_.mutex_);
  shared_.requests_.push_back(&work_);
  // Small requests are not cancelled if others exceed the limit.
  work_.set_extra_check([this] {
    if (work_.reserved() >= core::Reservation::large) shared_.require_room();
  });
}

SharedSession::RequestCharge::~RequestCharge() {
  work_.set_extra_check({});
  const Lock lock(shared_.mutex_);
  std::erase(shared_.requests_, &work_);
}

// --- snapshots --------------------------------------------------------------------------------------------

SharedSession::Snapshot::Snapshot(SharedSession& shared, LimitedWork& work, bool with_index)
    : shared_(shared), work_(work), copy_(shared.idle_copy()) {
  if (!copy_) copy_ = shared_.new_copy(with_index);
  {
    const Lock lock(shared_.mutex_);
    copy_->work = &work;
  }
  work.set_extra_check([&shared] { shared.require_room(); });
}

SharedSession::Snapshot::~Snapshot() {
  work_.set_extra_check({});
  const std::size_t bytes = copy_->session.bytes();
  std::vector<std::unique_ptr<Copy>> stale;
  {
    const Lock lock(shared_.mutex_);
    copy_->work = nullptr;
    copy_->kept = bytes - std::min(bytes, copy_->bytes);
    (copy_->version == shared_.version_ ? shared_.idle_copies_ : stale).push_back(std::move(copy_));
  }
  shared_.drop(std::move(stale));
}

core::Session& SharedSession::Snapshot::session() { return copy_->session; }

std::unique_ptr<SharedSession::Copy> SharedSession::idle_copy() {
  const Lock lock(mutex_);
  if (idle_copies_.empty()) return {};
  auto copy = std::move(idle_copies_.back());
  idle_copies_.pop_back();
  return copy;
}

std::unique_ptr<SharedSession::Copy> SharedSession::new_copy(bool with_index) {
  const std::lock_guard session_lock(session_lock_);
  if (auto copy = idle_copy()) return copy;  // of the snapshot before this one
  if (with_index) {
    const core::WorkBudget catching_up({.bytes = session_->room()});
    session_->index();
  }
  // Neither number changes while this thread holds the lock. The index refers to the address of the session, which
  // never moves.
  auto copy = std::unique_ptr<Copy>(new Copy{*session_, version_, left_to_copies_});
  const Lock lock(mutex_);
  copies_.push_back(copy.get());
  session_bytes_ = copy->bytes;
  return copy;
}

// Destroys the copies after it has released the lock, because destruction is slow for a large memory.
void SharedSession::drop(std::vector<std::unique_ptr<Copy>> copies) {
  const Lock lock(mutex_);
  for (const auto& copy : copies) std::erase(copies_, copy.get());
}

// --- bytes ------------------------------------------------------------------------------------------------

std::size_t SharedSession::bytes() const {
  std::size_t all = session_bytes_;
  std::uint64_t left_before = left_to_copies_;
  for (const Copy* copy : copies_) {
    left_before = std::min(left_before, copy->left_before);
    const bool is_counted =
        copy->work == nullptr || std::ranges::find(requests_, copy->work) != requests_.end();
    all += copy->kept + (is_counted ? 0 : copy->work->reserved());
  }
  for (const LimitedWork* work : requests_) all += work->reserved();
  return all + (left_to_copies_ - left_before) + message_bytes_;
}

void SharedSession::charge_message_bytes(std::size_t& held, std::size_t bytes, std::size_t small) {
  const auto change = [this](std::size_t from, std::size_t to) {
    const Lock lock(mutex_);
    message_bytes_ += to - from;
  };
  change(held, bytes);
  if (bytes > std::max(held, small)) try {
      require_room();
    } catch (...) {
      change(bytes, held);
      throw;
    }
  held = bytes;
}

void SharedSession::require_room() {
  const std::size_t most = session_->limits().max_bytes;
  std::vector<std::unique_ptr<Copy>> free;
  {
    const Lock lock(mutex_);
    if (bytes() <= most) return;
    free.swap(idle_copies_);
  }
  drop(std::move(free));
  const Lock lock(mutex_);
  if (bytes() > most)
    throw core::WorkStopped(
        core::WorkStopped::Reason::bytes,
        "the memory and the current requests need more than " + std::to_string(most) + " bytes, the limit");
}

}  // namespace engram::bridge
