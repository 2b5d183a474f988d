// SPDX-License-Identifier: MIT
// File access: safe opening, complete reading, and atomic writing.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bridge/files/files.hpp"
#include "bridge/files/sha256.hpp"
#include "experiments/formats/errors.hpp"
#include "experiments/formats/json.hpp"

namespace engram::experiments {

using bridge::sha256_of_text;
using bridge::sync;
using bridge::throw_file_error;
using bridge::write_all;
using bridge::write_file;

/// Opens a regular file for reading; follows links. Rejects pipes and devices, because reading them may block forever.
/// Errors  InputError
std::ifstream open_input(const std::filesystem::path& path);
/// As open_input(). If the file does not exist, returns a stream that cannot be read.
std::ifstream open_if_there(const std::filesystem::path& path);
/// As open_input(), but also accepts pipes, terminals and /dev/null, such as `<(...)` and /dev/stdin in a shell. Use it
/// for input that is read once from start to end, with a limit on the stored bytes. Path - is standard input.
std::ifstream open_stream(const std::filesystem::path& path);

/// Checks that an input was read completely. Call it at the end of every input.
/// Errors  std::system_error if reading failed
void require_whole(const std::istream& in, const std::string& name);

/// Overwrites a file, a pipe or a terminal. This is not atomic; use write_file for everything else.
/// Errors  std::system_error
void write_stream(const std::filesystem::path& path, const std::string& text);

/// Checks that write_stream() would succeed. Call it before long work. A missing file is created and removed; pipes are
/// not tried.
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

/// Reads the next line of a JSONL file, without its line feed. Returns false at the end of the file. Also returns
/// false, with the beginning of the line, if the line has no line feed or exceeds the limit for JSON files.
bool next_row(std::istream& rows, std::string& line);
/// Reads the rows of a JSONL file, up to the first line that is unterminated or not a JSON object.
std::vector<Json> read_rows(const std::filesystem::path& path);

/// Flushes all files and folders below a folder to disk (fsync).  Errors  std::system_error
void sync_all(const std::filesystem::path& folder);

}  // namespace engram::experiments
