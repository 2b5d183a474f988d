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
      if (atoms_[id].empty()) atoms_[id] = made(id);
    return std::move(atoms_);
  }

 private:
  static constexpr std::uint64_t steps_a_name = 1000;

  // Whether the target and all readers of .nal files read the name unchanged.
  bool fits(const std::string& name) {
    if (name.empty() || name.size() > most_ || is_digit(name[0]) || name == "SELF") return false;
    const bool quoted = name.size() > 2 && name.front() == '"' && name.back() == '"';
    if (!quoted && !std::ranges::all_of(name, narsese::is_word_letter)) return false;
    if (!quoted && name[0] != '_' && is_ascii(name)) return true;
    return !illegible(name) && bridge::is_supported_name(dialect_, name);
  }

  std::string made(NameId id) {
    const SourceName& name = knowledge_.names()[id];
    core::charge(steps_a_name);
    if (fits(name.wanted)) {  // another source has this name
      const NameId owner = owners_.at(name.wanted);
      const bool quoted = name.wanted[0] == '"';
      return tell(id, owner, name.wanted, apart(quoted ? bridge::plain_name(name.wanted) : name.wanted, id));
    }
    const std::string base = bridge::plain_name(name.wanted);
    if (base.size() > most_) return apart(base, id);
    const auto [owner, is_free] = owners_.try_emplace(base, id);
    return is_free ? base : tell(id, owner->second, base, apart(base, id));
  }

  std::string apart(const std::string& base, NameId id) {
    for (std::size_t digits = bridge::min_hash_digits;
         digits <= bridge::max_hash_digits && digits + 2 <= most_; ++digits) {
      std::string name = bridge::hashed_name(base, knowledge_.names()[id].source, digits, most_);
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
