// SPDX-License-Identifier: MIT
#include "experiments/imports/target_names.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "core/numbers/random.hpp"
#include "narsese/parser.hpp"
#include "tests/experiments/imports/gathered.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::testing;
using narsese::Dialect;

namespace {

std::vector<std::string> atoms_for(const std::vector<std::string>& names, Dialect to, Gathered& gathered) {
  gathered.knowledge.add_file("names", "");
  for (std::uint32_t i = 0; i < names.size(); ++i) gathered.knowledge.name(names[i], names[i], {0, i + 1, 1});
  return target_names(gathered.knowledge, to);
}

std::vector<std::string> atoms_for(const std::vector<std::string>& names, Dialect to) {
  Gathered gathered;
  return atoms_for(names, to, gathered);
}

// A random name made of words with a special meaning in Narsese and of characters of one to four bytes.
std::string odd_name(core::Rng& rng) {
  static const std::string characters = "aB7_- .:\"'<>(){}[],*?$#%@!^|\\`=\n\t\x01";
  static const std::vector<std::string> words{"&&",
                                              "/1",
                                              "-->",
                                              "+5",
                                              "//",
                                              "SELF",
                                              "\u00e9",
                                              "\u202e",
                                              "\u6f22\u5b57",
                                              "\U0001F600",
                                              "quite_a_long_piece_of_a_name"};
  std::string name;
  for (auto left = 1 + rng.below(5); left > 0; --left) {
    const std::size_t piece = rng.below(characters.size() + words.size());
    name += piece < characters.size() ? std::string(1, characters[piece]) : words[piece - characters.size()];
  }
  return name;
}

}  // namespace

TEST_CASE("names too long for ONA are shortened as in umls.nal", "[experiments][imports]") {
  // The expected names are in the header of experiments/data/umls.nal, which another program wrote.
  CHECK(atoms_for(
            {"biomedical_occupation_or_discipline", "body_part_organ_or_organ_component", "co-occurs_with"},
            Dialect::ona) == std::vector<std::string>{"biomedical_occupation_or_826107",
                                                      "body_part_organ_or_organ_ebb38c", "co_occurs_with"});
  CHECK(atoms_for({"biomedical_occupation_or_discipline"}, Dialect::any) ==
        std::vector<std::string>{"biomedical_occupation_or_discipline"});
}

TEST_CASE("colliding names: the one that is valid stays, the others are reported", "[experiments][imports]") {
  Gathered gathered;
  const auto atoms = atoms_for({"part of", "part-of", "part_of", "1st", "n1st"}, Dialect::any, gathered);
  CHECK(atoms[2] == "part_of");
  CHECK(atoms[0] == "part_of_6e955b");  // suffix from `printf "part of" | sha256sum`
  CHECK(atoms[1].starts_with("part_of_"));
  CHECK(atoms[4] == "n1st");
  CHECK(atoms[3].starts_with("n1st_"));
  REQUIRE(gathered.told.size() == 3);
  CHECK(gathered.told[0] ==
        "names:1:1: warning: 'part of' and 'part_of' would both be part_of: the first is written " +
            atoms[0]);
}

TEST_CASE("a name that the target parses as a name stays, others are replaced", "[experiments][imports]") {
  const std::string greek = "\u03bb\u03cc\u03b3\u03bf\u03c2";
  for (const Dialect to : {Dialect::any, Dialect::ona, Dialect::opennars, Dialect::pynars}) {
    CHECK(atoms_for({greek, "Cat", "a_b2"}, to) == std::vector<std::string>{greek, "Cat", "a_b2"});
    CHECK(atoms_for({"SELF"}, to).front() != "SELF");
  }
  CHECK(atoms_for({"\"New York\""}, Dialect::pynars).front() == "\"New York\"");
  CHECK(atoms_for({"\"New York\""}, Dialect::ona).front() == "n_New_York_");
}

TEST_CASE("every name gets a unique atom that the target parses", "[experiments][imports]") {
  core::Rng rng(3, "odd names");
  std::set<std::string> different;
  while (different.size() < 400) different.insert(odd_name(rng));
  const std::vector<std::string> names(different.begin(), different.end());
  for (const Dialect to : {Dialect::any, Dialect::common, Dialect::ona, Dialect::opennars, Dialect::pynars}) {
    const auto atoms = atoms_for(names, to);
    CHECK(std::set<std::string>(atoms.begin(), atoms.end()).size() == names.size());
    for (const std::string& atom : atoms) {
      INFO(atom);
      narsese::TermTable table;
      const auto sentence = narsese::parse_sentence("<" + atom + " --> b>.", table, {}, to);
      REQUIRE(sentence);
      CHECK(sentence->term.subject() == table.atom(atom));
      if (to == Dialect::ona) CHECK(atom.size() <= 31);
    }
  }
}

TEST_CASE("the table of names is valid JSON for long and unusual names", "[experiments][imports]") {
  core::Rng rng(4, "odd names");
  std::vector<std::string> names;
  for (int i = 0; i < 100; ++i) names.push_back(std::to_string(i) + odd_name(rng));
  std::string endless = "quote \" and backslash \\ ";
  for (int i = 0; i < 300; ++i) endless += odd_name(rng);
  names.push_back(endless);
  Gathered gathered;
  const auto atoms = atoms_for(names, Dialect::ona, gathered);
  std::vector<std::string> sources(names.size());
  for (const std::string& line : lines_of(gathered.written(Dialect::ona).text, "//name: ")) {
    CHECK(line.size() <= 1023);
    const std::string rest = line.substr(8);
    const std::string atom = rest.substr(0, rest.find(' '));
    const auto id = static_cast<std::size_t>(std::ranges::find(atoms, atom) - atoms.begin());
    REQUIRE(id < names.size());
    const bool goes_on = rest.substr(atom.size()).starts_with(" is + ");
    CHECK(goes_on == !sources[id].empty());
    sources[id] += nlohmann::json::parse(rest.substr(atom.size() + (goes_on ? 6 : 4))).get<std::string>();
  }
  CHECK(sources == names);
}
