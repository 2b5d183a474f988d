// SPDX-License-Identifier: MIT
#include "experiments/imports/wordnet.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <unordered_map>

#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

struct Pointer {
  const WordNetRelation* relation = nullptr;
  std::uint64_t target = 0;
  Place place;
};

struct Synset {
  Place place;
  std::vector<std::string> words;
  std::vector<Pointer> pointers;
};

// Key of a synset: part and offset, because offsets are unique only within a part.
using SynsetKey = std::uint64_t;
constexpr SynsetKey key_of(std::size_t part, std::uint32_t offset) {
  return static_cast<std::uint64_t>(part) << 32 | offset;
}

struct BrokenField {
  std::size_t offset;
  std::string message;
};

// Parser for the fields of a line, separated by single blanks. Throws BrokenField for unexpected input.
class Fields {
 public:
  explicit Fields(std::string_view line) : line_(line) {}

  std::size_t offset() const { return offset_; }
  std::string_view word(const char* what) {
    offset_ = next_;
    if (offset_ >= line_.size()) fail(std::string("expected ") + what + ", found end of line");
    const std::size_t end = std::min(line_.find(' ', offset_), line_.size());
    if (end == offset_) fail(std::string("expected ") + what + ", found a blank");
    next_ = end + 1;
    return line_.substr(offset_, end - offset_);
  }
  std::uint32_t number(const char* what, int base = 10, std::uint32_t most = 999'999'999) {
    const std::string_view text = word(what);
    std::uint32_t value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (status != std::errc() || end != text.data() + text.size() || value > most)
      fail(std::string("expected ") + what + ", found '" + legible(text) + "'");
    return value;
  }
  [[noreturn]] void fail(const std::string& message) const { throw BrokenField{offset_, message}; }

 private:
  std::string_view line_;
  std::size_t offset_ = 0, next_ = 0;
};

std::size_t part_of_letter(const Fields& fields, std::string_view letter) {
  const std::string_view of = letter == "s" ? "a" : letter;  // "s", satellite adjectives: in the file of "a"
  for (std::size_t part = 0; part < wordnet_parts.size(); ++part)
    if (of.size() == 1 && of[0] == wordnet_parts[part].letter) return part;
  fields.fail("expected a part of speech (n, v, a, s or r), found '" + legible(letter) + "'");
}

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

class WordNetReader {
 public:
  WordNetReader(const WordNetOptions& options, Knowledge& knowledge, const Advance& advance)
      : options_(options), knowledge_(knowledge), advance_(advance) {}

  void read() {
    for (std::size_t part = 0; part < wordnet_parts.size(); ++part) {
      if (!is_chosen(wordnet_parts[part].name)) continue;
      if (options_.names != WordNetNames::offset) read_file_of("index", part, &WordNetReader::read_senses);
      read_file_of("data", part, &WordNetReader::read_synset);
    }
    for (const SynsetKey key : order_) claim(key);
  }

 private:
  using ReadLine = void (WordNetReader::*)(Fields&, std::size_t part, Place);

  bool is_chosen(std::string_view part) const {
    return std::ranges::find(options_.parts, part) != options_.parts.end();
  }

  // Reads a file line by line. The lines of the licence begin with two blanks and a number; those of the first file
  // become remarks.
  void read_file_of(const std::string& kind, std::size_t part, ReadLine read_line) {
    const std::filesystem::path path = options_.folder / (kind + "." + std::string(wordnet_parts[part].name));
    std::ifstream file = open_input(path);
    const bool is_first = knowledge_.files().empty();  // later files repeat the licence of the first one
    Place place{knowledge_.add_file(path.string()), 1, 1};
    SourceLines lines(file, advance_);
    while (lines.next()) {
      place.line = lines.number();
      const std::string_view line = lines.line();
      if (line.starts_with("  ")) {
        if (is_first) knowledge_.remarks.emplace_back(line.substr(0, line.find_last_not_of(' ') + 1));
        continue;
      }
      try {
        if (const std::size_t bad = narsese::find_invalid_utf8(line); bad < line.size())
          throw BrokenField{bad, narsese::invalid_utf8_message};
        Fields fields(line);
        (this->*read_line)(fields, part, place);
      } catch (const BrokenField& broken) {
        knowledge_.error({place.file, place.line, static_cast<std::uint32_t>(broken.offset + 1)},
                         broken.message);
      }
    }
    knowledge_.set_sha256(place.file, lines.digest());
  }

