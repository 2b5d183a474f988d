// SPDX-License-Identifier: MIT
#include "experiments/imports/target_names.hpp"

#include <algorithm>

#include "core/numbers/work.hpp"
#include "experiments/formats/escapes.hpp"
#include "experiments/formats/files.hpp"
#include "narsese/parser.hpp"
#include "narsese/words.hpp"

namespace engram::experiments {
namespace {

using narsese::Copula;
using narsese::Dialect;

constexpr std::size_t first_digits = 6, all_digits = 64;  // of a SHA-256, in hexadecimal

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// At most so many bytes of UTF-8, no code point cut in two.
std::string_view cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80) --most;
  return text.substr(0, most);
}

class Naming {
 public:
  Naming(const Knowledge& knowledge, Dialect to)
      : knowledge_(knowledge),
        dialect_(to),
        most_(std::min(facts(to).max_name_bytes, narsese::ParseLimits{}.max_name_bytes)),
        atoms_(knowledge.names().size()) {}

  std::vector<std::string> all() {
    const auto& names = knowledge_.names();
    for (NameId id = 0; id < names.size(); ++id) {
      core::spend(steps_a_name);
      if (fits(names[id].wanted) && owners_.try_emplace(names[id].wanted, id).second)
        atoms_[id] = names[id].wanted;
    }
    for (NameId id = 0; id < names.size(); ++id)
      if (atoms_[id].empty()) atoms_[id] = made(id);
    return std::move(atoms_);
  }

 private:
  static constexpr std::uint64_t steps_a_name = 1000;

  // Whether the target reads the name as what it is, and every reader of files.
  bool fits(const std::string& name) {
    if (name.empty() || name.size() > most_ || is_digit(name[0]) || name == "SELF") return false;
    const bool quoted = name.size() > 2 && name.front() == '"' && name.back() == '"';
    if (!quoted && !std::ranges::all_of(name, narsese::is_word_letter)) return false;
    if (!quoted && name[0] != '_' && is_ascii(name)) return true;
    return !illegible(name) && is_read_by_target(name);
  }

  bool is_read_by_target(const std::string& name) {
    narsese::TermTable table;
    const narsese::Term atom = table.atom(name);
    const narsese::Sentence sentence{
        table.statement(Copula::inheritance, atom, table.atom("a")), {}, {}, {}, {}};
    const auto translation = narsese::Translator(table, dialect_).sentence(sentence);
    if (!translation || !translation->warnings.empty()) return false;
    const auto again = narsese::parse_sentence(translation->text, table, {}, dialect_);
    return again && again->term == sentence.term;
  }

  std::string made(NameId id) {
    const SourceName& name = knowledge_.names()[id];
    core::spend(steps_a_name);
    if (fits(name.wanted)) {  // another has it
      const NameId owner = owners_.at(name.wanted);
      const bool quoted = name.wanted[0] == '"';
      return tell(id, owner, name.wanted, apart(quoted ? plain(name.wanted) : name.wanted, id));
    }
    const std::string base = plain(name.wanted);
    if (base.size() > most_) return apart(base, id);
    const auto [owner, is_free] = owners_.try_emplace(base, id);
    return is_free ? base : tell(id, owner->second, base, apart(base, id));
  }

  static std::string plain(const std::string& wanted) {
    std::string name = wanted;
    std::ranges::replace_if(
        name,
        [](char c) {
          return !narsese::is_word_letter(c) || !is_ascii({&c, 1});
        },
        '_');
    return name.empty() || is_digit(name[0]) || name[0] == '_' || name == "SELF" ? "n" + name : name;
  }

  std::string apart(const std::string& base, NameId id) {
    const std::string digest = sha256_of_text(knowledge_.names()[id].source);
    for (std::size_t digits = first_digits; digits <= all_digits; ++digits) {
      if (digits + 2 > most_) break;
      std::string name(cut(base, std::min(base.size(), most_ - digits - 1)));
      name += "_" + digest.substr(0, digits);
      if (owners_.try_emplace(name, id).second) return name;
    }
    throw std::logic_error("two sources have the same SHA-256");
  }

  std::string tell(NameId id, NameId owner, const std::string& base, std::string name) const {
    const auto& names = knowledge_.names();
    knowledge_.warning(names[id].place,
                       "'" + legible(names[id].source) + "' and '" + legible(names[owner].source) +
                           "' would both be " + base + ": the first is written " + name,
                       "names that would become one are kept apart");
    return name;
  }

  const Knowledge& knowledge_;
  Dialect dialect_;
  std::size_t most_;
  std::vector<std::string> atoms_;
  std::unordered_map<std::string, NameId> owners_;
};

}  // namespace

std::vector<std::string> target_names(const Knowledge& knowledge, Dialect to) {
  return Naming(knowledge, to).all();
}

}  // namespace engram::experiments
