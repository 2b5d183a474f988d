// SPDX-License-Identifier: MIT
// How processes that hold a memory together talk: the few calls that shards need, whatever carries them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

namespace engram::core {

/// Peers 0 .. size-1, of which this is one. All call the same functions in the same order; each waits for those it
/// needs something of. What one throws the others do not hear of: see agree() in core/shards/sharded_memory.hpp.
class Peers {
 public:
  virtual ~Peers() = default;
  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;

  /// Of `out` the first sizes_out[0] bytes go to peer 0, the next to peer 1, ...; `in` is filled likewise. All know
  /// what they will receive.
  virtual void all_to_all(const std::byte* out, std::span<const std::size_t> sizes_out, std::byte* in,
                          std::span<const std::size_t> sizes_in) = 0;
  /// What each of them has goes to all, behind one another.
  virtual void all_gather(std::span<const std::byte> own, std::byte* in,
                          std::span<const std::size_t> sizes_in) = 0;
  /// Bytes for one of them, which takes as many.
  virtual void send(std::size_t to, std::span<const std::byte> bytes) = 0;
  /// Waits for these.
  virtual void receive(std::size_t from, std::span<std::byte> bytes) = 0;
  /// The greatest of what they have.
  virtual double greatest(double x) = 0;

  /// What this one has given to others so far: bytes; how often all had to wait for all; how often one for the next.
  std::uint64_t sent() const { return sent_; }
  std::uint64_t meetings() const { return meetings_; }
  std::uint64_t turns() const { return turns_; }
  /// For in_turn() alone.
  void count_turn() { ++turns_; }

 protected:
  std::uint64_t sent_ = 0, meetings_ = 0;

 private:
  std::uint64_t turns_ = 0;
};

/// What came from each peer.
template <class T>
struct FromPeers {
  std::vector<T> items;
  std::vector<std::size_t> starts;  // of each peer's, and the end

  /// From one of them.
  std::span<const T> of(std::size_t peer) const {
    return std::span(items).subspan(starts[peer], starts[peer + 1] - starts[peer]);
  }
};

namespace peers_detail {

/// For what comes in so many bytes from each.
template <class T>
FromPeers<T> room_for(std::span<const std::size_t> sizes) {
  static_assert(std::is_trivially_copyable_v<T>);
  FromPeers<T> from;
  from.starts.assign(1, 0);
  for (const std::size_t bytes : sizes) from.starts.push_back(from.starts.back() + bytes / sizeof(T));
  from.items.resize(from.starts.back());
  return from;
}

}  // namespace peers_detail

/// to[r] goes to peer r.
template <class T>
FromPeers<T> exchange_lists(Peers& peers, const std::vector<std::vector<T>>& to) {
  const std::size_t n = peers.size();
  std::vector<std::size_t> sizes_out(n), sizes_in(n), words(n, sizeof(std::size_t));
  std::vector<T> out;
  for (std::size_t r = 0; r < n; ++r) {
    sizes_out[r] = to[r].size() * sizeof(T);
    out.insert(out.end(), to[r].begin(), to[r].end());
  }
  peers.all_to_all(std::as_bytes(std::span(sizes_out)).data(), words,
                   std::as_writable_bytes(std::span(sizes_in)).data(), words);
  auto from = peers_detail::room_for<T>(sizes_in);
  peers.all_to_all(std::as_bytes(std::span(out)).data(), sizes_out,
                   std::as_writable_bytes(std::span(from.items)).data(), sizes_in);
  return from;
}

/// What each has, at all of them.
template <class T>
FromPeers<T> gather(Peers& peers, std::span<const T> own) {
  const std::size_t bytes = own.size_bytes();
  std::vector<std::size_t> sizes(peers.size()), words(peers.size(), sizeof(std::size_t));
  peers.all_gather(std::as_bytes(std::span(&bytes, 1)), std::as_writable_bytes(std::span(sizes)).data(),
                   words);
  auto from = peers_detail::room_for<T>(sizes);
  peers.all_gather(std::as_bytes(own), std::as_writable_bytes(std::span(from.items)).data(), sizes);
  return from;
}

/// One number of each.
template <class T>
std::vector<T> gather_one(Peers& peers, const T& own) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(peers.size());
  const std::vector<std::size_t> sizes(peers.size(), sizeof(T));
  peers.all_gather(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(all)).data(), sizes);
  return all;
}

/// Where what this one has begins, where what all have is counted one peer after another; and how much there is.
struct Share {
  std::uint64_t begin = 0, all = 0;
};
inline Share share_of(Peers& peers, std::uint64_t own) {
  const auto counts = gather_one(peers, own);
  const auto mine = counts.begin() + static_cast<std::ptrdiff_t>(peers.rank());
  return {std::accumulate(counts.begin(), mine, std::uint64_t{0}),
          std::accumulate(counts.begin(), counts.end(), std::uint64_t{0})};
}

/// What the peer before has left off with, where there is one; else `begin`. `work` goes on from it, and hands its
/// own end to the next. At all: the end of the last one.
template <class T, class Work>
T in_turn(Peers& peers, T begin, const Work& work) {
  static_assert(std::is_trivially_copyable_v<T>);
  peers.count_turn();
  if (peers.rank() > 0) peers.receive(peers.rank() - 1, std::as_writable_bytes(std::span(&begin, 1)));
  work(begin);
  if (peers.rank() + 1 < peers.size()) peers.send(peers.rank() + 1, std::as_bytes(std::span(&begin, 1)));
  return gather_one(peers, begin).back();
}

}  // namespace engram::core
