// SPDX-License-Identifier: MIT
#include "core/single_precision/float_questions.hpp"

#include "core/numbers/numeric.hpp"

namespace engram::core::packed {

std::vector<float> rounded_queries(const PackedKeys& keys, const Matrix& queries, double scale) {
  require_size("columns of queries", queries.cols(), keys.columns());
  require(std::isfinite(scale), "scale must be finite", scale);
  std::vector<float> rounded;
  rounded.reserve(size(queries.size()));
  for (Index i = 0; i < queries.rows(); ++i) {
    double total = 0;
    for (const double q : row_span(queries, i)) {
      require(std::isfinite(q), "queries must be finite", q);
      total += std::abs(q * scale);
    }
    require(total <= 0x1p120 && total * static_cast<double>(keys.largest()) <= 0x1p120,
            "scores would leave the range of float");
    for (const double q : row_span(queries, i)) rounded.push_back(static_cast<float>(q * scale));
  }
  return rounded;
}

double answer(const Means& spans, std::size_t queries, std::size_t query, std::vector<double>& sums,
              std::span<double> out) {
  float top = -std::numeric_limits<float>::infinity();
  for (std::size_t i = query; i < spans.tops.size(); i += queries) top = std::max(top, spans.tops[i]);
  double total = 0;
  std::fill(sums.begin(), sums.end(), 0.0);
  for (std::size_t i = query; i < spans.tops.size(); i += queries) {
    const double share = exp(ln2 * (double{spans.tops[i]} - double{top}));
    total += share * spans.totals[i];
    for (std::size_t c = 0; c < spans.width; ++c) sums[c] += share * spans.sums[i * spans.width + c];
  }
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = sums[c] / total;
  return log(total) + ln2 * double{top};
}

}  // namespace engram::core::packed
