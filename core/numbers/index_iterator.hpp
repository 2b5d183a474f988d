// SPDX-License-Identifier: MIT
// An iterator over what is reached by numbers.
#pragma once

#include <boost/iterator/iterator_facade.hpp>
#include <cstddef>

namespace engram::core {

/// Goes over items[0], items[1], ... of an object that outlives it. `Reference` is what items[i] gives, a value
/// perhaps.
template <class Items, class Value, class Reference>
class IndexIterator : public boost::iterator_facade<IndexIterator<Items, Value, Reference>, const Value,
                                                    boost::random_access_traversal_tag, Reference> {
 public:
  IndexIterator() = default;
  IndexIterator(const Items* items, std::size_t at) : items_(items), at_(at) {}

 private:
  friend class boost::iterator_core_access;
  Reference dereference() const { return (*items_)[at_]; }
  bool equal(const IndexIterator& other) const { return at_ == other.at_; }
  void increment() { ++at_; }
  void decrement() { --at_; }
  void advance(std::ptrdiff_t by) { at_ = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at_) + by); }
  std::ptrdiff_t distance_to(const IndexIterator& other) const {
    return static_cast<std::ptrdiff_t>(other.at_) - static_cast<std::ptrdiff_t>(at_);
  }

  const Items* items_ = nullptr;
  std::size_t at_ = 0;
};

}  // namespace engram::core
