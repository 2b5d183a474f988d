// SPDX-License-Identifier: MIT
// Arrays of which little is used.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace engram::core {

/// Numbers that begin as zeros. Of a long array the system provides the pages that are written to, so that it
/// costs what is used of it.  Errors  std::bad_alloc
class Zeros {
 public:
  explicit Zeros(std::size_t size) : numbers_(static_cast<double*>(std::calloc(size + 1, sizeof(double)))) {
    if (!numbers_) throw std::bad_alloc();
  }
  double& operator[](std::size_t i) { return numbers_[i]; }
  double operator[](std::size_t i) const { return numbers_[i]; }

 private:
  struct Free {
    void operator()(double* numbers) const { std::free(numbers); }
  };
  std::unique_ptr<double[], Free> numbers_;
};

}  // namespace engram::core
