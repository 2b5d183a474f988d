// SPDX-License-Identifier: MIT
#include "narsese/nal_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include "narsese/printer.hpp"
#include "narsese/text.hpp"
#include "tests/narsese/parsing.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/narsese/shapes.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using namespace engram::narsese::testing;
using Kind = NalLine::Kind;

namespace {

std::vector<NalLine> read_all(std::istream& in, TermTable& table) {
  NalReader reader(in, table);
  std::vector<NalLine> lines;
  while (auto line = reader.next()) lines.push_back(std::move(*line));
  return lines;
}

NalLine read_one(const std::string& text, TermTable& table, const ParseLimits& limits = {}) {
  const auto lines = read_lines(text, table, Dialect::any, limits);
  CAPTURE(text);
  REQUIRE(lines.size() == 1);
  return lines[0];
}

/// A stream of many fillers and then `rest`: a long line that is never in memory as a whole.
class LongLine : public std::streambuf {
 public:
  LongLine(std::size_t fillers, std::string rest) : fillers_(fillers), rest_(std::move(rest)) {}

 protected:
  int_type underflow() override {
    if (fillers_ > 0) {
      const std::size_t size = std::min(fillers_, chunk_.size());
      fillers_ -= size;
      setg(chunk_.data(), chunk_.data(), chunk_.data() + size);
    } else {
      if (gptr() == rest_.data() + rest_.size() || rest_.empty()) return traits_type::eof();
      setg(rest_.data(), rest_.data(), rest_.data() + rest_.size());
    }
    return traits_type::to_int_type(*gptr());
  }

 private:
  std::size_t fillers_;
  std::string rest_;
  std::string chunk_ = std::string(4096, 'x');
};

/// A stream that fails with a read error after its text.
class Broken : public std::streambuf {
 public:
  explicit Broken(std::string text) : text_(std::move(text)) {
    setg(text_.data(), text_.data(), text_.data() + text_.size());
  }

 protected:
  int_type underflow() override { throw std::runtime_error("read error"); }

 private:
  std::string text_;
};

}  // namespace

