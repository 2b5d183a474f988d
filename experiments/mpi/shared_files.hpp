// SPDX-License-Identifier: MIT
// Files that all ranks read parts of.
#pragma once

#include <boost/interprocess/mapped_region.hpp>
#include <string>
#include <vector>

#include "core/shards/peers.hpp"
#include "core/shards/slice.hpp"

namespace engram::experiments::mpi {

/// The same files at each rank: of the same length, and the same where 64 blocks of 4 KiB were compared, evenly
/// spread. No rank reads all of a file.
class SharedFiles {
 public:
  /// Errors  InputError at all ranks for a file that one cannot read, or that is another at one of
  ///         them, with rank and path
  SharedFiles(core::Peers& peers, const std::vector<std::string>& names);
  std::span<const core::SharedText> texts() const { return texts_; }

 private:
  void open(const std::string& name);

  std::vector<boost::interprocess::mapped_region> regions_;
  std::vector<core::SharedText> texts_;
};

}  // namespace engram::experiments::mpi
