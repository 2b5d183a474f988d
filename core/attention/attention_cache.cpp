// SPDX-License-Identifier: MIT
#include "core/attention/attention_cache.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers/numeric.hpp"

namespace engram::core {

AttentionCache::AttentionCache(Index key_dimensions, Index value_dimensions, AttentionCacheOptions options)
    : key_dimensions_(key_dimensions), value_dimensions_(value_dimensions), options_(options) {
  require(key_dimensions >= 1 && value_dimensions >= 1, "keys and values need at least one dimension");
  require(std::isfinite(options.scale), "the scale must be finite", options.scale);
  require(!options.window || *options.window >= 0, "the width of a window must not be negative");
}

void AttentionCache::append(const Vector& key, const Vector& value) {
  require_size("key", key.size(), key_dimensions_);
  require_size("value", value.size(), value_dimensions_);
  keys_.insert(keys_.end(), key.begin(), key.end());
  values_.insert(values_.end(), value.begin(), value.end());
  ++size_;
}

AttentionCache::Step AttentionCache::attend(const Vector& query, const Vector& bias) const {
  require_size("query", query.size(), key_dimensions_);
  if (bias.size() > 0) require_size("bias", bias.size(), size_);
  Step step{Vector::Zero(size_), Vector::Zero(value_dimensions_)};
  if (size_ == 0) return step;

  const Index first = options_.window ? std::max<Index>(size_ - 1 - *options_.window, 0) : 0;
  Vector weights(size_ - first);
  for (Index j = first; j < size_; ++j) {
    const std::span key(keys_.data() + j * key_dimensions_, static_cast<std::size_t>(key_dimensions_));
    weights[j - first] = dot(as_span(query), key) * options_.scale + (bias.size() > 0 ? bias[j] : 0.0);
  }
  if (options_.map) weights = apply(*options_.map, weights);
  step.weights.tail(weights.size()) = weights;
  for (Index j = first; j < size_; ++j) {
    const double weight = weights[j - first];
    if (weight == 0) continue;
    const double* value = values_.data() + j * value_dimensions_;
    for (Index d = 0; d < value_dimensions_; ++d) step.output[d] += weight * value[d];
  }
  return step;
}

}  // namespace engram::core