TEST_CASE("misspelt_directive suggests a directive and ignores prose", "[narsese][nal_reader]") {
  TermTable table;
  const auto warning_of = [&](const std::string& text) -> std::string {
    const NalLine line = read_one(text, table);
    CHECK(line.kind == Kind::comment);
    if (line.warnings.empty()) return "";
    CHECK(line.warnings.size() == 1);
    return std::to_string(line.warnings[0].column) + ": " + line.warnings[0].message;
  };
  const auto unknown = [](const std::string& found, const std::string& meant, int column = 1) {
    return std::to_string(column) + ": unknown directive '" + found + "', read as a comment: did you mean '" +
           meant + "'?";
  };
  CHECK(warning_of("//needd: <a --> b>.") == unknown("//needd:", "//needed:"));
  CHECK(warning_of("  //needd: <a --> b>.") == unknown("//needd:", "//needed:", 3));
  CHECK(warning_of("//expcted:") == unknown("//expcted:", "//expected:"));
  CHECK(warning_of("//exepcted: Answer: <a --> b>.") == unknown("//exepcted:", "//expected:"));
  CHECK(warning_of("//expect: ^left executed with args") == unknown("//expect:", "//expected:"));
  CHECK(warning_of("//Needed: <a --> b>.") == unknown("//Needed:", "//needed:"));
  CHECK(warning_of("//EXPECTED: Answer: None.") == unknown("//EXPECTED:", "//expected:"));
  CHECK(warning_of("//needed : <a --> b>.") == unknown("//needed :", "//needed:"));
  CHECK(warning_of("// needed: <a --> b>.") == unknown("// needed:", "//needed:"));
  CHECK(warning_of("// expected: Answer: <a --> b>.") == unknown("// expected:", "//expected:"));
  CHECK(warning_of("//need: (&&,a,b).") == unknown("//need:", "//needed:"));
  CHECK(warning_of("//neede: (&&,a,b).") == unknown("//neede:", "//needed:"));
  CHECK(warning_of("//or :") == unknown("//or :", "//or:"));
  CHECK(warning_of("//Or:") == unknown("//Or:", "//or:"));
  CHECK(warning_of("//expected: Answr: <a --> b>.") ==
        unknown("//expected: Answr", "//expected: Answer:", 13));
  CHECK(warning_of("//expected: answer: <a --> b>.") ==
        unknown("//expected: answer", "//expected: Answer:", 13));
  CHECK(warning_of("//expected: Answer : <a --> b>.") ==
        unknown("//expected: Answer", "//expected: Answer:", 13));
  const std::string forms =
      "'//expected:' takes 'Answer: ' and a statement, or an executed operator such as '^left executed'; "
      "this "
      "line is read as a comment";
  CHECK(warning_of("//expected: <a --> b>.") == "13: " + forms);
  CHECK(warning_of("//expected:") == "12: " + forms);
  CHECK(warning_of("''outputMustContains('<a --> b>.')") ==
        unknown("''outputMustContains(", "''outputMustContain('"));
  CHECK(warning_of("''outputMustContain(\"<a --> b>.\")") ==
        unknown("''outputMustContain(", "''outputMustContain('"));
  CHECK(warning_of("''expct-cycle(5): ^left") == unknown("''expct-cycle(", "''expect-cycle("));
  for (const char* prose : {"// note: this",
                            "//note: this",
                            "//",
                            "//:",
                            "// : needed",
                            "//needed",
                            "// needed more birds: three",
                            "//seeded: fields",
                            "// needed: more birds",
                            "// needed: (see above)",
                            "// needs: <a --> b>",
                            "// expected: answers",
                            "//except: birds",
                            "//expects: much",
                            "//need: birds",
                            "// or:",
                            "//of:",
                            "//for:",

                            "//engram: links",
                            "//name: a is \"b\"",
                            "//needed (by all)",
                            "'needd: <a --> b>.",
                            "''sleep: 5",
                            "''expected",
                            "// n\xC3\xA9"
                            "eded: <a --> b>.",
                            "// \xFF: x"}) {
    CAPTURE(prose);
    CHECK(warning_of(prose).empty());
  }
}

TEST_CASE("the start of a line determines its kind", "[narsese][nal_reader]") {
  TermTable table;
  const std::vector<std::pair<Kind, std::vector<std::string>>> kinds{
      {Kind::blank, {"\n", "  \t \n"}},
      {Kind::comment,
       {"// a comment", "//", "//a", "  // indented", "' a comment", "'a", "''a", "'", "'''VOL 0",
        "''sleep: 5", "//expected: nothing much", "// <a --> b>."}},
      {Kind::command,
       {"*volume=0", "*reset", "**", "*", " *motorbabbling=false ", "*setopname 1 ^left", "quit",
        "/volume 100"}},
      {Kind::cycles, {"10", " 10\t"}},
      {Kind::sentence, {"quit.", "10.", "<a --> b>.", "  <a --> b>?  ", "(* a b)!"}},
      {Kind::error,
       {"10 20", "-10", "+10", "1e3", "<a --> b>", "/volume", "/volume 1 2", "/register x", "quit now"}}};
  for (const auto& [kind, texts] : kinds)
    for (const std::string& text : texts) {
      CAPTURE(text);
      const NalLine line = read_one(text, table);
      CHECK(static_cast<int>(line.kind) == static_cast<int>(kind));
      CHECK(line.number == 1);
    }
}

TEST_CASE("a line keeps its text as written", "[narsese][nal_reader]") {
  TermTable table;
  CHECK(read_one("  <a-->b>.  \r\n", table).text == "  <a-->b>.  ");
  CHECK(read_one("// ü\n", table).text == "// ü");
  CHECK(read_one("*volume=0\n", table).text == "*volume=0");
  CHECK(read_one("<a b>.\n", table).text == "<a b>.");
}

