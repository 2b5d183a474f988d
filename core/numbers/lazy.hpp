// SPDX-License-Identifier: MIT
// Caches of one value: Lazy computes it on first use, VersionedCache again for each version of the data.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

namespace engram::core {

/// A value that is computed on first use. Make it a member of the object from which it is computed. A copy starts
/// without the value. Thread-safe: a thread that needs the value while another one computes it waits.
template <class T>
class Lazy {
 public:
  Lazy() = default;
  Lazy(const Lazy& /*other*/) {}
  Lazy& operator=(const Lazy& other) {
    if (this == &other) return *this;
    const std::lock_guard lock(mutex_);
    value_.reset();
    return *this;
  }
  ~Lazy() = default;

  /// Returns the cached value. If there is none, calls make(), caches its result and returns it. If make() throws, the
  /// cache stays empty.
  template <class Make>
  const T& get(const Make& make) const {
    const std::lock_guard lock(mutex_);
    if (!value_) value_ = std::make_unique<const T>(make());
    return *value_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const T> value_;
};

/// Cache of one value that is computed from data with a version number. Thread-safe while the version does not change:
/// a thread that needs the value while another one computes it waits. A copy of the cache has a copy of the value.
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

  /// Returns the value for this version of the data. If the cache has no value, or a value for another version, first
  /// calls update(std::optional<T>&), which creates or changes the value. If `update` throws, the cache becomes empty.
  template <class Update>
  const T& get(std::uint64_t version, const Update& update) const {
    const std::lock_guard lock(mutex_);
    if (value_ && version_ == version) return *value_;
    try {
      update(value_);
    } catch (...) {
      value_.reset();
      throw;
    }
    version_ = version;
    return *value_;
  }
  /// Returns the cached value even if it was computed for an older version of the data, or null if the cache is empty.
  const T* cached() const {
    const std::lock_guard lock(mutex_);
    return value_ ? &*value_ : nullptr;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::optional<T> value_;
  mutable std::uint64_t version_ = 0;
};

}  // namespace engram::core