  // Line format: lemma pos synset_cnt p_cnt [symbol...] sense_cnt tagsense_cnt offset [offset...]
  void read_senses(Fields& fields, std::size_t part, Place) {
    const std::string lemma(fields.word("a word"));
    part_of_letter(fields, fields.word("a part of speech"));
    const std::uint32_t synsets = fields.number("the number of synsets");
    for (std::uint32_t symbols = fields.number("the number of pointers"); symbols > 0; --symbols)
      fields.word("a pointer symbol");
    fields.number("the number of senses");
    fields.number("the number of tagged senses");
    std::vector<SynsetKey>& senses = senses_[lemma];
    for (std::uint32_t i = 0; i < synsets; ++i)
      senses.push_back(key_of(part, fields.number("the offset of a synset")));
  }

  // Line format: offset lex_filenum ss_type w_cnt word lex_id [word lex_id...] p_cnt [ptr...] [frames...] | gloss
  void read_synset(Fields& fields, std::size_t part, Place place) {
    const std::uint32_t offset = fields.number("the offset of the synset");
    fields.number("the number of a lexicographer's file");
    if (part_of_letter(fields, fields.word("a part of speech")) != part)
      fields.fail("expected a synset of this file's part of speech");
    const SynsetKey key = key_of(part, offset);
    Synset synset{place, {}, {}};
    const std::uint32_t words = fields.number("the number of words", 16);
    if (words == 0) fields.fail("expected at least one word");
    for (std::uint32_t i = 0; i < words; ++i) {
      const std::string_view word = fields.word("a word");
      synset.words.emplace_back(word.substr(0, word.find('(')));  // adjectives may have markers: galore(ip)
      if (synset.words.back().empty()) fields.fail("expected a word, found '" + legible(word) + "'");
      fields.number("the number of a word's sense in its file", 16);
    }
    const auto [known, fresh] = synsets_.try_emplace(key, std::move(synset));
    if (!fresh)
      throw BrokenField{
          0, "found the offset of another synset, in line " + std::to_string(known->second.place.line)};
    order_.push_back(key);
    for (std::uint32_t i = fields.number("the number of pointers"); i > 0; --i)
      read_pointer(fields, known->second);
  }

  // Pointer format: symbol offset pos source/target
  void read_pointer(Fields& fields, Synset& synset) const {
    const std::string_view symbol = fields.word("a pointer symbol");
    const auto* const relation = std::ranges::find(wordnet_relations, symbol, &WordNetRelation::symbol);
    const Place place{synset.place.file, synset.place.line, static_cast<std::uint32_t>(fields.offset() + 1)};
    if (relation == wordnet_relations.end())
      fields.fail("expected a pointer symbol, found '" + legible(symbol) + "'");
    const std::uint32_t offset = fields.number("the offset of a synset");
    const std::size_t part = part_of_letter(fields, fields.word("a part of speech"));
    fields.number("the numbers of two words", 16);
    if (is_chosen(wordnet_parts[part].name) &&
        std::ranges::find(options_.relations, relation->name) != options_.relations.end())
      synset.pointers.push_back({relation, key_of(part, offset), place});
  }

