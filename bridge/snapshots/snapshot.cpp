// SPDX-License-Identifier: MIT
#include "bridge/snapshots/snapshot.hpp"

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "bridge/files/files.hpp"
#include "bridge/snapshots/binary_format.hpp"
#include "bridge/snapshots/snapshot_format.hpp"

namespace engram::bridge {

namespace fs = std::filesystem;

namespace {

void require_regular(const fs::path& path) {
  std::error_code problem;
  const bool regular = fs::is_regular_file(path, problem);  // opening a pipe could block forever
  if (!regular && fs::exists(path, problem))
    throw std::system_error(EINVAL, std::generic_category(), path.string() + ": not a regular file");
}

// Collects the concept and its components with IDs of at least `made`, in the order of their creation.
void collect_new(const core::ConceptGraph& graph, core::ConceptId made, core::ConceptId id,
                 std::vector<core::ConceptId>& order, std::vector<bool>& met) {
  if (id < made || met[id - made]) return;
  met[id - made] = true;
  for (const narsese::Term component : graph.term(id).components())
    if (component.kind() != narsese::TermKind::variable)
      collect_new(graph, made, graph.find(component).value(), order, met);
  order.push_back(id);
}

}  // namespace

SnapshotError::SnapshotError(std::size_t at_line, const std::string& message)
    : std::runtime_error((at_line > 0 ? "line " + std::to_string(at_line) + ": " : "") + message),
      line(at_line) {}

const core::Memory& snapshot_format::Contents::restore_memory() {
  made->mutable_memory().restore(image);
  return made->memory();
}

void snapshot_format::Contents::hand_over_to(core::Session& session) {
  session.restore(std::move(made->mutable_memory()), std::move(budgets[0]), std::move(budgets[1]),
                  std::move(forgotten));
}

core::ConceptId snapshot_format::first_created(const core::ConceptGraph& graph, core::ConceptId made,
                                               core::ConceptId root) {
  std::vector<core::ConceptId> order;
  std::vector<bool> met(root - made + std::size_t{1}, false);
  collect_new(graph, made, root, order, met);
  core::ConceptId first = root + 1;
  for (auto id = order.rbegin(); id != order.rend(); ++id)
    if (*id + 1 == first) first = *id;
  return first;
}

bool snapshot_format::reads_as(const std::string& text, narsese::Term meant, narsese::TermTable& table) {
  const auto read = parse_between_brackets(text, table);
  return read && read->is(narsese::Copula::inheritance) && compare(read->subject(), meant) == 0 &&
         compare(read->predicate(), meant) == 0;
}

SnapshotFacts write_snapshot(const core::Session& session, const fs::path& path, SnapshotForm form) {
  require_regular(path);
  if (form == SnapshotForm::json) return snapshot_format::write_lines(session, path);
  const snapshot_format::BinaryFile file = snapshot_format::write_binary(session);
  write_file(path, file.bytes, private_mode);
  return file.facts;
}

SnapshotFacts read_snapshot(core::Session& session, const fs::path& path) try {
  require_regular(path);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw_file_error(path);
  // JSON lines are not mapped, because other programs that edit them may truncate the file.
  const auto first = in.peek();
  if (first == std::ifstream::traits_type::eof() || !snapshot_format::is_binary(static_cast<char>(first)))
    return snapshot_format::read_lines(session, in);
  return snapshot_format::read_binary(session, MappedFile(path).bytes());
} catch (const ByteError& error) {
  throw SnapshotError(0, error.what());
} catch (const narsese::TermTableFull& error) {
  throw SnapshotError(0, error.what());
} catch (const std::invalid_argument& error) {
  throw SnapshotError(0, error.what());
}

}  // namespace engram::bridge
