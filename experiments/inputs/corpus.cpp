// SPDX-License-Identifier: MIT
#include "experiments/inputs/corpus.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace engram::experiments {
namespace {

using narsese::Expectation;
using narsese::NalLine;

// Premises are named below the question, and may stand anywhere in the file: they are looked up at its end.
struct NamedPremise {
  std::size_t question;
  std::size_t line;
  std::optional<narsese::Sentence> sentence;
};

std::ifstream opened(const std::filesystem::path& path) {
  std::error_code ignored;
  errno = std::filesystem::is_directory(path, ignored) ? EISDIR : 0;
  if (errno == 0) {
    std::ifstream file(path, std::ios::binary);
    if (file) return file;
  }
  throw InputError(path.string() + ": " + std::generic_category().message(errno != 0 ? errno : EIO));
}

const char* kind_of(mode_t mode) {
  if (S_ISFIFO(mode)) return "a pipe";
  return S_ISSOCK(mode) ? "a socket" : "a device";
}

}  // namespace

std::ifstream open_input(const std::filesystem::path& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode))
    throw InputError(path.string() + ": expected a file, found " + kind_of(facts.st_mode));
  return opened(path);
}

std::ifstream open_if_there(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) ? open_input(path) : std::ifstream(path, std::ios::binary);
}

std::ifstream open_stream(const std::filesystem::path& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0 || S_ISFIFO(facts.st_mode)) return opened(path);
  if (!S_ISCHR(facts.st_mode)) return open_input(path);
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat null {};
  const bool ends = descriptor >= 0 && (isatty(descriptor) != 0 ||
                                        (stat("/dev/null", &null) == 0 && null.st_rdev == facts.st_rdev));
  if (descriptor >= 0) close(descriptor);
  return ends ? opened(path) : open_input(path);
}

void require_whole(const std::istream& in, const std::string& name) {
  if (in.bad()) throw std::system_error(EIO, std::generic_category(), name);
}

Corpus load_corpus(const Input& input, const core::MemoryOptions& memory) {
  std::ifstream file = open_input(input.path);
  Corpus corpus = read_corpus(file, input.name, memory);
  require_whole(file, input.path.string());
  return corpus;
}

Corpus read_corpus(std::istream& in, const std::string& name, const core::MemoryOptions& memory) {
  Corpus corpus;
  corpus.name = name;
  corpus.session = std::make_unique<core::Session>(memory);
  std::vector<NamedPremise> premises;
  const auto observe = [&](const NalLine& line) {
    if (line.kind == NalLine::Kind::sentence && line.sentence.asks()) {
      corpus.questions.push_back({line.number, line.sentence, {}, {}});
    } else if (line.kind == NalLine::Kind::sentence) {
      corpus.said.push_back(line.sentence);
      corpus.lines.resize(corpus.session->memory().statements().size(), line.number);
    } else if (line.kind == NalLine::Kind::expectation && !corpus.questions.empty()) {
      const Expectation& expectation = line.expectation;
      if (expectation.kind == Expectation::Kind::needed)
        premises.push_back({corpus.questions.size() - 1, line.number, expectation.sentence});
      const bool answer =
          expectation.kind == Expectation::Kind::answer || expectation.kind == Expectation::Kind::contains;
      if (answer && expectation.sentence && expectation.text != "None.")  // ONA: no answer is expected
        corpus.questions.back().expected.push_back(*expectation.sentence);
    }
  };
  corpus.rejected = corpus.session->input(in, observe).rejected;

  const auto statements = corpus.session->memory().statements();
  for (const NamedPremise& premise : premises) {
    const auto found = std::ranges::find_if(statements, [&](const core::Statement& statement) {
      return premise.sentence && statement.sentence.term == premise.sentence->term;
    });
    if (found == statements.end())
      corpus.rejected.push_back(
          {premise.line, 1, "expected a statement of this file to be needed, found none"});
    else
      corpus.questions[premise.question].needed.push_back(
          static_cast<core::StatementId>(found - statements.begin()));
  }
  return corpus;
}

void add_rejections(Rejections& all, const Corpus& corpus) {
  for (const core::RejectedLine& line : corpus.rejected) all.emplace_back(corpus.name, line);
}

}  // namespace engram::experiments