TEST_CASE("a sentence line has its sentence", "[narsese][nal_reader]") {
  TermTable table;
  const NalLine line = read_one("$0.5$ <a-->b>! :|: {0.5 0.25}", table);
  REQUIRE(line.kind == Kind::sentence);
  CHECK(print(line.sentence) == "$0.5;0.9;0.95$ <a --> b>! :|: %0.5;0.25%");
  CHECK(line.sentence.term == *parse_term("<a --> b>", table));
}

TEST_CASE("lines and errors come in order with their numbers", "[narsese][nal_reader]") {
  TermTable table;
  const auto lines = read_lines(
      "// first\n"
      "<a --> b>.\n"
      "<a -> b>.\n"
      "\n"
      "99999999999999999999\n"
      "  <ü --> >.\n"
      "5\n"
      "<c --> d>?",
      table);
  REQUIRE(lines.size() == 8);
  const std::vector<Kind> kinds{Kind::comment, Kind::sentence, Kind::error,  Kind::blank,
                                Kind::error,   Kind::error,    Kind::cycles, Kind::sentence};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    CAPTURE(i);
    CHECK(lines[i].number == i + 1);
    CHECK(static_cast<int>(lines[i].kind) == static_cast<int>(kinds[i]));
    if (lines[i].kind == Kind::error) CHECK(lines[i].error.line == i + 1);
  }
  CHECK(lines[2].error.offset == 3);
  CHECK(lines[2].error.column == 4);
  CHECK(lines[5].error.offset == 10);  // the offset counts the blanks at the start of the line
  CHECK(lines[5].error.column == 10);
  CHECK(lines[5].error.message() == "expected a term, found '>'");
  CHECK(print(lines[7].sentence) == "<c --> d>?");
}

TEST_CASE("CRLF files are read like LF files", "[narsese][nal_reader]") {
  TermTable table;
  const std::string text = "<a --> b>.\n\n// c\n12\n*reset\n''outputMustContain('<a --> b>.')\n<a --> \n";
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const auto lines = read_lines(text, table), same = read_lines(crlf, table);
  REQUIRE(lines.size() == 7);
  REQUIRE(same.size() == 7);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    CHECK(static_cast<int>(same[i].kind) == static_cast<int>(lines[i].kind));
    CHECK(same[i].text == lines[i].text);
    CHECK(same[i].sentence == lines[i].sentence);
    CHECK(same[i].expectation.text == lines[i].expectation.text);
    CHECK(same[i].error.message() == lines[i].error.message());
  }
}

TEST_CASE("an empty file has no lines, and the last line needs no line end", "[narsese][nal_reader]") {
  TermTable table;
  CHECK(read_lines("", table).empty());
  CHECK(read_lines("\n", table).size() == 1);
  CHECK(read_lines("a.\nb.", table).size() == 2);
  CHECK(read_lines("a.\nb.\n", table).size() == 2);
  CHECK(read_lines("a.\nb.\n\n", table).size() == 3);
  std::istringstream in("a.");
  NalReader reader(in, table);
  CHECK(reader.next().has_value());
  CHECK_FALSE(reader.next().has_value());
  CHECK_FALSE(reader.next().has_value());
}

TEST_CASE("a byte order mark is skipped only at the start of a file", "[narsese][nal_reader]") {
  TermTable table;
  const std::string bom = "\xEF\xBB\xBF";
  const auto lines = read_lines(bom + "<a --> b>.\n" + bom + "<a --> b>.\n" + bom + "5\n", table);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].kind == Kind::sentence);
  CHECK(lines[0].text == "<a --> b>.");
  CHECK(lines[1].kind == Kind::error);
  CHECK(lines[2].kind == Kind::error);
  CHECK(read_one(bom, table).kind == Kind::blank);
  CHECK(read_one(bom + "\r\n", table).kind == Kind::blank);
  CHECK(read_one(bom + "5\n", table).cycles == 5);
  CHECK(read_one(bom + bom + "5\n", table).kind == Kind::error);
  CHECK(read_one("\xEF\xBB"
                 "5\n",
                 table)
            .kind == Kind::error);  // half a byte order mark is an error
}

