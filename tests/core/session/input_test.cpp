// SPDX-License-Identifier: MIT
// Input with read-ahead on another thread (narsese/nal_reader.hpp), compared with input line by line.
#include <istream>
#include <streambuf>

#include "core/graph/memory_image.hpp"
#include "core/session/session.hpp"
#include "narsese/printer.hpp"
#include "tests/core/samples.hpp"

using namespace engram;
using core::Session;

namespace {

// A stream buffer that reports either all of its text or one byte as available. One byte disables read-ahead.
class AtHand : public std::streambuf {
 public:
  AtHand(std::string text, bool says_so) : text_(std::move(text)), says_so_(says_so) {}

 protected:
  int_type underflow() override {
    if (at_ == text_.size()) return traits_type::eof();
    const std::size_t size = std::min<std::size_t>(4000, text_.size() - at_);
    setg(text_.data() + at_, text_.data() + at_, text_.data() + at_ + size);
    at_ += size;
    return traits_type::to_int_type(*gptr());
  }
  std::streamsize showmanyc() override {
    const auto left = static_cast<std::streamsize>(text_.size() - at_);
    return says_so_ ? left : std::min<std::streamsize>(left, 1);
  }

 private:
  std::string text_;
  bool says_so_;
  std::size_t at_ = 0;
};

// 1.4 MB of new and repeated sentences, questions, links, variables, cycles and rejected lines.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 24'000; ++i) {
    const std::string a = "name" + std::to_string(i * 7919 % 9000), b = "other" + std::to_string(i % 5000);
    text += "<" + a + " --> " + b + ">.\n";
    if (i % 3 == 0)
      text += "<(*," + a + "," + b + ") --> near>. :|: %0." + std::to_string(i % 10) + ";0.7%\n";
    if (i % 5 == 0) text += "<<$1 --> " + a + "> ==> <$1 --> (&," + b + ",x)>>.\n";
    if (i % 50 == 0) text += std::to_string(i) + "\n<" + b + " -> " + a + ">.\n";
    if (i % 7 == 0)
      text += "<" + a + " --> unsaid" + std::to_string(i) + ">?\n//needed: <" + a + " --> z>.\n";
    if (i % 90 == 0) text += "<(*," + a + "," + b + ") --> associated>. %0.5;0.4%\n(&&,a,b,c,d,e).\n";
  }
  return text;
}

struct Came {
  std::vector<std::string> all;
  void add(const std::string& text) { all.push_back(text); }
  void add(double number) { all.push_back(std::to_string(number)); }
};

struct Way {
  bool ahead = false, in_request = false;
  std::size_t max_bytes = core::MemoryLimits{}.max_bytes;
  std::uint64_t steps = core::WorkLimits::unlimited;
  std::size_t throws_at = 0;  // line at which the observer throws
};

// Reads the text and returns all observable results, such as replies, errors and the state of the memory.
Came input_by(const Way& way, const std::string& text) {
  core::MemoryOptions options;
  options.decay = 0.001;
  options.limits.max_active = 4;
  options.limits.max_bytes = way.max_bytes;
  Session session(options);
  Came came;
  AtHand buffer(text, way.ahead);
  std::istream in(&buffer);
  std::size_t lines = 0;
  try {
    std::optional<Session::Request> request;
    if (way.in_request) request.emplace(session);
    const core::WorkBudget work({.steps = way.steps});
    const auto report = session.read(in, [&](const narsese::NalLine& line) {
      if (++lines == way.throws_at) throw std::runtime_error("seen enough");
      if (line.sentence.term) came.add(narsese::print(line.sentence));
      if (lines % 100 == 0) came.add(static_cast<double>(session.memory().bytes()));
    });
    came.add(static_cast<double>(report.accepted));
    for (const core::RejectedLine& line : report.rejected)
      came.add(std::to_string(line.line) + ':' + std::to_string(line.column) + ' ' + line.message);
  } catch (const std::exception& error) {
    came.add(error.what());
  }
  came.add(static_cast<double>(lines));
  const core::MemoryImage image = session.memory().image();
  for (const core::Statement& said : image.statements) {
    came.add(narsese::print(said.sentence));
    came.add(said.evidence);
  }
  for (const core::HebbianLink& link : image.graph.links) {
    came.add(link.source);
    came.add(link.target);
    came.add(link.together);
    came.add(link.judged.confidence);
  }
  for (const core::Concept& named : image.graph.concepts) came.add(narsese::print(named.term));
  came.add(static_cast<double>(session.memory().bytes()));
  return came;
}

void check_same(Way way, const std::string& text) {
  const Came one_by_one = input_by(way, text);
  way.ahead = true;
  CHECK(input_by(way, text).all == one_by_one.all);
}

}  // namespace

TEST_CASE("input with read-ahead has the same results as line by line", "[session][read_ahead]") {
  const std::string text = long_text();
  REQUIRE(text.size() > (std::size_t{1} << 20) + 100'000);
  check_same({}, text);
  check_same({.in_request = true}, text);
}

TEST_CASE("a full memory rejects the same lines with read-ahead", "[session][read_ahead]") {
  const std::string text = long_text();
  for (const std::size_t bytes : {std::size_t{100'000}, std::size_t{1'000'000}, std::size_t{3'000'000}}) {
    check_same({.max_bytes = bytes}, text);
    check_same({.in_request = true, .max_bytes = bytes}, text);
  }
}

TEST_CASE("an exception stops input with read-ahead at the same line", "[session][read_ahead]") {
  const std::string text = long_text();
  for (const std::size_t line : {1U, 2U, 129U, 5000U}) check_same({.throws_at = line}, text);
  check_same({.steps = 20'000'000}, text);
  check_same({.in_request = true, .steps = 2'000'000}, text);
}
