// SPDX-License-Identifier: MIT
#include "experiments/imports/wordnet.hpp"

#include "experiments/formats/files.hpp"
#include "tests/experiments/imports/gathered.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::testing;
using Lines = std::vector<std::string>;

namespace {

// A WordNet database with eight nouns, a verb and three adjectives.
struct SmallWordNet {
  explicit SmallWordNet(const std::string& name) : folder("wordnet_" + name) {
    options.folder = folder.path;
    options.parts = {"noun", "verb", "adj"};
    for (const WordNetRelation& relation : wordnet_relations)
      if (relation.by_default) options.relations.emplace_back(relation.name);
    write(folder.path / "data.noun",
          "  1 This is the licence.  \n"
          "  2 Keep it.  \n"
          "00000100 03 n 01 entity 0 001 ~ 00000200 n 0000 | that which is  \n"
          "00000200 05 n 02 dog 0 domestic_dog 0 002 @ 00000100 n 0000 #m 00000700 n 0000 | barks  \n"
          "00000300 05 n 01 dog 1 001 @ 00000100 n 0000 | a dull girl  \n"
          "00000400 05 n 01 Rex 0 001 @i 00000200 n 0000 | a dog's name  \n"
          "00000500 05 n 01 bark 0 002 @ 00000100 n 0000 + 00000100 v 0101 | its noise  \n"
          "00000600 05 n 01 sea-dog 0 002 @ 00000300 n 0000 ! 00000200 n 0101 | of the sea  \n"
          "00000700 14 n 01 pack 0 001 %m 00000200 n 0000 | of dogs  \n"
          "00000800 14 n 01 sea_dog 1 001 ;r 00000100 n 0000 | another  \n");
    write(folder.path / "index.noun",
          "  1 This is the licence.  \n"
          "  2 Keep it.  \n"
          "bark n 1 2 @ + 1 0 00000500  \n"
          "dog n 2 2 @ #m 2 1 00000200 00000300  \n"
          "domestic_dog n 1 1 @ 1 0 00000200  \n"
          "entity n 1 1 ~ 1 0 00000100  \n"
          "pack n 1 1 %m 1 0 00000700  \n"
          "rex n 1 1 @i 1 0 00000400  \n"
          "sea-dog n 1 1 @ 1 0 00000600  \n"
          "sea_dog n 1 0 1 0 00000800  \n");
    write(folder.path / "data.verb",
          "00000100 29 v 01 bark 0 001 + 00000500 n 0101 01 + 02 00 | to make it  \n");
    write(folder.path / "index.verb", "bark v 1 1 + 1 0 00000100  \n");
    write(folder.path / "data.adj",
          "00000100 00 a 01 good 0 002 & 00000200 a 0000 = 00000700 n 0000 | fine  \n"
          "00000200 00 s 02 fine(p) 0 OK 0 001 & 00000100 a 0000 | good  \n");
    write(folder.path / "index.adj",
          "fine a 1 1 & 1 0 00000200  \ngood a 1 1 & 1 0 00000100  \nok a 1 0 1 0 00000200  \n");
  }

  WrittenKnowledge read(narsese::Dialect to = narsese::Dialect::any) {
    read_wordnet(options, gathered.knowledge, unwatched);
    return gathered.written(to);
  }
  void change(const std::string& file, const std::string& from, const std::string& to) const {
    std::string text = testing::read(folder.path / file);
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    write(folder.path / file, text.replace(at, from.size(), to));
  }
  /// The findings of the readers, without the temporary folder in their paths.
  Lines told() const {
    Lines lines = gathered.told;
    for (std::string& line : lines) line = line.substr(folder.path.string().size() + 1);
    return lines;
  }

  Folder folder;
  WordNetOptions options;
  Gathered gathered;
};

}  // namespace

TEST_CASE("WordNet's pointers become inheritance, instances, similarity and relations, its synsets words",
          "[experiments][imports]") {
  SmallWordNet wordnet("all");
  const auto written = wordnet.read();
  CHECK(lines_of(written.text) ==
        Lines{"<dog_n_1 --> entity>.", "<(*,dog_n_1,pack) --> member_holonym>.", "<dog_n_2 --> entity>.",
              "<{Rex} --> dog_n_1>.", "<bark_n_1 --> entity>.", "<(*,bark_n_1,bark_v_1) --> derivation>.",
              "<sea_dog_"
              "6c32fe"
              " --> dog_n_2>.",
              "<(*,sea_dog_"
              "6c32fe"
              ",dog_n_1) --> antonym>.",
              "<(*,sea_dog,entity) --> region_domain>.", "<(*,bark_v_1,bark_n_1) --> derivation>.",
              "<fine <-> good>.", "<(*,good,pack) --> attribute>."});
  CHECK(written.repeated == 1);  // both synsets state the similarity of fine and good
  CHECK(wordnet.told() ==
        Lines{"data.noun:8:1: warning: '00000600-n sea-dog' and '00000800-n sea_dog' would both be sea_dog: "
              "the first is written sea_dog_6c32fe"});
  CHECK(statements_read(written.text) == written.statements);
  CHECK(lines_of(written.text, "//name: dog_n_1 ") ==
        Lines{"//name: dog_n_1 is \"00000200-n dog domestic_dog\""});
  CHECK(lines_of(written.text, "//name: fine ") == Lines{"//name: fine is \"00000200-a fine OK\""});
  CHECK(lines_of(written.text, "//  2 Keep it.").size() == 1);
}

