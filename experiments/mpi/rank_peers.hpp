// SPDX-License-Identifier: MIT
// Ranks of MPI as the peers of a sharded memory.
#pragma once

#include <boost/mpi/communicator.hpp>

#include "core/shards/peers.hpp"

namespace engram::experiments::mpi {

/// Over a communicator of its own, made from that of all: who makes one waits until all have.
class RankPeers final : public core::Peers {
 public:
  explicit RankPeers(const boost::mpi::communicator& all) : world_(all, boost::mpi::comm_duplicate) {}
  std::size_t rank() const override { return static_cast<std::size_t>(world_.rank()); }
  std::size_t size() const override { return static_cast<std::size_t>(world_.size()); }

  void all_to_all(const std::byte* out, std::span<const std::size_t> sizes_out, std::byte* in,
                  std::span<const std::size_t> sizes_in) override;
  void all_gather(std::span<const std::byte> own, std::byte* in,
                  std::span<const std::size_t> sizes_in) override;
  void send(std::size_t to, std::span<const std::byte> bytes) override;
  void receive(std::size_t from, std::span<std::byte> bytes) override;
  double greatest(double x) override;

 private:
  boost::mpi::communicator world_;
};

}  // namespace engram::experiments::mpi
