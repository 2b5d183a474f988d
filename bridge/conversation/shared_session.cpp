// SPDX-License-Identifier: MIT
#include "bridge/conversation/shared_session.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace engram::bridge {

using Lock = std::lock_guard<std::mutex>;

// --- changes ----------------------------------------------------------------------------------------------

SharedSession::Change::Change(SharedSession& shared) : shared_(shared), turn_(shared.turn_) {
  std::vector<std::unique_ptr<Copy>> stale;  // a change would have to copy the data that they share
  {
    const Lock lock(shared_.mutex_);
    before_ = shared_.version_++;
    stale.swap(shared_.free_);
  }
  shared_.drop(std::move(stale));
  left_before_ = narsese::released_shared_bytes;
}

SharedSession::Change::~Change() {
  const std::size_t bytes = session().bytes();
  const Lock lock(shared_.mutex_);
  shared_.left_ += narsese::released_shared_bytes - left_before_;
  shared_.session_bytes_ = bytes;
}

bool SharedSession::Change::is_next_after(const Question& question) const {
  return before_ == question.copy_->version;
}

// --- requests ---------------------------------------------------------------------------------------------

SharedSession::Counted::Counted(SharedSession& shared, LimitedWork& work) : shared_(shared), work_(work) {
  const Lock lock(shared_.mutex_);
  shared_.counted_.push_back(&work_);
  // Small requests are not cancelled if others exceed the limit.
  work_.also_looks([this] {
    if (work_.reserved() >= core::Reservation::large) shared_.require_room();
  });
}

SharedSession::Counted::~Counted() {
  work_.also_looks({});
  const Lock lock(shared_.mutex_);
  std::erase(shared_.counted_, &work_);
}

// --- glances ----------------------------------------------------------------------------------------------

SharedSession::Glance::Glance(SharedSession& shared) : session_(*shared.session_), turn_(shared.turn_) {}

// --- questions --------------------------------------------------------------------------------------------

SharedSession::Question::Question(SharedSession& shared, LimitedWork& work, bool with_index)
    : shared_(shared), work_(work), copy_(shared.free_copy()) {
  if (!copy_) copy_ = shared_.new_copy(with_index);
  {
    const Lock lock(shared_.mutex_);
    copy_->work = &work;
  }
  work.also_looks([&shared] { shared.require_room(); });
}

SharedSession::Question::~Question() {
  work_.also_looks({});
  const std::size_t bytes = copy_->session.bytes();
  std::vector<std::unique_ptr<Copy>> stale;
  {
    const Lock lock(shared_.mutex_);
    copy_->work = nullptr;
    copy_->kept = bytes - std::min(bytes, copy_->bytes);
    (copy_->version == shared_.version_ ? shared_.free_ : stale).push_back(std::move(copy_));
  }
  shared_.drop(std::move(stale));
}

std::unique_ptr<SharedSession::Copy> SharedSession::free_copy() {
  const Lock lock(mutex_);
  if (free_.empty()) return {};
  auto copy = std::move(free_.back());
  free_.pop_back();
  return copy;
}

std::unique_ptr<SharedSession::Copy> SharedSession::new_copy(bool with_index) {
  const std::lock_guard<FairMutex> turn(turn_);
  if (auto copy = free_copy()) return copy;  // left by the question before this one
  if (with_index) {
    const core::WorkBudget catching_up({.bytes = session_->room()});
    session_->index();
  }
  // Neither number changes while this thread holds the lock. The index refers to the address of the session, which
  // never moves.
  auto copy = std::unique_ptr<Copy>(new Copy{*session_, version_, left_});
  const Lock lock(mutex_);
  copies_.push_back(copy.get());
  session_bytes_ = copy->bytes;
  return copy;
}

// Destroys the copies after the lock was released, because this may take long.
void SharedSession::drop(std::vector<std::unique_ptr<Copy>> copies) {
  const Lock lock(mutex_);
  for (const auto& copy : copies) std::erase(copies_, copy.get());
}

// --- bytes ------------------------------------------------------------------------------------------------

std::size_t SharedSession::bytes() const {
  std::size_t all = session_bytes_;
  std::uint64_t left_before = left_;
  for (const Copy* copy : copies_) {
    left_before = std::min(left_before, copy->left_before);
    const bool is_counted =
        copy->work == nullptr || std::ranges::find(counted_, copy->work) != counted_.end();
    all += copy->kept + (is_counted ? 0 : copy->work->reserved());
  }
  for (const LimitedWork* work : counted_) all += work->reserved();
  return all + (left_ - left_before) + held_;
}

void SharedSession::hold(std::size_t& held, std::size_t bytes, std::size_t small) {
  const auto change = [this](std::size_t from, std::size_t to) {
    const Lock lock(mutex_);
    held_ += to - from;
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
    free.swap(free_);
  }
  drop(std::move(free));
  const Lock lock(mutex_);
  if (bytes() > most)
    throw core::WorkStopped(core::WorkStopped::Reason::bytes,
                            "the memory, and what is asked of it at a time, need more than " +
                                std::to_string(most) + " bytes, the limit");
}

}  // namespace engram::bridge
