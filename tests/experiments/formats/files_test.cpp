// SPDX-License-Identifier: MIT
#include "experiments/formats/files.hpp"

#include "experiments/inputs/corpus.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram::experiments;
using namespace engram::testing;

TEST_CASE("errors in JSON files have their place", "[experiments][files]") {
  const Folder folder("json_files");
  const std::filesystem::path file = folder.path / "a.json";
  const auto problem = [&](const std::string& text, bool comments = false) -> std::string {
    write(file, text);
    try {
      read_json(file, comments);
      return "";
    } catch (const SpecError& error) {
      REQUIRE(error.pointer == file.string());
      return std::string(error.what()).substr(file.string().size());
    }
  };
  CHECK(problem("{\"a\": [1]}\n") == "");
  CHECK(problem("// why\n{\"a\": [1]}\n", true) == "");
  CHECK(problem("// why\n{\"a\": [1]}\n").starts_with(": not JSON: line 1, column 1: "));
  CHECK(problem("{\n  \"ü\": 1,\n  \"ü\" 2}")
            .starts_with(": not JSON: line 3, column 7: expected ':', found "));
  CHECK(problem("{\"a\": {\"b\": 1, \"b\": 2}}") ==
        ": not JSON: /a/b: expected each name once in an object, found one twice");
  CHECK(problem("[1e999]").ends_with("expected a number in the range of a double, found 1e999"));
  CHECK_THROWS_AS(read_json(folder.path / "none.json"), InputError);
  CHECK_THROWS_AS(read_json("/dev/zero"), InputError);
  CHECK(json_in("[1]") == Json::parse("[1]"));
  CHECK_FALSE(json_in("[1"));
  CHECK_FALSE(json_in("{\"a\":1,\"a\":1}"));
}

// The digests are in FIPS 180-2, appendix B.
TEST_CASE("SHA-256 matches the published digests", "[experiments][files]") {
  const Folder folder("sha");
  write(folder.path / "abc", "abc");
  write(folder.path / "empty", "");
  write(folder.path / "million", std::string(1000000, 'a'));
  CHECK(sha256_of_file(folder.path / "abc") ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_of_file(folder.path / "empty") ==
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_of_file(folder.path / "million") ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  CHECK_THROWS_AS(sha256_of_file(folder.path / "missing"), InputError);
}
