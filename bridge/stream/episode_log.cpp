// SPDX-License-Identifier: MIT
#include "bridge/stream/episode_log.hpp"

namespace engram::bridge {
namespace {

std::size_t bytes_of(const Episode& episode) { return sizeof(Episode) + episode.term.capacity(); }

}  // namespace

std::uint64_t EpisodeLog::add(Episode::Kind kind, std::string term, std::int64_t time, bool passed) {
  episodes_.push_back({kind, std::move(term), time, ++numbered_, passed});
  bytes_ += bytes_of(episodes_.back());
  while (episodes_.size() > most_ || bytes_ > most_bytes_) {
    bytes_ -= bytes_of(episodes_.front());
    episodes_.pop_front();
  }
  return numbered_;
}

void EpisodeLog::pass(std::uint64_t number) {
  if (episodes_.empty() || number < episodes_.front().number || number > numbered_) return;
  episodes_[static_cast<std::size_t>(number - episodes_.front().number)].passed = true;
}

std::vector<Episode> EpisodeLog::of(std::string_view term, std::size_t most) const {
  std::vector<Episode> found;
  for (auto episode = episodes_.rbegin(); episode != episodes_.rend() && found.size() < most; ++episode)
    if (episode->term == term) found.push_back(*episode);
  return found;
}

}  // namespace engram::bridge
