// SPDX-License-Identifier: MIT
#include "experiments/imports/table.hpp"

#include <algorithm>

#include "narsese/nal_line.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

ClaimKind kind_of(const std::string& relation, const TableOptions& options) {
  if (options.inheritance.contains(relation)) return ClaimKind::inheritance;
  if (options.instance.contains(relation)) return ClaimKind::instance;
  return options.similarity.contains(relation) ? ClaimKind::similarity : ClaimKind::relation;
}

}  // namespace

narsese::Result<std::array<std::string_view, 3>, TableError> fields_of(std::string_view line) {
  if (const std::size_t mark = line.find(narsese::byte_order_mark); mark != std::string_view::npos)
    return TableError{mark, std::string("expected text, found ") + narsese::misplaced_byte_order_mark};
  std::array<std::string_view, 3> fields;
  std::size_t start = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t tab = line.find('\t', start), end = std::min(tab, line.size());
    const bool last = i == 2;
    if (end == start) return TableError{start, "expected a name, found nothing"};
    if (last != (tab == std::string_view::npos))
      return TableError{end, last ? "expected the end of the line after three names" : "expected a tab"};
    fields[i] = line.substr(start, end - start);
    start = end + 1;
  }
  return fields;
}

std::set<std::string> read_table(const std::string& name, std::istream& file, const TableOptions& options,
                                 bool held_out, Knowledge& knowledge, const Advance& advance) {
  std::set<std::string> relations;
  Place place{knowledge.add_file(name), 1, 1};
  SourceLines lines(file, advance);
  while (lines.next()) {
    place.line = lines.number();
    if (!lines.flaw().empty()) {
      knowledge.error({place.file, place.line, 1}, lines.flaw());
      continue;
    }
    if (lines.line().empty()) continue;
    const auto at = [&](std::size_t offset) {
      return Place{place.file, place.line, static_cast<std::uint32_t>(offset + 1)};
    };
    if (const std::size_t bad = narsese::find_invalid_utf8(lines.line()); bad < lines.line().size()) {
      knowledge.error(at(bad), narsese::invalid_utf8_message);
      continue;
    }
    const auto fields = fields_of(lines.line());
    if (!fields) {
      knowledge.error(at(fields.error().offset), fields.error().message);
      continue;
    }
    std::array<std::string, 3> names;
    std::array<NameId, 3> ids{};
    for (std::size_t i = 0; i < 3; ++i) names[i] = std::string((*fields)[i]);
    relations.insert(names[1]);
    const ClaimKind kind = kind_of(names[1], options);
    for (const std::size_t i : {std::size_t{0}, std::size_t{2}, std::size_t{1}})
      if (i != 1 || kind == ClaimKind::relation) ids[i] = knowledge.name(names[i], names[i], place);
    const Claim claim{kind, ids[0], ids[2], ids[1], place};
    if (held_out)
      knowledge.hold_out(claim);
    else
      knowledge.add(claim);
  }
  knowledge.set_sha256(place.file, lines.digest());
  return relations;
}

}  // namespace engram::experiments
