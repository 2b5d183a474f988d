// SPDX-License-Identifier: MIT
// Reader for the database files of WordNet, as in Debian's package wordnet-base. Format: wndb(5WN), wninput(5WN).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/imports/knowledge.hpp"

namespace engram::experiments {

struct WordNetPart {
  std::string_view name;  // part of file names: data.noun, index.noun
  char letter;            // letter in pointers and names
};
inline constexpr std::array<WordNetPart, 4> wordnet_parts{
    {{"noun", 'n'}, {"verb", 'v'}, {"adj", 'a'}, {"adv", 'r'}}};

/// Meaning of a WordNet pointer from one synset to another.
struct WordNetRelation {
  std::string_view symbol, name;
  ClaimKind kind = ClaimKind::relation;
  bool reversed = false;   // subject and object of the claim are exchanged
  bool by_default = true;  // false for inverses of other relations
};
/// All relations. Hypernyms are inheritance, classes of an instance (Einstein, physicist) are instance, similar
/// adjectives are similarity. All others are relations: <(*,a,b) --> name> says that b is the name of a.
inline constexpr std::array<WordNetRelation, 26> wordnet_relations{{
    {"@", "hypernym", ClaimKind::inheritance},
    {"@i", "instance_hypernym", ClaimKind::instance},
    {"&", "similar_to", ClaimKind::similarity},
    {"!", "antonym"},
    {"#m", "member_holonym"},
    {"#s", "substance_holonym"},
    {"#p", "part_holonym"},
    {"=", "attribute"},
    {"+", "derivation"},
    {";c", "topic_domain"},
    {";r", "region_domain"},
    {";u", "usage_domain"},
    {"*", "entailment"},
    {">", "cause"},
    {"^", "also_see"},
    {"$", "verb_group"},
    {"<", "participle"},
    {"\\", "pertainym"},
    {"~", "hyponym", ClaimKind::inheritance, true, false},
    {"~i", "instance_hyponym", ClaimKind::instance, true, false},
    {"%m", "member_meronym", ClaimKind::relation, false, false},
    {"%s", "substance_meronym", ClaimKind::relation, false, false},
    {"%p", "part_meronym", ClaimKind::relation, false, false},
    {"-c", "topic_member", ClaimKind::relation, false, false},
    {"-r", "region_member", ClaimKind::relation, false, false},
    {"-u", "usage_member", ClaimKind::relation, false, false},
}};

/// Names of synsets, from their first word. `lemma`: dog_n_1 (first noun sense), but just the word (entity) if it is
/// unambiguous in the chosen parts. `sense`: always with part and number. `offset`: n02084071, the location in the
/// WordNet file.
enum class WordNetNames : std::uint8_t { lemma, sense, offset };

/// Defaults of the options: all parts, and all relations with by_default.
std::vector<std::string> default_parts();
std::vector<std::string> default_relations();

struct WordNetOptions {
  std::filesystem::path folder = "/usr/share/wordnet";
  std::vector<std::string> parts = default_parts();
  std::vector<std::string> relations = default_relations();
  WordNetNames names = WordNetNames::lemma;
};

/// Paths of the files that an import reads. Index files are not needed for names by `offset`.
/// Errors  InputError if a file is missing
std::vector<std::filesystem::path> wordnet_files(const WordNetOptions& options);

/// Reads the chosen parts. Pointers between words (antonym, derivation, ...) become claims about their synsets.
/// Pointers to other parts are ignored. The source name of a synset is its offset, part and words:
/// `02084071-n dog domestic_dog Canis_familiaris`. The licence of WordNet is added to the remarks.
/// Errors   malformed lines and dangling pointers are reported with their places and reading continues; a malformed
///          synset is kept up to the error. InputError for a missing file; as Knowledge::add
void read_wordnet(const WordNetOptions& options, Knowledge& knowledge, const Advance& advance);

}  // namespace engram::experiments
