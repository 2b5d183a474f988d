// SPDX-License-Identifier: MIT
// What a reasoner that is full gives up, and where it finds what it keeps.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace engram::bridge {

/// How much a control would rather keep a sentence than others: the larger pair.
using Retention = std::pair<double, double>;

/// Where ids that count from 0 have gone: what is kept stays in order, without gaps.
class KeptIds {
 public:
  static constexpr std::uint32_t gone = 0xFFFFFFFF;

  explicit KeptIds(const std::vector<bool>& kept) {
    kept_before_.reserve(kept.size() + 1);
    kept_before_.push_back(0);
    for (const bool keeps : kept) kept_before_.push_back(kept_before_.back() + (keeps ? 1 : 0));
  }

  /// Whether what had this number stays.
  bool keeps(std::uint32_t before) const { return kept_before_[before] != kept_before_[before + 1]; }
  std::uint32_t operator()(std::uint32_t before) const { return keeps(before) ? kept_before_[before] : gone; }
  /// How many of the first so many are kept.
  std::uint32_t of_first(std::size_t count) const { return kept_before_[count]; }
  std::uint32_t kept() const { return kept_before_.back(); }

  /// One item an id, from 0 on; it may have less than there are ids.
  template <class T>
  void close_up(std::vector<T>& each) const {
    for (std::uint32_t id = 0; id < each.size(); ++id)
      if (keeps(id) && kept_before_[id] != id) each[kept_before_[id]] = std::move(each[id]);
    each.erase(each.begin() + of_first(each.size()), each.end());
    each.shrink_to_fit();
  }
  /// A list of ids.
  void rename(std::vector<std::uint32_t>& ids) const {
    std::erase_if(ids, [&](std::uint32_t id) { return !keeps(id); });
    for (std::uint32_t& id : ids) id = kept_before_[id];
    ids.shrink_to_fit();
  }

 private:
  std::vector<std::uint32_t> kept_before_;
};

/// What was forgotten of both, as everyone who has ids must hear.
struct Forgotten {
  KeptIds sentences, names;

  /// Lists of sentences, one a name.
  void rename_by_name(std::vector<std::vector<std::uint32_t>>& lists) const {
    names.close_up(lists);
    for (auto& list : lists) sentences.rename(list);
  }
};

}  // namespace engram::bridge