TEST_CASE("a lone carriage return, NUL or invalid UTF-8 affects only its line", "[narsese][nal_reader]") {
  TermTable table;
  const auto lines =
      read_lines(std::string("<a\r --> b>.\n<a\0 --> b>.\n<\xC3 --> b>.\n<a --> b>.\r\r\n5\r6\n"
                             "<a --> b>.\n",
                             63),
                 table);
  REQUIRE(lines.size() == 6);
  for (std::size_t i = 0; i < 5; ++i) {
    CAPTURE(i);
    CHECK(lines[i].kind == Kind::error);
    CHECK(lines[i].error.line == i + 1);
  }
  CHECK(lines[0].error.offset == 2);
  CHECK(lines[1].error.found == "a NUL byte");
  CHECK(lines[1].text.size() == 11);
  CHECK(lines[2].error.expected == "UTF-8 text");
  CHECK(lines[5].kind == Kind::sentence);
}

// --- cycles ---

TEST_CASE("numbers of cycles are exact or refused", "[narsese][nal_reader]") {
  TermTable table;
  CHECK(read_one("0", table).cycles == 0);
  CHECK(read_one("1", table).cycles == 1);
  CHECK(read_one("007", table).cycles == 7);
  CHECK(read_one("000000000000000000000000000000000000042", table).cycles == 42);
  CHECK(read_one("1000000000", table).cycles == NalReader::max_cycles);
  for (const std::string text : {"1000000001", "18446744073709551616", "18446744073709551617",
                                 "99999999999999999999999999999999999999999999999999"}) {
    CAPTURE(text);
    const NalLine line = read_one(text, table);
    CHECK(line.kind == Kind::error);
    CHECK(line.error.message().find("at most 1000000000 cycles") != std::string::npos);
    CHECK(line.error.message().find(text.substr(0, 10)) != std::string::npos);
    CHECK(line.error.message().size() < 100);
    CHECK(line.error.line == 1);
  }
}

// --- expectations ---

