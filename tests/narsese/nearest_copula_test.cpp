// SPDX-License-Identifier: MIT
#include "narsese/nearest_copula.hpp"

#include <string>

#include "narsese/symbols.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;

TEST_CASE("nearest_copula tells what a slip was meant to be", "[narsese][nearest_copula]") {
  struct Case {
    std::string_view found, meant;  // no meaning: nothing is near, or too much
  };
  for (const auto& [found, meant] : {
           Case{"->", "-->"},
           {"=>", "==>"},
           {"<=", "<=>"},
           {"--->", "-->"},
           {"---->", "-->"},
           {"-->>", "-->"},
           {"===>", "==>"},
           {"<==>", "<=>"},
           {"<-->", "<->"},
           {"<<->>", "<->"},
           {"--", "-->"},
           {"==", "==>"},
           {"<-", "<->"},
           {"<>", "<->"},
           {"=/", "=/>"},
           {"=|", "=|>"},
           {"=//>", "=/>"},
           {"=\\", "=\\>"},
           {"</", "</>"},
           {"|-", "|->"},
           {"→", "-->"},
           {"⇒", "==>"},
           {"'->'", "-->"},
           {"'→'", "-->"},
           {"-=>", ""},
           {"", ""},
           {"''", ""},
           {"is", ""},
           {"-", ""},
           {"=", ""},
           {">", ""},
           {"<--", ""},
           {"<---", ""},
           {"<==", ""},
           {"<", ""},
           {"/>", ""},
           {"|>", ""},
           {"end of line", ""},
           {"-----------------------------", ""},
           {"=-=-=-=>", ""},
           {"$", ""},
           {":-", ""},
           {"~>", ""},
       }) {
    CAPTURE(found);
    CHECK(nearest_copula(found).value_or("") == meant);
  }
}

TEST_CASE("a sign doubled in a copula leads back to it", "[narsese][nearest_copula]") {
  for (const CopulaFacts& copula : copulas)
    for (std::size_t i = 0; i < copula.text.size(); ++i) {
      std::string slip(copula.text);
      slip.insert(i, 1, slip[i]);
      CAPTURE(slip);
      CHECK(nearest_copula(slip) == copula.text);
    }
}
