// SPDX-License-Identifier: MIT
// What is worked out when it is first asked for, and kept.
#pragma once

#include <memory>
#include <mutex>

namespace engram::core {

/// A value that belongs to what it is worked out from, and dies with it. A copy begins without it. May be used
/// from several threads; who asks while another thread is working it out waits.
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

  /// What `make` gave once, or gives now. Where it throws nothing is kept.
  template <class Make>
  const T& get(const Make& make) const {
    const std::lock_guard lock(mutex_);
    if (!value_) value_ = std::make_unique<const T>(make());
    return *value_;
  }
  /// It, if it has been asked for; else null.
  const T* known() const {
    const std::lock_guard lock(mutex_);
    return value_.get();
  }

 private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const T> value_;
};

}  // namespace engram::core
