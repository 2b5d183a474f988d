// SPDX-License-Identifier: MIT
// Claims of an imported source, in the names of the source, before translation to Narsese.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <istream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bridge/files/sha256.hpp"

namespace engram::experiments {

/// Form of a claim in Narsese: <a --> b>, <{a} --> b>, <a <-> b>, or <(*,a,b) --> relation>.
enum class ClaimKind : std::uint8_t { inheritance, instance, similarity, relation };

/// Location in a source file, which is identified by its number. Lines and columns (in bytes) are counted from 1.
struct Place {
  std::uint32_t file = 0, line = 1, column = 1;
};

/// Index into Knowledge::names().
using NameId = std::uint32_t;

/// A statement of a source, before translation.
struct Claim {
  ClaimKind kind = ClaimKind::relation;
  NameId subject = 0, object = 0;
  NameId relation = 0;  // only if the kind is `relation`
  Place place;
};

/// A name of a source.
struct SourceName {
  std::string source;  // full, unique name in the source
  std::string wanted;  // preferred name in Narsese
  Place place;         // first occurrence
};

/// A message about an input.
struct Finding {
  std::string file;
  Place place;
  bool is_error = false;  // the input at this place was skipped
  std::string message;
  std::string alike;  // common part of similar warnings, for grouping; empty for errors
};
/// Callback for messages about an input.
using Tell = std::function<void(const Finding&)>;

/// Progress callback with the number of bytes read since the last call.
using Advance = std::function<void(std::size_t)>;

/// Collects the claims of all readers. Names are interned by their full name in the source.
class Knowledge {
 public:
  static constexpr std::size_t max_claims = 16'000'000;  // chosen: they take about 6 GB

  struct File {
    std::string name;
    std::string sha256;
  };

  explicit Knowledge(Tell tell) : tell_(std::move(tell)) {}

  /// Registers a file and returns its number for places. set_sha256() may set the digest later.
  std::uint32_t add_file(std::string name, std::string sha256 = "");
  void set_sha256(std::uint32_t file, std::string digest) { files_.at(file).sha256 = std::move(digest); }
  /// Interns a name.  Errors  core::WorkStopped
  NameId name(const std::string& source, const std::string& wanted, Place place);
  /// Adds a claim.  Errors  core::WorkStopped; SpecError beyond max_claims
  void add(const Claim& claim);
  /// Adds a held-out claim, which is only used for questions.
  void hold_out(const Claim& claim);

  void error(Place place, const std::string& message) const;
  void warning(Place place, const std::string& message, const std::string& alike) const;

  const std::vector<File>& files() const { return files_; }
  const std::deque<SourceName>& names() const { return names_; }
  const std::vector<Claim>& claims() const { return claims_; }
  const std::vector<Claim>& held_out() const { return held_out_; }

  /// Comment lines for the beginning of the written file, such as a licence.
  std::vector<std::string> remarks;

 private:
  void reserve(std::size_t bytes);

  Tell tell_;
  std::size_t unreserved_ = 0;  // bytes used since the last reservation
  std::vector<File> files_;
  std::deque<SourceName> names_;                      // a deque, because ids_ refers to the strings
  std::unordered_map<std::string_view, NameId> ids_;  // ids by SourceName::source
  std::vector<Claim> claims_, held_out_;
};

/// Reads a file block by block. The file may be larger than memory.
class SourceBlocks {
 public:
  static constexpr std::size_t block_bytes = std::size_t{1} << 16;

  SourceBlocks(std::istream& in, const Advance& advance) : in_(in), advance_(advance) {}
  /// Appends the next block to a text. Returns false at the end of the file.
  /// Errors  std::system_error if reading fails; core::WorkStopped
  bool append_to(std::string& text);
  /// SHA-256 of the bytes read so far.
  std::string digest() const { return hasher_.digest(); }

 private:
  std::istream& in_;
  const Advance& advance_;
  bridge::Sha256 hasher_;
};

/// Reads a file line by line, without line ends (LF or CRLF) and without a byte order mark at the start. The file may
/// be larger than memory.
class SourceLines {
 public:
  static constexpr std::size_t max_line_bytes = std::size_t{1} << 20;  // chosen: enough for any statement

  SourceLines(std::istream& in, const Advance& advance) : blocks_(in, advance) {}
  /// Reads the next line. Returns false at the end of the file.  Errors  as SourceBlocks::append_to
  bool next();
  std::string_view line() const { return line_; }
  std::uint32_t number() const { return number_; }
  /// Error message if the line exceeds max_line_bytes and was truncated; otherwise empty.
  std::string flaw() const;
  /// SHA-256 of the bytes read so far.
  std::string digest() const { return blocks_.digest(); }

 private:
  bool fill();

  SourceBlocks blocks_;
  std::string block_, line_;
  std::size_t at_ = 0;  // read position in block_
  std::uint32_t number_ = 0;
  bool is_too_long_ = false;
};

/// Adds random wrong claims until they are `share` of all claims. A wrong claim is a random claim with the object of
/// another claim of the same kind and relation. All wrong claims are distinct, and none is a claim or held-out claim of
/// the source. Adds fewer claims if ten draws per wanted claim do not suffice. Records the number of added claims in
/// `remarks`.
/// Cost     O(claims log claims)
/// Errors   core::WorkStopped; SpecError beyond Knowledge::max_claims
void add_wrong_claims(Knowledge& knowledge, double share, std::uint64_t seed);

}  // namespace engram::experiments
