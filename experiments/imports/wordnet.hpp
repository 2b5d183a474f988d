// SPDX-License-Identifier: MIT
// WordNet's database files, as Debian's package wordnet-base has them; their format: wndb(5WN), wninput(5WN).
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
  std::string_view name;  // of its files: data.noun, index.noun
  char letter;            // in pointers and names
};
inline constexpr std::array<WordNetPart, 4> wordnet_parts{
    {{"noun", 'n'}, {"verb", 'v'}, {"adj", 'a'}, {"adv", 'r'}}};

/// What a pointer of WordNet says, from the synset where it stands to the one that it names.
struct WordNetRelation {
  std::string_view symbol, name;
  ClaimKind kind = ClaimKind::relation;
  bool reversed = false;   // the claim goes the other way
  bool by_default = true;  // not so what only says another relation from its other end
};
/// Hypernyms are inheritance, the classes of an instance (Einstein, physicist) instance, similar adjectives
/// similarity; all else is a relation of its name, of which <(*,a,b) --> name> says that b is the name of a.
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

/// How a synset is called, after its first word: `lemma` dog_n_1 (the word's first sense as a noun), but only
/// entity where the word has no other sense in the chosen parts; `sense` always with part and number;
/// `offset` n02084071, its place in WordNet's file.
enum class WordNetNames : std::uint8_t { lemma, sense, offset };

/// All parts, and the relations by default.
std::vector<std::string> default_parts();
std::vector<std::string> default_relations();

struct WordNetOptions {
  std::filesystem::path folder = "/usr/share/wordnet";
  std::vector<std::string> parts = default_parts();
  std::vector<std::string> relations = default_relations();
  WordNetNames names = WordNetNames::lemma;
};

/// The files that an import reads; those for names are not needed for `offset`.
/// Errors  InputError for one that is not there
std::vector<std::filesystem::path> wordnet_files(const WordNetOptions& options);

/// Reads the chosen parts. What words say of each other (antonym, derivation, ...) is said of their synsets.
/// Pointers to parts that were not chosen are passed by. A synset's source name is its offset, part and
/// words: `02084071-n dog domestic_dog Canis_familiaris`. WordNet's licence goes into the remarks.
/// Errors   broken lines and pointers to nothing are told, each with its place, the rest is read: of a broken
///          synset what stands before the fault. InputError for a file that is not there; as Knowledge::add
void read_wordnet(const WordNetOptions& options, Knowledge& knowledge, const Advance& advance);

}  // namespace engram::experiments
