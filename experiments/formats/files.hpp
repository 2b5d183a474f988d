// SPDX-License-Identifier: MIT
// Input errors, JSON, and files: safe opening, complete reading, and atomic writing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/files/files.hpp"
#include "bridge/files/sha256.hpp"
#include "bridge/json/json_reader.hpp"

namespace engram::experiments {

/// Error for an input file that cannot be opened: it is missing, a directory or a device, or permission is denied.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Error for an invalid spec, or a folder without a run. The message has the location (a JSON Pointer, an option, a
/// file or a folder), the requirement, the value found, and the nearest valid name. The message is legible
/// (markup.hpp).
struct SpecError : std::runtime_error {
  /// The message is "WHERE must be ..." if `message` begins with "must", otherwise "WHERE: MESSAGE".
  SpecError(std::string where, const std::string& message);
  explicit SpecError(const bridge::JsonError& error);
  std::string pointer;
};

using Json = nlohmann::ordered_json;

/// Limits for JSON files, far above the sizes of Engram's own files. Chosen; max_members bounds the cost of a
/// comparison of two specs.
inline constexpr bridge::JsonLimits file_limits{.max_bytes = std::size_t{64} << 20, .max_members = 10'000};

/// Parses a text within `file_limits`; empty if the text is not JSON.
std::optional<Json> json_in(std::string_view text);

/// Text of a JSON file: indented, with a line feed at the end.
std::string pretty(const Json& json);
/// Text of a JSONL file: each row on a line.
std::string json_lines(const std::vector<Json>& rows);

/// Returns a value of an untrusted row as a whole number, at least 0.
/// Errors  nlohmann::json::exception for anything else, and for numbers beyond std::size_t
std::size_t whole(const Json& value);

using bridge::sha256_of_text;
using bridge::sync;
using bridge::throw_file_error;
using bridge::write_all;
using bridge::write_file;

/// Opens a regular file for reading; follows links. Rejects pipes and devices, because reading them may block forever.
/// Errors  InputError
std::ifstream open_input(const std::filesystem::path& path);
/// Like open_input(), but returns a stream without data if the file does not exist.
std::ifstream open_if_there(const std::filesystem::path& path);
/// Like open_input(), but also accepts pipes, terminals and /dev/null, such as `<(...)` and /dev/stdin in a shell. Use
/// this function for input that is read once from start to end, with a limit on the stored bytes. Path - is standard
/// input.
std::ifstream open_stream(const std::filesystem::path& path);

/// Checks that an input was read without errors. Call this function after reading an input.
/// Errors  std::system_error if reading failed
void require_whole(const std::istream& in, const std::string& name);

/// Writes to a file, a pipe or a terminal, not atomically. Prefer write_file() for files of our own.
/// Errors  std::system_error
void write_stream(const std::filesystem::path& path, const std::string& text);

/// Checks that write_stream() would succeed. Call this function before long work. To test a missing file, it creates
/// and removes the file. Pipes are not tested.
/// Errors  std::system_error
void require_writable(const std::filesystem::path& path);

/// Reads a whole file.  Errors  InputError; std::system_error
std::string read_file(const std::filesystem::path& path);

/// SHA-256 of a file in lower-case hexadecimal.  Errors  InputError; std::system_error if reading fails
std::string sha256_of_file(const std::filesystem::path& path);

/// Parses a JSON file within file_limits.
/// `comments`  whether comments are allowed, as in specs
/// Errors      InputError; std::system_error; SpecError with the name of the file and the place in it
Json read_json(const std::filesystem::path& path, bool comments = false);

/// Reads the next line of a JSONL file, without its line feed. Returns false at the end of the file. If a line is
/// unterminated or exceeds the limit for JSON files, also returns false, and `line` is the beginning of that line.
bool next_row(std::istream& rows, std::string& line);
/// Reads the rows of a JSONL file, up to the first line that is unterminated or not JSON.
std::vector<Json> read_rows(const std::filesystem::path& path);

/// Flushes all files and folders below a folder to disk (fsync).  Errors  std::system_error
void sync_all(const std::filesystem::path& folder);

}  // namespace engram::experiments