  void claim(SynsetKey key) {
    const Synset& synset = synsets_.at(key);
    for (const Pointer& pointer : synset.pointers) {
      const auto target = synsets_.find(pointer.target);
      if (target == synsets_.end()) {
        knowledge_.error(pointer.place, "expected a known synset, found " + source_offset(pointer.target));
        continue;
      }
      Claim claim{pointer.relation->kind, name(key, synset), name(target->first, target->second), 0,
                  pointer.place};
      if (pointer.relation->reversed) std::swap(claim.subject, claim.object);
      if (claim.kind == ClaimKind::relation) {
        const std::string relation(pointer.relation->name);
        claim.relation = knowledge_.name(relation, relation, pointer.place);
      }
      knowledge_.add(claim);
    }
  }

  static std::string digits_of(SynsetKey key) {
    const std::string digits = std::to_string(static_cast<std::uint32_t>(key));
    return std::string(8 - std::min<std::size_t>(8, digits.size()), '0') + digits;
  }
  static std::string source_offset(SynsetKey key) {
    return digits_of(key) + "-" + wordnet_parts[key >> 32].letter;
  }

  NameId name(SynsetKey key, const Synset& synset) {
    const auto [known, fresh] = names_.try_emplace(key, 0);
    if (!fresh) return known->second;
    std::string source = source_offset(key);
    for (const std::string& word : synset.words) source += " " + word;
    return known->second = knowledge_.name(source, wanted(key, synset), synset.place);
  }

  std::string wanted(SynsetKey key, const Synset& synset) const {
    const std::string offset = wordnet_parts[key >> 32].letter + digits_of(key);
    if (options_.names == WordNetNames::offset) return offset;
    const std::string& word = synset.words.front();
    const auto senses = senses_.find(lower_case(word));
    if (senses == senses_.end()) return reported_offset(key, synset, offset);
    const auto sense = std::ranges::find(senses->second, key);
    if (sense == senses->second.end()) return reported_offset(key, synset, offset);
    if (options_.names == WordNetNames::lemma && senses->second.size() == 1) return word;
    const auto before = std::count_if(senses->second.begin(), sense,
                                      [&](SynsetKey other) { return other >> 32 == key >> 32; });
    return word + "_" + wordnet_parts[key >> 32].letter + "_" + std::to_string(before + 1);
  }

  std::string reported_offset(SynsetKey key, const Synset& synset, const std::string& offset) const {
    knowledge_.error(synset.place, "the index lacks the sense of '" + synset.words.front() + "' for " +
                                       source_offset(key) + ": its name is " + offset);
    return offset;
  }

  const WordNetOptions& options_;
  Knowledge& knowledge_;
  const Advance& advance_;
  std::unordered_map<std::string, std::vector<SynsetKey>> senses_;  // by lower-case word, in order
  std::unordered_map<SynsetKey, Synset> synsets_;
  std::vector<SynsetKey> order_;  // keys of synsets_ in the order of the files
  std::unordered_map<SynsetKey, NameId> names_;
};

}  // namespace

std::vector<std::string> default_parts() {
  std::vector<std::string> names;
  for (const WordNetPart& part : wordnet_parts) names.emplace_back(part.name);
  return names;
}

std::vector<std::string> default_relations() {
  std::vector<std::string> names;
  for (const WordNetRelation& relation : wordnet_relations)
    if (relation.by_default) names.emplace_back(relation.name);
  return names;
}

std::vector<std::filesystem::path> wordnet_files(const WordNetOptions& options) {
  std::vector<std::filesystem::path> files;
  for (const std::string& part : options.parts) {
    files.push_back(options.folder / ("data." + part));
    if (options.names != WordNetNames::offset) files.push_back(options.folder / ("index." + part));
  }
  for (const std::filesystem::path& file : files)
    if (!std::filesystem::exists(file))
      throw InputError(file.string() + ": file not found; Debian's package wordnet-base installs it in " +
                       WordNetOptions().folder.string());
  return files;
}

void read_wordnet(const WordNetOptions& options, Knowledge& knowledge, const Advance& advance) {
  WordNetReader(options, knowledge, advance).read();
}

}  // namespace engram::experiments
