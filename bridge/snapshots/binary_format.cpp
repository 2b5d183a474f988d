// SPDX-License-Identifier: MIT
#include "bridge/snapshots/binary_format.hpp"

#include <vector>

#include "core/numbers/work_budget.hpp"

namespace engram::bridge::binary_format {

std::string beginning(std::string_view magic) {
  std::string bytes(magic);
  put_number(bytes, version);
  put_number(bytes, byte_order);
  return bytes;
}

void read_beginning(ByteReader& bytes, std::string_view magic, std::string_view what) {
  for (const char expected : magic)
    if (const auto found = bytes.number<char>("a magic number"); found != expected)
      throw ByteError(bytes.offset() - 1, "this is no " + std::string(what) + " of Engram");
  const auto found = bytes.number<std::uint32_t>("a version");
  if (found != version)
    throw ByteError(bytes.offset() - 4, "a " + std::string(what) + " of another version (" +
                                            std::to_string(found) + "), known is " + std::to_string(version));
  if (bytes.number<std::uint32_t>("a byte order") != byte_order)
    throw ByteError(bytes.offset() - 4,
                    "expected the least significant byte of numbers first, found another order");
}

void put_budget(std::string& bytes, const core::SparseVector& budget) {
  std::vector<std::uint32_t> ids;
  std::vector<double> shares;
  budget.each([&](std::uint32_t id, double share) {
    ids.push_back(id);
    shares.push_back(share);
  });
  put_number(bytes, static_cast<std::uint64_t>(budget.size()));
  put_array(bytes, ids);
  put_array(bytes, shares);
}

core::Vector read_budget(ByteReader& bytes, std::size_t most) {
  const auto size = bytes.number<std::uint64_t>("the size of a budget");
  if (size > most)
    bytes.refuse("a budget of at most " + std::to_string(most) + " before", std::to_string(size));
  const auto ids = bytes.array<std::uint32_t>("ids of a budget", 0, size);
  const auto shares = bytes.array<double>("shares of a budget", ids.size(), ids.size());
  const core::Reservation claim(size * sizeof(double));
  core::Vector budget = core::Vector::Zero(static_cast<core::Index>(size));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= size || (i > 0 && ids[i] <= ids[i - 1])) ids.refuse(i, "ascending ids");
    if (!(shares[i] > 0 && shares[i] <= 1)) shares.refuse(i, "a share in (0, 1]");
    budget[ids[i]] = shares[i];
  }
  return budget;
}

}  // namespace engram::bridge::binary_format
