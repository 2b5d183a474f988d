// SPDX-License-Identifier: MIT
#include "core/shards/fetched_links.hpp"

namespace engram::core {

void FetchedLinks::fetch(std::vector<std::uint64_t> names) {
  std::erase_if(names, [&](std::uint64_t name) { return rows_.contains(name); });
  if (names.empty()) return;
  struct Head {
    std::uint64_t name = 0, links = 0;
  };
  std::vector<Head> heads;
  std::vector<ShardedMemory::Link> own;
  for (const std::uint64_t name : names)
    if (const auto here = memory_.own_name(name)) {
      const auto row = memory_.links(*here);
      heads.push_back({name, row.size()});
      own.insert(own.end(), row.begin(), row.end());
    }
  const auto all_heads = gather(memory_.peers(), std::span<const Head>(heads)).items;
  const auto all = gather(memory_.peers(), std::span<const ShardedMemory::Link>(own)).items;
  auto at = all.begin();
  for (const auto& [name, links] : all_heads) {
    const auto end = at + static_cast<std::ptrdiff_t>(links);
    rows_[name].assign(at, end);
    at = end;
  }
}

}  // namespace engram::core
