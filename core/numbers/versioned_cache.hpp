// SPDX-License-Identifier: MIT
// What is worked out from something that changes, when it is asked for, and kept.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

namespace engram::core {

/// A value of what it is worked out from, at one of its versions. May be asked for from several threads as
/// long as the version stays; who asks while another thread is working it out waits. A copy has a copy of it.
template <class T>
class VersionedCache {
 public:
  VersionedCache() = default;
  VersionedCache(const VersionedCache& other) {
    const std::lock_guard lock(other.mutex_);
    value_ = other.value_;
    version_ = other.version_;
  }
  VersionedCache& operator=(const VersionedCache&) = delete;
  ~VersionedCache() = default;

  /// The value of this version. If it is of another one, or none, `bring(std::optional<T>&)` makes or changes
  /// it; where that throws nothing is kept.
  template <class Bring>
  const T& get(std::uint64_t version, const Bring& bring) const {
    const std::lock_guard lock(mutex_);
    if (value_ && version_ == version) return *value_;
    try {
      bring(value_);
    } catch (...) {
      value_.reset();
      throw;
    }
    version_ = version;
    return *value_;
  }
  /// It, of whatever version; null where none is kept.
  const T* known() const {
    const std::lock_guard lock(mutex_);
    return value_ ? &*value_ : nullptr;
  }
  void drop() const {
    const std::lock_guard lock(mutex_);
    value_.reset();
  }

 private:
  mutable std::mutex mutex_;
  mutable std::optional<T> value_;
  mutable std::uint64_t version_ = 0;
};

}  // namespace engram::core
