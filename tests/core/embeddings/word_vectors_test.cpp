// SPDX-License-Identifier: MIT
#include "core/embeddings/word_vectors.hpp"

#include <sstream>

#include "tests/core/samples.hpp"
#include "tests/support/text.hpp"

namespace engram::core {
namespace {

WordVectors read(const std::string& text, const WordVectorLimits& limits = {}) {
  std::istringstream in(text);
  return read_word_vectors(in, "v.txt", limits);
}

std::string error_of(const std::string& text, const WordVectorLimits& limits = {}) {
  return testing::message_of<WordVectorError>([&] { read(text, limits); });
}

TEST_CASE("word vectors are read with and without a header", "[word_vectors]") {
  const Matrix expected{{1, -2.5, 3e-5}, {0, 0.1, -1e100}};
  for (const char* text :
       {"cat 1 -2.5 3e-5\n<tim-->cat> 0 0.1 -1e100\n", "2 3\ncat 1 -2.5 3e-5\n<tim-->cat> 0 0.1 -1e100",
        "\xEF\xBB\xBF"
        "cat 1 -2.5 3e-5\n<tim-->cat> 0 0.1 -1e100\n",
        "\xEF\xBB\xBF"
        "2 3\ncat 1 -2.5 3e-5\n<tim-->cat> 0 0.1 -1e100\n",
        "2 3\r\n\r\ncat\t1  -2.5 3e-5 \r\n <tim-->cat> 0 0.1 -1e100\r\n  \n"}) {
    const WordVectors vectors = read(text);
    CHECK(vectors.names == std::vector<std::string>{"cat", "<tim-->cat>"});
    CHECK(vectors.rows == expected);
  }
}

TEST_CASE("two integers are a header in the first line and a vector in others", "[word_vectors]") {
  const WordVectors vectors = read("2 1\n2 1\n3 7\n");
  CHECK(vectors.names == std::vector<std::string>{"2", "3"});
  CHECK(vectors.rows == Matrix{{1}, {7}});
  CHECK(read("2 1.5\n").names == std::vector<std::string>{"2"});
  CHECK(read("x 1\n").names == std::vector<std::string>{"x"});
}

TEST_CASE("errors in word vectors have a file, line and column", "[word_vectors]") {
  CHECK(error_of("") == "v.txt:1:1: the file has no vectors");
  CHECK(error_of("\n\n") == "v.txt:3:1: the file has no vectors");
  CHECK(error_of("0 3\n") == "v.txt:2:1: the file has no vectors");
  CHECK(error_of("a 1 2\nb 1 x2\n") == "v.txt:2:5: expected a finite number");
  CHECK(error_of("a\xc3\xa9 1 2\n\xc3\xa9 1 2,5\n") == "v.txt:2:5: expected a finite number");
  for (const char* number : {"nan", "inf", "-inf", "1e999", "+1", "0x1p3", "1.5f", "--1", "1_0"})
    CHECK(error_of(std::string("a 1 ") + number + "\n") == "v.txt:1:5: expected a finite number");
  CHECK(error_of("a 1 -1.1e100\n") == "v.txt:1:5: expected a number of at most 1e100 in absolute value");
  CHECK(error_of("a 1 2\nb 1\n") == "v.txt:2:3: expected 2 numbers after the name, found 1");
  CHECK(error_of("a 1 2\nb 1 2 3\n") == "v.txt:2:7: expected 2 numbers after the name, found 3");
  CHECK(error_of("word\n") == "v.txt:1:1: a vector may have 1 to 4096 numbers, not 0");
  CHECK(error_of("1 2\na 1 2 3\n") == "v.txt:2:7: expected 2 numbers after the name, found 3");
  CHECK(error_of("3 2\na 1 2\nb 1 2\n") == "v.txt:1:1: the header states 3 vectors, but the file has 2");
  CHECK(error_of("1 2\na 1 2\nb 1 2\n") == "v.txt:1:1: the header states 1 vectors, but the file has 2");
  CHECK(error_of("1 0\n") == "v.txt:1:3: a vector may have 1 to 4096 numbers, not 0");
  CHECK(error_of("1 4097\n") == "v.txt:1:3: a vector may have 1 to 4096 numbers, not 4097");
  CHECK(error_of("a 1\nb 2\n a 3\n") == "v.txt:3:2: the name 'a' occurs twice");
  CHECK(error_of("\xff 1\n") == "v.txt:1:1: the name is not UTF-8");
  std::string zero = "a 1\nb 2";
  zero += '\0';
  CHECK(error_of(zero) == "v.txt:2:3: expected a finite number");
}

TEST_CASE("limits of word vectors are enforced", "[word_vectors]") {
  WordVectorLimits limits{.max_line_bytes = 8};
  CHECK(error_of("a 1\nb 2.000001\n", limits) == "v.txt:2:1: a line may have at most 8 bytes");
  limits = {};
  limits.max_bytes = 7;
  CHECK(error_of("a 1\nb 2\n", limits) == "v.txt:2:1: a file may have at most 7 bytes");
  limits.max_bytes = 8;
  CHECK(read("a 1\nb 2\n", limits).names.size() == 2);
  limits = {};
  limits.max_numbers = 4;
  CHECK(read("a 1 2\nb 1 2\n", limits).rows.rows() == 2);
  CHECK(error_of("a 1 2\nb 1 2\nc 1 2\n", limits) == "v.txt:3:1: a file may have at most 4 numbers");
  limits = {};
  limits.max_dimensions = 2;
  CHECK(error_of("a 1 2 3\n", limits) == "v.txt:1:7: a vector may have 1 to 2 numbers, not 3");
  CHECK(error_of(std::string(1 << 21, 'a')) == "v.txt:1:1: a line may have at most 1048576 bytes");
}

TEST_CASE("an unreadable file of word vectors is an error", "[word_vectors]") {
  for (const char* name : {"/nonexistent/v.txt", "/", "/dev/zero"}) {
    try {
      load_word_vectors(name);
      FAIL("no error");
    } catch (const WordVectorError& error) {
      CHECK(std::string(error.what()) == std::string(name) + ": cannot be read");
      CHECK(error.line == 0);
    }
  }
}

TEST_CASE("terms are looked up by their names without spaces", "[word_vectors]") {
  Memory memory;
  std::vector<narsese::Term> terms;
  for (const char* text : {"tim", "<tim --> cat>", "(*, tim, cat)", "{tim}", "dog"})
    terms.push_back(samples::term(memory, text));
  for (const narsese::Term term : terms) CHECK(word_of(term).find_first_of(" \t") == std::string::npos);
  CHECK(word_of(terms[0]) == "tim");
  CHECK(word_of(terms[1]) == "<tim-->cat>");
  std::string text;
  for (std::size_t i = terms.size() - 1; i-- > 0;)
    text += word_of(terms[i]) + " " + std::to_string(i) + " 5\n";
  const Matrix expected{{0, 5}, {1, 5}, {2, 5}, {3, 5}, {0, 0}};
  CHECK(rows_of_words(read(text), terms) == expected);
  CHECK(rows_of_words(read(text), {}).rows() == 0);
}

}  // namespace
}  // namespace engram::core
