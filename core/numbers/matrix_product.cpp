// SPDX-License-Identifier: MIT
#include "core/numbers/matrix_product.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

// Chosen: 4 by 4 sums are 8 of the 16 registers that every x86-64 has.
constexpr Index block = 4;
using Four = Eigen::Array<double, block, 1>;

// Columns first .. first + block-1 of B beside each other, zeros where there are none.
void pack(const Matrix& b, Index first, std::vector<double>& packed) {
  const Index count = std::min(block, b.cols() - first);
  for (Index k = 0; k < b.rows(); ++k)
    for (Index j = 0; j < block; ++j)
      packed[static_cast<std::size_t>(k * block + j)] = j < count ? b(k, first + j) : 0.0;
}

// `Rows` rows of A, from `a`, against packed columns; the sums go to the first `columns` places of rows of C.
template <Index Rows>
void multiply_block(const double* a, Index terms, const double* packed, double* c, Index stride,
                    Index columns) {
  std::array<Four, static_cast<std::size_t>(Rows)> sums;
  sums.fill(Four::Zero());
  for (Index k = 0; k < terms; ++k) {
    const Four b = Eigen::Map<const Four>(packed + k * block);
    for (Index i = 0; i < Rows; ++i) sums[static_cast<std::size_t>(i)] += a[i * terms + k] * b;
  }
  for (Index i = 0; i < Rows; ++i)
    for (Index j = 0; j < columns; ++j) c[i * stride + j] = sums[static_cast<std::size_t>(i)][j];
}

}  // namespace

Matrix product(const Matrix& a, const Matrix& b) {
  require_size("rows of the right factor", b.rows(), a.cols());
  Matrix c(a.rows(), b.cols());
  std::vector<double> packed(static_cast<std::size_t>(b.rows() * block));
  for (Index j = 0; j < b.cols(); j += block) {
    charge(static_cast<std::uint64_t>(a.size()) * block);
    pack(b, j, packed);
    const Index columns = std::min(block, b.cols() - j);
    Index i = 0;
    for (; i + block <= a.rows(); i += block)
      multiply_block<block>(a.data() + i * a.cols(), a.cols(), packed.data(), c.data() + i * c.cols() + j,
                            c.cols(), columns);
    for (; i < a.rows(); ++i)
      multiply_block<1>(a.data() + i * a.cols(), a.cols(), packed.data(), c.data() + i * c.cols() + j,
                        c.cols(), columns);
  }
  return c;
}

}  // namespace engram::core