TEST_CASE("the start of a line determines the form of an expectation", "[narsese][nal_reader]") {
  using Form = Expectation::Kind;
  struct Case {
    std::string line;
    Form kind;
    std::string text, sentence;  // the sentence as printed, empty for none
  };
  TermTable table;
  const std::vector<Case> cases{
      {"//expected: Answer: <a --> b>. creationTime=2 Truth: frequency=1.000000, confidence=0.900000",
       Form::answer, "<a --> b>. creationTime=2 Truth: frequency=1.000000, confidence=0.900000",
       "<a --> b>. %1;0.9%"},
      {"//expected: Answer: <a --> b>. Truth: frequency=1.0, confidence=0.81", Form::answer,
       "<a --> b>. Truth: frequency=1.0, confidence=0.81", "<a --> b>. %1;0.81%"},
      {"//expected: Answer: <a --> b>. Truth: frequency=0, confidence=.5", Form::answer,
       "<a --> b>. Truth: frequency=0, confidence=.5", "<a --> b>. %0;0.5%"},
      {"//expected: Answer: <a --> b>. Truth: frequency=2, confidence=.5", Form::answer,
       "<a --> b>. Truth: frequency=2, confidence=.5", "<a --> b>."},
      {"//expected: Answer: <\"frequency=0, confidence=0\" --> b>.", Form::answer,
       "<\"frequency=0, confidence=0\" --> b>.", "<\"frequency=0, confidence=0\" --> b>."},
      {"//expected: Answer: <(a * b) --> c>. :|: occurrenceTime=5 creationTime=9 Stamp=[2,1] "
       "Priority=0.5 "
       "Truth: frequency=1.0, confidence=0.9",
       Form::answer,
       "<(a * b) --> c>. :|: occurrenceTime=5 creationTime=9 Stamp=[2,1] Priority=0.5 Truth: "
       "frequency=1.0, confidence=0.9",
       "<(*,a,b) --> c>. :|: %1;0.9%"},
      {"//expected: Answer: <a --> b>.", Form::answer, "<a --> b>.", "<a --> b>."},
      {"  //expected: Answer: <a --> b>.  ", Form::answer, "<a --> b>.", "<a --> b>."},
      {"//expected: Answer: no sentence at all", Form::answer, "no sentence at all", ""},
      {"//expected: Answer:", Form::answer, "", ""},
      {"''outputMustContain('<a --> b>. %1.00;0.81%')", Form::contains, "<a --> b>. %1.00;0.81%",
       "<a --> b>. %1;0.81%"},
      {"''outputMustContain('<a --> b>. :!5: %1.00;0.81%') ", Form::contains, "<a --> b>. :!5: %1.00;0.81%",
       "<a --> b>. :!5: %1;0.81%"},
      {"''outputMustContain('(^go,{SELF})!')", Form::contains, "(^go,{SELF})!", "<(*,{SELF}) --> ^go>!"},
      {"''outputMustContain('it's <don't --> b>.')", Form::contains, "it's <don't --> b>.", ""},
      {"''outputMustContain('<\"x')\" --> b>.')", Form::contains, "<\"x')\" --> b>.", "<\"x')\" --> b>."},
      {"''outputMustContain('')", Form::contains, "", ""},
      {"''outputMustNotContain('<a --> b>.')", Form::contains_not, "<a --> b>.", "<a --> b>."},
      {"''expect-cycle(5): <a --> b>.", Form::output, "(5): <a --> b>.", ""},
      {"''expect-contains: ANSWER: <a --> b>.", Form::output, "ANSWER: <a --> b>.", ""},
      {"//needed: <a --> b>.", Form::needed, "<a --> b>.", "<a --> b>."},
      {"//needed:<(a & b) --> c>. :|:", Form::needed, "<(a & b) --> c>. :|:", "<(&,a,b) --> c>. :|:"},
      {"//needed: <a b>.", Form::needed, "<a b>.", ""},
      {"//or:", Form::alternative, "", ""},
  };
  for (const auto& [text, kind, expected, sentence] : cases) {
    CAPTURE(text);
    const NalLine line = read_one(text, table);
    REQUIRE(line.kind == Kind::expectation);
    CHECK(static_cast<int>(line.expectation.kind) == static_cast<int>(kind));
    CHECK(line.expectation.text == expected);
    CHECK((line.expectation.sentence ? print(*line.expectation.sentence) : "") == sentence);
  }
}

TEST_CASE("an expected execution keeps its text and operator", "[narsese][nal_reader]") {
  TermTable table;
  const NalLine line = read_one("//expected: ^left executed with args ({SELF} * x)", table);
  REQUIRE(line.kind == Kind::expectation);
  CHECK(static_cast<int>(line.expectation.kind) == static_cast<int>(Expectation::Kind::execution));
  CHECK(line.expectation.text == "^left executed with args ({SELF} * x)");
  CHECK_FALSE(line.expectation.sentence.has_value());
}

// --- hostile files

