// SPDX-License-Identifier: MIT
// What a source of knowledge says, in the source's own names, before it is Narsese.
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

/// How a source's statement is written: <a --> b>, <{a} --> b>, <a <-> b>, or <(*,a,b) --> relation>.
enum class ClaimKind : std::uint8_t { inheritance, instance, similarity, relation };

/// Where something stands: a file by its number, line and byte of the line counted from 1.
struct Place {
  std::uint32_t file = 0, line = 1, column = 1;
};

using NameId = std::uint32_t;

struct Claim {
  ClaimKind kind = ClaimKind::relation;
  NameId subject = 0, object = 0;
  NameId relation = 0;  // where the kind is `relation`
  Place place;
};

struct SourceName {
  std::string source;  // in full: nothing else has the same
  std::string wanted;  // how it should be called
  Place place;         // where it was met first
};

/// Something to be told of an input.
struct Finding {
  std::string file;
  Place place;
  bool is_error = false;  // what stands there was left out
  std::string message;
  std::string alike;  // what many of its kind have in common; an error's is empty
};
using Tell = std::function<void(const Finding&)>;

/// How many more bytes of the inputs have been read.
using Advance = std::function<void(std::size_t)>;

/// What readers gather. Names are interned by what they are in the source.
class Knowledge {
 public:
  static constexpr std::size_t max_claims = 16'000'000;  // chosen: they take some 6 GB

  struct File {
    std::string name;
    std::string sha256;
  };

  explicit Knowledge(Tell tell) : tell_(std::move(tell)) {}

  /// The number of a file, for places. What its digest is may be told once it has been read.
  std::uint32_t add_file(std::string name, std::string sha256 = "");
  void set_sha256(std::uint32_t file, std::string digest) { files_.at(file).sha256 = std::move(digest); }
  /// Errors  core::WorkStopped
  NameId name(const std::string& source, const std::string& wanted, Place place);
  /// Errors  core::WorkStopped; SpecError beyond max_claims
  void add(const Claim& claim);
  /// The same for what is only asked about.
  void hold_out(const Claim& claim);

  void error(Place place, const std::string& message) const;
  void warning(Place place, const std::string& message, const std::string& alike) const;

  const std::vector<File>& files() const { return files_; }
  const std::deque<SourceName>& names() const { return names_; }
  const std::vector<Claim>& claims() const { return claims_; }
  const std::vector<Claim>& held_out() const { return held_out_; }

  /// Lines of text that stand at the head of what is written, such as a licence.
  std::vector<std::string> remarks;

 private:
  void claim(std::size_t bytes);

  Tell tell_;
  std::size_t unclaimed_ = 0;  // bytes
  std::vector<File> files_;
  std::deque<SourceName> names_;                      // which stay where they are
  std::unordered_map<std::string_view, NameId> ids_;  // by `source`
  std::vector<Claim> claims_, held_out_;
};

/// The bytes of a file, block by block. A file may be larger than memory.
class SourceBlocks {
 public:
  static constexpr std::size_t block_bytes = std::size_t{1} << 16;

  SourceBlocks(std::istream& in, const Advance& advance) : in_(in), advance_(advance) {}
  /// Appends the next block to a text; false at the end of the file.
  /// Errors  std::system_error if the file cannot be read further; core::WorkStopped
  bool append_to(std::string& text);
  /// SHA-256 of what has been read.
  std::string digest() const { return hasher_.digest(); }

 private:
  std::istream& in_;
  const Advance& advance_;
  bridge::Sha256 hasher_;
};

/// The lines of a file, one by one, without their ends (LF or CRLF) and without a byte order mark at the start. A file may be
/// larger than memory.
class SourceLines {
 public:
  static constexpr std::size_t max_line_bytes = std::size_t{1} << 20;  // chosen: room for any statement

  SourceLines(std::istream& in, const Advance& advance) : blocks_(in, advance) {}
  /// Errors  as SourceBlocks::append_to
  bool next();
  std::string_view line() const { return line_; }
  std::uint32_t number() const { return number_; }
  /// Why the line cannot be read, and only its beginning is there: it has more than max_line_bytes. Empty: it can.
  std::string flaw() const;
  /// SHA-256 of what has been read.
  std::string digest() const { return blocks_.digest(); }

 private:
  bool fill();

  SourceBlocks blocks_;
  std::string block_, line_;
  std::size_t at_ = 0;  // of the block
  std::uint32_t number_ = 0;
  bool is_too_long_ = false;
};

}  // namespace engram::experiments
