// SPDX-License-Identifier: MIT
// A Narsese file as an experiment sees it: a memory of what it states, and what it asks.
#pragma once

#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/session/session.hpp"
#include "experiments/runs/spec.hpp"

namespace engram::experiments {

/// A question and what its author expects.
struct Question {
  std::size_t line = 0;
  narsese::Sentence sentence;
  std::vector<narsese::Sentence> expected;  // answers
  std::vector<core::StatementId> needed;    // premises of the shortest proof, where the file names them
};

struct Corpus {
  std::string name;
  std::unique_ptr<core::Session> session;
  std::vector<Question> questions;
  std::vector<std::size_t> lines;       // where each statement was said first
  std::vector<narsese::Sentence> said;  // judgments and goals in their order, each time they were said
  std::vector<core::RejectedLine> rejected;
};

/// An input file that cannot be opened: missing, a directory, a device, no permission.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Opens a file for reading: a regular one, after links. A pipe or a device may never end, or never begin.
/// Errors  InputError
std::ifstream open_input(const std::filesystem::path& path);
/// The same; where nothing is there, a stream that cannot be read.
std::ifstream open_if_there(const std::filesystem::path& path);
/// The same as open_input of what is read once, from its beginning to its end, with limits on what is kept of
/// it: a pipe, a terminal and /dev/null too, as `<(...)` and /dev/stdin of a shell are; no other device.
std::ifstream open_stream(const std::filesystem::path& path);

/// To be called at the end of an input: half of a file must not pass for the whole.
/// Errors  std::system_error if reading failed halfway
void require_whole(const std::istream& in, const std::string& name);

/// Reads a file to its end.  Errors  InputError; std::system_error where reading fails halfway
Corpus load_corpus(const Input& input, const core::MemoryOptions& memory);
/// The same from a stream, under a name.
Corpus read_corpus(std::istream& in, const std::string& name, const core::MemoryOptions& memory);

/// Rejected lines beside the name of their file.
using Rejections = std::vector<std::pair<std::string, core::RejectedLine>>;
void add_rejections(Rejections& all, const Corpus& corpus);

}  // namespace engram::experiments