TEST_CASE("a line of 10 MB is one error and needs bounded memory", "[narsese][nal_reader]") {
  TermTable table;
  LongLine buffer(10'000'000, "\n<a --> b>.\n");
  std::istream in(&buffer);
  const auto lines = read_all(in, table);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].kind == Kind::error);
  CHECK(lines[0].error.line == 1);
  CHECK(lines[0].error.message().find("at most 65536 bytes") != std::string::npos);
  CHECK(lines[0].text.size() <= ParseLimits{}.max_line_bytes);
  CHECK(lines[0].text.capacity() <= 2 * ParseLimits{}.max_line_bytes);
  CHECK(lines[0].text.substr(0, 10) == "xxxxxxxxxx");
  CHECK(lines[1].kind == Kind::sentence);
  CHECK(lines[1].number == 2);
  CHECK(table.size() == 3);  // only a, b and <a --> b>: the long line made no term
}

TEST_CASE("a line of exactly max_line_bytes is read with either line end", "[narsese][nal_reader]") {
  ParseLimits limits;
  limits.max_line_bytes = 10;
  for (const std::string end : {"\n", "\r\n", ""}) {
    TermTable table;
    CHECK(read_one("<a --> b>." + end, table, limits).kind == Kind::sentence);
    CHECK(read_one("<a --> b>. " + end, table, limits).kind == Kind::error);
  }
}

TEST_CASE("the text of a too long line is a prefix of it", "[narsese][nal_reader]") {
  TermTable table;
  for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{10}, std::size_t{100}}) {
    CAPTURE(most);
    ParseLimits limits;
    limits.max_line_bytes = most;
    std::string text;
    for (int i = 0; i < 100; ++i) text += "鸟 ";
    const NalLine line = read_one(text + "\n", table, limits);
    CHECK(line.kind == Kind::error);
    CHECK(line.text == text.substr(0, line.text.size()));
    CHECK(find_invalid_utf8(line.text) == line.text.size());
  }
}

TEST_CASE("a read error ends reading and makes the stream bad", "[narsese][nal_reader]") {
  TermTable table;
  Broken buffer("<a --> b>.\n<c -");
  std::istream in(&buffer);
  NalReader reader(in, table);
  const auto first = reader.next();
  REQUIRE(first.has_value());
  CHECK(first->kind == Kind::sentence);
  std::optional<NalLine> second;
  CHECK_NOTHROW(second = reader.next());
  // A line that a read error cuts off is dropped, because it could be read as another sentence.
  CHECK_FALSE(second.has_value());
  CHECK(in.bad());
}

TEST_CASE("random files cause no harm", "[narsese][nal_reader][fuzz]") {
  std::vector<std::string> pieces{"\n",
                                  "\n",
                                  "\r",
                                  "\r\n",
                                  " ",
                                  "<a --> b>",
                                  " Truth:",
                                  "//expected: Answer: ",
                                  "//expected: ^",
                                  std::string(1, '\0')};
  for (const std::string& piece : words(". ? // ' 5 * //needed: ''expect-cycle ''outputMustContain(' ') "
                                        "\xEF\xBB\xBF ü \xFF $x quit 99999999999"))
    pieces.push_back(piece);
  Random random(61);
  ParseLimits limits;
  limits.max_line_bytes = 40;
  std::string counterexample;
  for (int i = 0; i < 10000 && counterexample.empty(); ++i) {
    std::string text;
    for (std::size_t n = random.below(12); n > 0; --n) text += random.pick(pieces);
    TermTable table;
    const auto lines = read_lines(text, table, Dialect::any, limits);
    std::size_t expected = 0;
    for (const char c : text) expected += c == '\n';
    expected += !text.empty() && text.back() != '\n';
    bool well = lines.size() == expected;
    for (std::size_t k = 0; k < lines.size(); ++k) {
      const NalLine& line = lines[k];
      const bool is_error = line.kind == Kind::error;
      well = well && line.number == k + 1 && line.text.size() <= limits.max_line_bytes;
      well = well && is_error == !line.error.expected.empty() && (!is_error || line.error.line == k + 1);
      well = well && (line.kind == Kind::sentence) == static_cast<bool>(line.sentence.term);
    }
    if (!well) counterexample = text;
  }
  CHECK(counterexample == "");
}

