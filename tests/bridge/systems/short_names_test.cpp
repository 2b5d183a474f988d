// SPDX-License-Identifier: MIT
#include "bridge/systems/short_names.hpp"

#include <set>
#include <string>

#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/translator.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using bridge::Renamed;
using bridge::ShortNames;
using narsese::Dialect;

namespace {

const std::string long_name = "biomedical_occupation_or_discipline";  // 35 bytes, too long for ONA
const std::string short_name = "biomedical_occupation_or_826107";  // the suffix was computed with `sha256sum`

std::string renamed(ShortNames& names, narsese::TermTable& table, const std::string& text) {
  return narsese::print(names(table, narsese::parse_sentence(text, table)->term));
}

}  // namespace

TEST_CASE("names that are too long for ONA are renamed everywhere, other names stay",
          "[bridge][short_names]") {
  narsese::TermTable table;
  ShortNames names(Dialect::ona);
  CHECK(renamed(names, table, "<(*," + long_name + ",$1) --> {b}>.") ==
        "<(*," + short_name + ",$1) --> {b}>");
  CHECK(renamed(names, table, "<<$1 --> " + long_name + "> ==> <$1 --> a>>.") ==
        "<<$1 --> " + short_name + "> ==> <$1 --> a>>");
  CHECK(renamed(names, table, "<a --> b>.") == "<a --> b>");
  const std::string just(31, 'x'), more(32, 'x');
  CHECK(renamed(names, table, "<" + just + " --> ^" + std::string(30, 'y') + ">.") ==
        "<" + just + " --> ^" + std::string(30, 'y') + ">");
  CHECK(renamed(names, table, "<" + more + " --> a>.").size() == 31 + std::string("< --> a>").size());
  const std::string op = renamed(names, table, "<a --> ^" + just + ">.");
  CHECK(op.size() == std::string("<a --> >").size() + 31);
  CHECK(op.find(" --> ^") != std::string::npos);
  for (const Renamed& each : names.renamed()) CHECK(each.source.size() > 31);
  REQUIRE(names.renamed().size() == 3);
  CHECK(names.renamed()[0].name == short_name);
  CHECK(names.renamed()[0].source == long_name);
}

TEST_CASE("a later name that equals a generated name is renamed", "[bridge][short_names]") {
  narsese::TermTable table;
  ShortNames names(Dialect::ona);
  renamed(names, table, "<" + long_name + " --> a>.");
  const std::string other = renamed(names, table, "<" + short_name + " --> a>.");
  CHECK(other != "<" + short_name + " --> a>");
  CHECK(renamed(names, table, "<" + short_name + " --> a>.") == other);
  CHECK(renamed(names, table, "<" + long_name + " --> a>.") == "<" + short_name + " --> a>");
}

TEST_CASE("renamed names stay distinct and are valid in every system", "[bridge][short_names]") {
  for (const Dialect to : {Dialect::common, Dialect::ona, Dialect::opennars, Dialect::pynars}) {
    narsese::TermTable table;
    ShortNames names(to);
    std::set<std::string> different;
    for (int i = 0; i < 100; ++i)
      for (const std::string& name :
           {std::string(20 + static_cast<std::size_t>(i), 'x'), "x" + std::to_string(i),
            long_name + std::to_string(i), "\u03bb-" + std::to_string(i), "a&&" + std::to_string(i)}) {
        const narsese::Term term =
            names(table, table.statement(narsese::Copula::inheritance, table.atom(name), table.atom("a")));
        INFO(name);
        CHECK(different.insert(std::string(term.subject().name())).second);
        CHECK(narsese::Translator(table, to).sentence({term, {}, {}, {}, {}}));
      }
  }
}

TEST_CASE("original names are restored everywhere, also of operators and unusual names",
          "[bridge][short_names]") {
  narsese::TermTable table;
  const std::string long_op = "^" + std::string(40, 'g');
  for (const Dialect to : {Dialect::ona, Dialect::opennars, Dialect::pynars}) {
    ShortNames names(to);
    bridge::OriginalNames back;
    CHECK(back.empty());
    for (const std::string& text :
         {"<(*," + long_name + ",{b}) --> " + long_op + ">.",
          "<<$1 --> [x]> ==> <\"a b\" --> " + long_name + ">>.", std::string("<(&/,a.b,+3,a_b) =/> \u03bb>."),
          "<" + short_name + " --> " + long_name + ">."}) {
      const narsese::Term term = narsese::parse_sentence(text, table)->term;
      const narsese::Term sent = names(table, term);
      for (const Renamed& each : names.renamed()) back.insert_or_assign(each.name, each.source);
      INFO(text);
      CHECK(bridge::with_original_names(back, table, sent) == term);
    }
    CHECK(back.empty() == names.renamed().empty());
    if (to == Dialect::ona) CHECK(names.renamed().size() >= 4);
  }
  CHECK(bridge::with_original_names({{"n", "another"}}, table, table.atom("n")) == table.atom("another"));
  CHECK(bridge::with_original_names({}, table, table.atom("n")) == table.atom("n"));
}

TEST_CASE("renamed_in replaces whole words of a text, each once, longest first", "[bridge][short_names]") {
  const std::vector<Renamed> names{{"b", "a"}, {"c", "b"}, {"d", "a-b"}};
  CHECK(bridge::renamed_in("//needed: <a --> (*,b,ab,a-b)>.", names) == "//needed: <b --> (*,c,ab,d)>.");
  CHECK(bridge::renamed_in("", names).empty());
}
