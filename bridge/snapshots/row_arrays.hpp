// SPDX-License-Identifier: MIT
// Encoding of tables as arrays of numbers, for binary snapshots. A table has an array for each member of its rows that
// visit_members() names (bridge/snapshots/snapshot_members.hpp), with one number from each row. Private to bridge.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "bridge/snapshots/binary_format.hpp"
#include "bridge/snapshots/snapshot_members.hpp"

namespace engram::bridge {

/// Visitor for visit_members() that calls use(name, number): only for optional members, or for all others.
template <class Use>
struct NumberVisitor {
  Use& use;
  bool visits_optional;

  void operator()(const char* name, auto& number) const {
    if (!visits_optional) use(name, number);
  }
  void operator()(const char* name, auto& first, auto& second) const {
    (*this)(name, first);
    (*this)(name, second);
  }
  void implied(const char* name, auto& number) const { (*this)(name, number); }
  void optional(const char* name, auto& number) const {
    if (visits_optional) use(name, number);
  }
};

/// Calls use(name, number) for each number of a row, in the order of the arrays in the file.
template <class Row, class Use>
void for_each_number(Row& row, Use use) {
  visit_members(NumberVisitor<Use>{use, false}, row);
  visit_members(NumberVisitor<Use>{use, true}, row);
}

/// Appends the arrays of a table to `bytes`. `rows` is a vector, or another type with size() and an index operator.
template <class Rows>
void put_rows(std::string& bytes, const Rows& rows) {
  std::remove_cvref_t<decltype(rows[0])> zeros{};
  std::vector<std::size_t> next;  // for each array, the offset of its next number
  for_each_number(zeros, [&]<class T>(const char*, const T&) {
    put_number(bytes, std::uint64_t{rows.size()});
    next.push_back(bytes.size());
    bytes.append((rows.size() * sizeof(T) + 7) / 8 * 8, '\0');
  });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    std::size_t* offset = next.data();
    for_each_number(row, [&](const char*, const auto& number) {
      std::memcpy(bytes.data() + *offset, &number, sizeof number);
      *offset++ += sizeof number;
    });
  }
}

/// View of a table in a byte buffer. Rows are decoded by index.
template <class Row>
class RowsAt {
 public:
  RowsAt() = default;
  /// Reads the arrays of a table with `least` to `most` rows. `table` is its name in messages.
  /// Errors  ByteError if the arrays have other sizes
  RowsAt(ByteReader& bytes, const std::string& table, std::uint64_t least, std::uint64_t most) {
    Row zeros{};
    for_each_number(zeros, [&]<class T>(const char* name, const T&) {
      const auto numbers = bytes.array<T>("values of " + table + "." + name, least, most);
      least = most = size_ = numbers.size();
      arrays_.push_back({numbers.data(), numbers.offset_of(0)});
    });
  }

  std::size_t size() const { return size_; }
  /// Stores the numbers of row `i` in `row`, and leaves its other members unchanged.
  /// Errors  ByteError if a number is infinite or NaN
  void read(std::size_t i, Row& row) const {
    const Array* array = arrays_.data();
    for_each_number(row, [&]<class T>(const char*, T& number) {
      const NumbersAt<T> numbers(array->at, size_, array->offset);
      ++array;
      number = numbers[i];
      if constexpr (std::is_floating_point_v<T>)
        if (!std::isfinite(number)) numbers.refuse(i, "a finite number");
    });
  }
  Row operator[](std::size_t i) const {
    Row row{};
    read(i, row);
    return row;
  }

 private:
  struct Array {
    const char* at;
    std::size_t offset;  // in the file
  };
  std::vector<Array> arrays_;
  std::size_t size_ = 0;
};

}  // namespace engram::bridge