TEST_CASE("expects_none distinguishes None. from an answer with that name", "[narsese][nal_reader]") {
  TermTable table;
  for (const auto& [text, none] : {std::pair("//expected: Answer: None.", true),
                                   {"//expected: Answer:  None. ", true},
                                   {"''outputMustContain('None.')", true},
                                   {"//expected: Answer: None", false},
                                   {"//expected: Answer: <None --> None>.", false},
                                   {"''outputMustNotContain('None.')", false},
                                   {"//needed: None.", false},
                                   {"//expected: ^go executed with args", false}}) {
    const NalLine line = read_one(text, table);
    CAPTURE(text);
    REQUIRE(line.kind == Kind::expectation);
    CHECK(line.expectation.expects_none() == none);
  }
}

namespace {

namespace fs = std::filesystem;

// Options with which the reader reads ahead in every non-empty stream, on every machine.
ReadAheadOptions always(std::size_t lines) {
  return {.least_bytes = 1, .least_processors = 0, .batch = {.lines = lines}};
}
ReadAheadOptions line_by_line(std::size_t lines) {
  return {.least_bytes = ReadAheadOptions::never, .batch = {.lines = lines}};
}

std::string description(const NalLine& line) {
  std::string text = std::to_string(line.number) + ' ' + std::to_string(static_cast<int>(line.kind)) + ' ' +
                     line.text + " | " + std::to_string(line.constructs) + ' ' + std::to_string(line.cycles);
  if (line.kind == NalLine::Kind::sentence) text += " | " + print(line.sentence);
  if (line.kind == NalLine::Kind::error)
    text += " | " + std::to_string(line.error.line) + ':' + std::to_string(line.error.column) + ": " +
            line.error.message();
  for (const ParseWarning& warning : line.warnings)
    text += " | " + std::to_string(warning.column) + ": " + warning.message;
  const Expectation& expected = line.expectation;
  text += " | " + std::to_string(static_cast<int>(expected.kind)) + ' ' + expected.text;
  if (expected.sentence) text += " = " + print(*expected.sentence);
  return text;
}

// All lines, with the size of the table after each; at the end the exception, if any.
std::vector<std::string> read_all(std::istream& in, const ReadAheadOptions& ahead, Dialect dialect,
                                  std::size_t table_bytes) {
  std::vector<std::string> all;
  TermTable table;
  table.limit(table_bytes);
  NalReader reader(in, table, {}, dialect, ahead);
  try {
    while (const auto line = reader.next())
      all.push_back(description(*line) + " | " + std::to_string(table.size()) +
                    (reader.has_lines_ahead() ? " ahead" : ""));
  } catch (const std::exception& error) {
    all.push_back(error.what());
  }
  all.push_back(in.bad() ? "bad" : "good");
  return all;
}

void check_same(const std::string& text, Dialect dialect, std::size_t table_bytes = ReadAheadOptions::never) {
  for (const std::size_t lines : {1U, 3U, 128U}) {
    CAPTURE(lines, facts(dialect).name, table_bytes);
    std::istringstream one(text), other(text);
    CHECK(read_all(one, always(lines), dialect, table_bytes) ==
          read_all(other, line_by_line(lines), dialect, table_bytes));
  }
}

std::string all_files_of(const char* folder) {
  std::string text;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(ENGRAM_SOURCE_DIR) / folder))
    if (entry.is_regular_file() && entry.file_size() < 300'000) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    text += std::string(std::istreambuf_iterator<char>(in), {}) + '\n';
  }
  return text;
}

/// A stream that gives a few bytes at a time and then fails with a read error.
class Failing : public std::streambuf {
 public:
  explicit Failing(std::string text) : text_(std::move(text)) {}

