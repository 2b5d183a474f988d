// SPDX-License-Identifier: MIT
#include "experiments/imports/target_names.hpp"

#include <algorithm>

#include "bridge/systems/short_names.hpp"
#include "core/numbers/work_budget.hpp"
#include "experiments/formats/markup.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

using narsese::Dialect;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

class Naming {
 public:
  Naming(const Knowledge& knowledge, Dialect to)
      : knowledge_(knowledge),
        dialect_(to),
        most_(bridge::max_name_bytes(to)),
        atoms_(knowledge.names().size()) {}

  std::vector<std::string> all() {
    const auto& names = knowledge_.names();
    for (NameId id = 0; id < names.size(); ++id) {
      core::charge(steps_a_name);
      if (fits(names[id].wanted) && owners_.try_emplace(names[id].wanted, id).second)
        atoms_[id] = names[id].wanted;
    }
    for (NameId id = 0; id < names.size(); ++id)
      if (atoms_[id].empty()) atoms_[id] = replacement(id);
    return std::move(atoms_);
  }

 private:
  static constexpr std::uint64_t steps_a_name = 1000;

  // Returns whether the target and all readers of .nal files read the name unchanged.
  bool fits(const std::string& name) {
    if (name.empty() || name.size() > most_ || is_digit(name[0]) || name == "SELF") return false;
    const bool quoted = name.size() > 2 && name.front() == '"' && name.back() == '"';
    if (!quoted && !std::ranges::all_of(name, narsese::is_word_letter)) return false;
    if (!quoted && name[0] != '_' && is_ascii(name)) return true;
    return !illegible(name) && bridge::is_supported_name(dialect_, name);
  }

  std::string replacement(NameId id) {
    const SourceName& name = knowledge_.names()[id];
    core::charge(steps_a_name);
    if (fits(name.wanted)) {  // the name is already taken by another source name
      const NameId owner = owners_.at(name.wanted);
      const bool quoted = name.wanted[0] == '"';
      return reported(id, owner, name.wanted,
                      with_suffix(quoted ? bridge::plain_name(name.wanted) : name.wanted, id));
    }
    const std::string base = bridge::plain_name(name.wanted);
    if (base.size() > most_) return with_suffix(base, id);
    const auto [owner, is_free] = owners_.try_emplace(base, id);
    return is_free ? base : reported(id, owner->second, base, with_suffix(base, id));
  }

  std::string with_suffix(const std::string& base, NameId id) {
    for (std::size_t digits = bridge::min_hash_digits;
         digits <= bridge::max_hash_digits && digits + 2 <= most_; ++digits) {
      std::string name = bridge::hashed_name(base, knowledge_.names()[id].source, digits, most_);
      if (owners_.try_emplace(name, id).second) return name;
    }
    throw std::logic_error("two sources have the same SHA-256");
  }

  std::string reported(NameId id, NameId owner, const std::string& base, std::string name) const {
    const auto& names = knowledge_.names();
    knowledge_.warning(names[id].place,
                       "'" + legible(names[id].source) + "' and '" + legible(names[owner].source) +
                           "' would both be " + base + ": the first is written " + name,
                       "names that would become equal get a suffix");
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

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return legible(out);
}

// Splits the text into JSON strings of at most `most` bytes each, between code points.
std::vector<std::string> quoted_pieces(std::string_view text) {
  constexpr std::size_t most = 900;  // chosen: ONA reads lines of at most 1023 bytes
  std::vector<std::string> pieces(1);
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    for (end = begin + 1; end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80;)
      ++end;
    const std::string next = escaped(text.substr(begin, end - begin));
    if (pieces.back().size() + next.size() > most) pieces.emplace_back();
    pieces.back() += next;
  }
  for (std::string& piece : pieces) piece = '"' + piece + '"';
  return pieces;
}

}  // namespace

std::vector<std::string> name_lines(const std::string& atom, std::string_view source) {
  std::vector<std::string> lines;
  for (const std::string& piece : quoted_pieces(source))
    lines.push_back("name: " + atom + (lines.empty() ? " is " : " is + ") + piece);
  return lines;
}

}  // namespace engram::experiments
