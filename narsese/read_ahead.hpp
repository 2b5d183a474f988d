// SPDX-License-Identifier: MIT
// A thread that reads a stream ahead of who makes terms of it: bytes become lines and plain trees there, batch
// k + 1 while batch k is taken in.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

#include "narsese/line_batch.hpp"

namespace engram::narsese {

/// When another thread reads ahead, and how much at a time.
struct ReadAheadOptions {
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

  /// How much a stream must have at hand for a thread to be started. Chosen: a thread's start is nothing beside
  /// reading so much, and no pipe holds more (unless its owner may exceed Linux's pipe-max-size), so that no
  /// thread waits for who writes the other half of a line.
  std::size_t least_bytes = (std::size_t{1} << 20) + 1;
  std::size_t least_processors = 2;
  BatchSize batch = {};

  /// Whether a thread pays for a stream with so much at hand.
  bool wants_thread(std::streamsize at_hand) const {
    return least_bytes != never && at_hand >= static_cast<std::streamsize>(least_bytes) &&
           std::thread::hardware_concurrency() >= least_processors;
  }
};

/// Reads as long as the stream has anything at hand, `depth` batches ahead at most: of 128 lines or 64 KiB each
/// (BatchSize), and a line more, with trees of some 56 bytes a byte of text at worst, 30 MiB in all. While it
/// lives the reader and its stream belong to its thread.
class ReadAhead {
 public:
  static constexpr std::size_t depth = 4;

  /// Errors  std::system_error where no thread can be had
  explicit ReadAhead(LineBatchReader& reader);
  /// Ends reading at the end of the batch that is being read.
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// The next batch, until the next call; nullptr where the stream had no more at hand: the reader is then the
  /// caller's again, once this is gone.  Errors  what reading threw, behind the batches read before
  LineBatch* next();

 private:
  void work();
  bool wait_for_room();

  LineBatchReader& reader_;
  std::array<LineBatch, depth> ring_;
  // Of all batches so far; the one that was given last is the caller's.
  std::size_t read_ = 0, given_ = 0, free_from_ = 0;
  bool ended_ = false, stop_ = false;
  std::exception_ptr failure_;
  // Not std::counting_semaphore: that of g++ 12 may sleep for ever (its bug 104928).
  std::mutex lock_;
  std::condition_variable changed_;
  std::jthread thread_;
};

}  // namespace engram::narsese