 protected:
  int_type underflow() override {
    if (at_ == text_.size() && std::exchange(has_failed_, true)) return traits_type::eof();
    if (at_ == text_.size()) throw std::runtime_error("read error");
    const std::size_t size = std::min<std::size_t>(7, text_.size() - at_);
    setg(text_.data() + at_, text_.data() + at_, text_.data() + at_ + size);
    at_ += size;
    return traits_type::to_int_type(*gptr());
  }
  std::streamsize showmanyc() override { return 1; }

 private:
  std::string text_;
  std::size_t at_ = 0;
  bool has_failed_ = false;
};

}  // namespace

TEST_CASE("reading ahead gives the same lines as reading line by line in every dialect",
          "[narsese][read_ahead]") {
  for (const Dialect dialect : dialects)
    for (const char* folder : {"experiments/data", "tests/fuzz/corpus", "tests/hostile"}) {
      CAPTURE(folder);
      check_same(all_files_of(folder), dialect);
    }
}

TEST_CASE("reading ahead gives the same hostile lines and the same full table", "[narsese][read_ahead]") {
  std::string hostile;
  for (const HostileShape& shape : hostile_lines) hostile += shape.text(3000) + '\n';
  Random random(5);
  std::string sentences = "\xEF\xBB\xBF//expected: Answer: <a --> b>.\r\n//needed: <a --> b>.\n";
  for (int i = 0; i < 600; ++i) {
    TermTable table;
    sentences += print(RandomTerms(random, table).sentence());
    sentences += random.one_in(3) ? "\r\n" : "\n";
    if (random.one_in(9)) sentences += random.one_in(2) ? "12\n" : "//needed: <$1 --> (&&,b,a)>.\n";
  }
  for (const Dialect dialect : dialects) {
    check_same(hostile, dialect);
    check_same(sentences, dialect);
    for (const std::size_t bytes : {0U, 5000U, 50000U}) check_same(sentences, dialect, bytes);
  }
  check_same("", Dialect::any);
  check_same("<a --> b>.", Dialect::any);
  check_same(std::string(200'000, 'x') + "\n<a --> b>.\n" + std::string(70'000, '\n'), Dialect::any);
}

TEST_CASE("a read error ends reading ahead at the same line", "[narsese][read_ahead]") {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "<a" + std::to_string(i) + " --> b>.\n";
  for (const auto exceptions : {std::ios::goodbit, std::ios::badbit}) {
    const auto read = [&](const ReadAheadOptions& options) {
      Failing buffer(text);
      std::istream in(&buffer);
      in.exceptions(exceptions);
      return read_all(in, options, Dialect::any, ReadAheadOptions::never);
    };
    CHECK(read(always(16)) == read(line_by_line(16)));
    CHECK(read(always(16)).size() > 1000);
  }
}

TEST_CASE("destroying the reader waits for at most one batch", "[narsese][read_ahead]") {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "<a --> b>.\n";
  for (const std::size_t lines_read : {0U, 1U, 200U, 5000U}) {
    std::istringstream in(text);
    {
      TermTable table;
      NalReader reader(in, table, {}, Dialect::any, always(128));
      for (std::size_t i = 0; i < lines_read; ++i) REQUIRE(reader.next()->number == i + 1);
    }
    const auto left = static_cast<std::size_t>(in.rdbuf()->in_avail()), line = text.find('\n') + 1;
    CHECK(text.size() - left <= (lines_read + (ReadAhead::depth + 2) * 128) * line);
  }
}

TEST_CASE("no thread starts for small inputs or a single processor", "[narsese][read_ahead]") {
  ReadAheadOptions options;
  options.least_processors = 0;
  CHECK_FALSE(options.wants_thread(1 << 20));
  CHECK(options.wants_thread((1 << 20) + 1));
  options.least_processors = 1'000'000;
  CHECK_FALSE(options.wants_thread(1 << 30));
  CHECK_FALSE(line_by_line(1).wants_thread(std::numeric_limits<std::streamsize>::max()));
}
