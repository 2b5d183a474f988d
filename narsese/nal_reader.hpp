// SPDX-License-Identifier: MIT
// Reads .nal files line by line: sentences, cycle counts, comments, commands and expectations.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <istream>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include "narsese/nal_line.hpp"
#include "narsese/parser.hpp"

namespace engram::narsese {

/// A batch of lines whose sentences are parsed into syntax trees. Terms and the sentences of expectations are missing:
/// NalReader adds them, because only its thread may use the term table.
struct LineBatch {
  std::vector<NalLine> lines;
  std::vector<std::size_t> sentences, expectations;  // indexes into lines
  std::vector<std::string_view> texts;               // text of each sentence
  SentenceTrees trees;                               // syntax tree of each sentence
};

/// Limits of a batch of lines. A batch ends after the line that reaches a limit, or when the stream's buffer is empty.
struct BatchSize {
  std::size_t lines = 128, bytes = std::size_t{1} << 16;  // chosen, not derived
};

/// Reads the lines of a stream in batches and parses them without a term table, so another thread can do it.
class LineBatchReader {
 public:
  static constexpr std::uint64_t max_cycles = 1'000'000'000;  // most cycles in one line; chosen, not derived

  LineBatchReader(std::istream& in, const ParseLimits& limits, Dialect dialect, const BatchSize& size)
      : in_(in), limits_(limits), dialect_(dialect), size_(size), parser_(dialect, limits) {}

  /// Replaces the contents of `batch` by the next lines; the batch is empty at the end of the stream. If a table is
  /// given, prefetches what making the terms in it will read (see Parser::read).
  void read(LineBatch& batch, const TermTable* ahead = nullptr);
  /// Returns the number of bytes that can be read from the stream without blocking.
  std::streamsize available() const { return in_.bad() ? 0 : in_.rdbuf()->in_avail(); }

 private:
  std::optional<NalLine> read_line();
  void check_line_form(NalLine& line, std::string_view text, std::size_t indent) const;

  std::istream& in_;
  ParseLimits limits_;
  Dialect dialect_;
  BatchSize size_;
  Parser parser_;
  std::size_t number_ = 0;
};

/// Options for reading ahead: when NalReader starts a second thread that parses later lines.
struct ReadAheadOptions {
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

  /// Bytes that a stream must have available before a thread is started. Chosen: the cost of a thread is negligible
  /// for this size. No pipe holds as much (Linux's pipe-max-size limits it), so the thread never waits for the other
  /// half of a line.
  std::size_t least_bytes = (std::size_t{1} << 20) + 1;
  std::size_t least_processors = 2;
  BatchSize batch = {};

  /// Whether to start a thread for a stream with `available` bytes.
  bool wants_thread(std::streamsize available) const {
    return least_bytes != never && available >= static_cast<std::streamsize>(least_bytes) &&
           std::thread::hardware_concurrency() >= least_processors;
  }
};

/// A thread that reads a stream while it has available bytes, at most `depth` batches ahead. Batches are bounded by
/// BatchSize plus one line. Trees take up to 56 bytes for each byte of text, 30 MiB in all. The reader and its stream
/// belong to the thread while this object exists.
class ReadAhead {
 public:
  static constexpr std::size_t depth = 4;

  /// Starts the thread.
  /// Errors   std::system_error if the system cannot start a thread
  explicit ReadAhead(LineBatchReader& reader);
  /// Stops the thread after its current batch and waits for it.
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// Returns the next batch, which is valid until the next call. Returns nullptr if the stream had no more available
  /// bytes; destroy this object then to get the reader back.
  /// Errors   rethrows an exception of the reading thread, after the batches read before it
  LineBatch* next();

 private:
  void work();
  bool wait_for_room();

  LineBatchReader& reader_;
  std::array<LineBatch, depth> ring_;
  // Counts of batches. The batch that next() returned last belongs to the caller.
  std::size_t read_ = 0, taken_ = 0, free_from_ = 0;
  bool ended_ = false, stop_ = false;
  std::exception_ptr failure_;
  // Not std::counting_semaphore: the one of g++ 12 may block forever (its bug 104928).
  std::mutex lock_;
  std::condition_variable changed_;
  std::jthread thread_;
};

/// Reads a .nal file or stream line by line. Memory is bounded by ParseLimits::max_line_bytes and one batch of lines.
/// The reader never blocks for more input while it has a complete line, so interactive pipes work. A byte order mark
/// and CRLF line ends are accepted. An invalid line becomes an error line and affects no other line.
///
/// If a stream has much available data, another thread parses the next lines (see ReadAhead). Lines, terms and the
/// contents of the table after each batch do not depend on this thread.
class NalReader {
 public:
  static constexpr std::uint64_t max_cycles = LineBatchReader::max_cycles;

  NalReader(std::istream& in, TermTable& table, const ParseLimits& limits = {},
            Dialect dialect = Dialect::any, const ReadAheadOptions& ahead = {})
      : table_(table),
        limits_(limits),
        ahead_options_(ahead),
        parser_(dialect, limits),
        reader_(in, limits, dialect, ahead.batch) {}

  /// Reads the next line. Returns nothing at the end of the stream or after a read error (see in.bad()).
  std::optional<NalLine> next();
  /// Whether the lines read so far leave a section of links open (link_judgement.hpp).
  bool in_links() const { return in_links_; }
  /// Opens or closes a section of links. Use this to continue a section that an earlier reader left open.
  void set_in_links(bool in_links) { in_links_ = in_links; }
  /// Whether the current batch has lines that next() has not returned. The table already has their terms.
  bool has_lines_ahead() const { return next_ < batch_->lines.size(); }
  /// The lines of the current batch that next() has not returned.
  std::span<const NalLine> lines_ahead() const { return std::span(batch_->lines).subspan(next_); }

 private:
  void read_batch();
  void add_terms(LineBatch& batch);
  void check_needed(NalLine& line);
  void detect_link(NalLine& line);

  TermTable& table_;
  ParseLimits limits_;
  ReadAheadOptions ahead_options_;
  Parser parser_;
  bool has_question_ = false;
  bool in_links_ = false;
  LineBatchReader reader_;
  LineBatch own_;
  LineBatch* batch_ = &own_;  // lines before next_ were moved out
  std::size_t next_ = 0;
  std::unique_ptr<ReadAhead> ahead_;  // uses reader_
};

}  // namespace engram::narsese