TEST_CASE("options select WordNet's parts of speech, relations and names", "[experiments][imports]") {
  SmallWordNet wordnet("chosen");
  wordnet.options.parts = {"noun"};
  wordnet.options.relations = {"hyponym", "member_meronym", "derivation"};
  wordnet.options.names = WordNetNames::offset;
  std::filesystem::remove(wordnet.folder.path / "index.noun");  // names made from offsets need no index file
  CHECK(lines_of(wordnet.read().text) ==
        Lines{"<n00000200 --> n00000100>.", "<(*,n00000700,n00000200) --> member_meronym>."});
  CHECK(wordnet.told().empty());

  SmallWordNet senses("senses");
  senses.options.parts = {"noun"};
  senses.options.relations = {"hypernym"};
  senses.options.names = WordNetNames::sense;
  CHECK(lines_of(senses.read(narsese::Dialect::ona).text).front() == "<dog_n_1 --> entity_n_1>.");

  SmallWordNet nouns("nouns");
  nouns.options.parts = {"noun"};  // among nouns `bark` has a single sense, so its name needs no suffix
  nouns.options.relations = {"hypernym"};
  CHECK(lines_of(nouns.read().text).at(2) == "<bark --> entity>.");
}

TEST_CASE("an error in WordNet has its file, line and column, and parsing continues",
          "[experiments][imports]") {
  SmallWordNet wordnet("broken");
  wordnet.options.parts = {"noun"};
  wordnet.change("data.noun", "@ 00000100 n 0000 #m", "@ 00000100 n 0000 #x");
  wordnet.change("data.noun", "01 dog 1 001 @ 00000100", "01 dog 1 001 @ 00000101");
  wordnet.change("data.noun", "n 01 bark 0 002", "n 01 bark 0 zwei");
  wordnet.change("data.noun", "00000700 14 n 01 pack 0 001 %m 00000200 n 0000 | of dogs",
                 "00000700 14 n 01 pack");
  wordnet.change("data.noun", "00000800 14", "00000400 14");
  wordnet.change("index.noun", "dog n 2 2 @ #m 2 1 00000200 00000300", "dog n 2 2 @ #m 2 1 00000200");
  const auto written = wordnet.read();
  CHECK(
      wordnet.told() ==
      Lines{
          "index.noun:4:29: error: expected the offset of a synset, found a blank",
          "data.noun:4:61: error: expected a pointer symbol, found '#x'",
          "data.noun:7:25: error: expected the number of pointers, found 'zwei'",
          "data.noun:9:23: error: expected the number of a word's sense in its file, found a blank",
          "data.noun:10:1: error: found the offset of another synset, in line 6",
          "data.noun:5:28: error: expected a known synset, found 00000101-n",
          "data.noun:5:1: error: the index lacks the sense of 'dog' for 00000300-n: its name is n00000300"});
  CHECK(lines_of(written.text) == Lines{"<dog --> entity>.", "<{Rex} --> dog>.", "<sea_dog --> n00000300>.",
                                        "<(*,sea_dog,dog) --> antonym>."});
}

TEST_CASE("cyclic hypernyms are reported with file and line", "[experiments][imports]") {
  SmallWordNet wordnet("cyclic");
  wordnet.options.parts = {"noun"};
  wordnet.options.relations = {"hypernym"};
  wordnet.change("data.noun", "entity 0 001 ~ 00000200", "entity 0 001 @ 00000200");
  const auto written = wordnet.read();
  REQUIRE(wordnet.told().size() == 1);
  CHECK(wordnet.told()[0] ==
        "data.noun:3:31: warning: cyclic inheritance, all of it written: entity --> dog_n_1 --> entity");
  CHECK(written.statements == 5);
}

TEST_CASE("a missing WordNet file is an error", "[experiments][imports]") {
  SmallWordNet wordnet("missing");
  std::filesystem::remove(wordnet.folder.path / "data.verb");
  CHECK_THROWS_AS(wordnet.read(), InputError);
}
