// SPDX-License-Identifier: MIT
// Files: opened so that reading them ends, read whole, written whole or not at all.
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

/// Opens a file for reading: a regular one, after links. A pipe or a device may never end, or never begin.
/// Errors  InputError
std::ifstream open_input(const std::filesystem::path& path);
/// The same; where nothing is there, a stream that cannot be read.
std::ifstream open_if_there(const std::filesystem::path& path);
/// The same as open_input of what is read once, from its beginning to its end, with limits on what is kept of
/// it: a pipe, a terminal and /dev/null too, as `<(...)` and /dev/stdin of a shell are; no other device. The path -
/// is standard input.
std::ifstream open_stream(const std::filesystem::path& path);

/// To be called at the end of an input: half of a file must not pass for the whole.
/// Errors  std::system_error if reading failed halfway
void require_whole(const std::istream& in, const std::string& name);

/// Over what is there, which may be a pipe or a terminal: so half of it may be left. write_file is for all else.
/// Errors  std::system_error
void write_stream(const std::filesystem::path& path, const std::string& text);

/// To be called before long work: write_stream() would fail now. Nothing is changed; a file that is not there is made
/// and removed again. A pipe is not tried.
/// Errors  std::system_error
void require_writable(const std::filesystem::path& path);

/// Errors  InputError; std::system_error
std::string read_file(const std::filesystem::path& path);

/// SHA-256 as lower-case hexadecimal.  Errors  InputError; std::system_error where reading fails halfway
std::string sha256_of_file(const std::filesystem::path& path);

/// What is in a JSON file, within file_limits.
/// `comments`  whether it may have some, as specs may
/// Errors  InputError; std::system_error; SpecError under the file's name, with the place in it
Json read_json(const std::filesystem::path& path, bool comments = false);

/// Reads the next line of a JSONL file, without its line feed. False where none is left, and, with its
/// beginning, where it ends in none or is longer than a JSON file may be.
bool next_row(std::istream& rows, std::string& line);
/// The lines of a JSONL file that end in a line feed and are objects of JSON, up to the first that is not.
std::vector<Json> read_rows(const std::filesystem::path& path);

/// Everything under the folder, and its names.  Errors  std::system_error
void sync_all(const std::filesystem::path& folder);

}  // namespace engram::experiments
