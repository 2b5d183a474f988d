// SPDX-License-Identifier: MIT
// Reads .nal files line by line: sentences, cycle counts, comments, commands and expectations, all kept.
#pragma once

#include <istream>
#include <memory>
#include <optional>
#include <span>

#include "narsese/line_batch.hpp"
#include "narsese/nal_line.hpp"
#include "narsese/parser.hpp"
#include "narsese/read_ahead.hpp"

namespace engram::narsese {

/// Reads a stream to its end, in memory bounded by ParseLimits::max_line_bytes and a few dozen lines read
/// ahead, of some 64 KiB; never ahead of what the stream has at hand, so a talk over a pipe does not stall. A
/// byte order mark and CRLF line ends are accepted. A bad line is reported in its place and harms no other.
/// Where a stream has much at hand, another thread reads ahead of the terms (narsese/read_ahead.hpp): the lines,
/// the terms and what is in the table after each batch of lines are the same.
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

  /// The next line, or nothing at the end of the stream (or where it cannot be read further: see in.bad()).
  std::optional<NalLine> next();
  /// Whether a section of links is open (narsese/link_judgement.hpp) behind the lines read so far.
  bool in_links() const { return in_links_; }
  /// Opens a section of links or closes it. Use this to go on in a section that an earlier reader left open.
  void set_in_links(bool in_links) { in_links_ = in_links; }
  /// Whether lines were read ahead, whose terms are in the table, that next() has not told yet.
  bool is_ahead() const { return next_ < batch_->lines.size(); }
  /// These lines.
  std::span<const NalLine> lines_ahead() const { return std::span(batch_->lines).subspan(next_); }

 private:
  void read_batch();
  void add_terms(LineBatch& batch);
  void check_needed(NalLine& line);
  void find_link(NalLine& line);

  TermTable& table_;
  ParseLimits limits_;
  ReadAheadOptions ahead_options_;
  Parser parser_;
  bool has_asked_ = false;
  bool in_links_ = false;
  LineBatchReader reader_;
  LineBatch own_;
  LineBatch* batch_ = &own_;  // whose lines before next_ are gone
  std::size_t next_ = 0;
  std::unique_ptr<ReadAhead> ahead_;  // uses reader_
};

}  // namespace engram::narsese
