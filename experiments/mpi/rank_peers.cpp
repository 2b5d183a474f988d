// SPDX-License-Identifier: MIT
// Boost.MPI has no call for blocks of different lengths between all ranks: those are MPI's own.
#include "experiments/mpi/rank_peers.hpp"

#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/operations.hpp>
#include <limits>
#include <vector>

namespace engram::experiments::mpi {
namespace {

// MPI counts in int.
constexpr std::size_t most_at_once = std::size_t{1} << 30;

struct Blocks {
  std::vector<int> counts, starts;
  bool fit = true;

  explicit Blocks(std::span<const std::size_t> sizes) {
    std::size_t start = 0;
    for (const std::size_t size : sizes) {
      fit = fit && start + size <= static_cast<std::size_t>(std::numeric_limits<int>::max());
      counts.push_back(fit ? static_cast<int>(size) : 0);
      starts.push_back(fit ? static_cast<int>(start) : 0);
      start += size;
    }
  }
};

// In pieces that MPI can count, the same ones on both sides.
template <class Each>
void in_pieces(std::size_t bytes, const Each& each) {
  for (std::size_t at = 0; at < bytes; at += most_at_once)
    each(at, static_cast<int>(std::min(most_at_once, bytes - at)));
}

void check(int code) {
  if (code != MPI_SUCCESS) throw boost::mpi::exception("MPI", code);
}

}  // namespace

void RankPeers::all_to_all(const std::byte* out, std::span<const std::size_t> sizes_out, std::byte* in,
                           std::span<const std::size_t> sizes_in) {
  const Blocks to(sizes_out), from(sizes_in);
  ++meetings_;
  for (std::size_t r = 0; r < size(); ++r) sent_ += r == rank() ? 0 : sizes_out[r];
  // All must take the same way.
  if (greatest(to.fit && from.fit ? 0 : 1) == 0) {
    check(MPI_Alltoallv(out, to.counts.data(), to.starts.data(), MPI_BYTE, in, from.counts.data(),
                        from.starts.data(), MPI_BYTE, world_));
    return;
  }
  std::vector<MPI_Request> requests;
  std::size_t out_at = 0, in_at = 0;
  constexpr int tag = 1;
  for (std::size_t r = 0; r < size(); ++r) {
    in_pieces(sizes_in[r], [&](std::size_t at, int bytes) {
      check(MPI_Irecv(in + in_at + at, bytes, MPI_BYTE, static_cast<int>(r), tag, world_,
                      &requests.emplace_back()));
    });
    in_at += sizes_in[r];
  }
  for (std::size_t r = 0; r < size(); ++r) {
    in_pieces(sizes_out[r], [&](std::size_t at, int bytes) {
      check(MPI_Isend(out + out_at + at, bytes, MPI_BYTE, static_cast<int>(r), tag, world_,
                      &requests.emplace_back()));
    });
    out_at += sizes_out[r];
  }
  check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
}

void RankPeers::all_gather(std::span<const std::byte> own, std::byte* in,
                           std::span<const std::size_t> sizes_in) {
  const Blocks from(sizes_in);
  ++meetings_;
  sent_ += own.size() * (size() - 1);
  if (!from.fit)
    throw std::length_error(
        "what all ranks tell all must be less than 2 GiB together: take more ranks, or a map "
        "that gives most statements nothing");
  check(MPI_Allgatherv(own.data(), static_cast<int>(own.size()), MPI_BYTE, in, from.counts.data(),
                       from.starts.data(), MPI_BYTE, world_));
}

void RankPeers::send(std::size_t to, std::span<const std::byte> bytes) {
  sent_ += bytes.size();
  in_pieces(bytes.size(), [&](std::size_t at, int size) {
    check(MPI_Send(bytes.data() + at, size, MPI_BYTE, static_cast<int>(to), 0, world_));
  });
}

void RankPeers::receive(std::size_t from, std::span<std::byte> bytes) {
  in_pieces(bytes.size(), [&](std::size_t at, int size) {
    check(MPI_Recv(bytes.data() + at, size, MPI_BYTE, static_cast<int>(from), 0, world_, MPI_STATUS_IGNORE));
  });
}

double RankPeers::greatest(double x) {
  ++meetings_;
  return boost::mpi::all_reduce(world_, x, boost::mpi::maximum<double>());
}

}  // namespace engram::experiments::mpi
