// SPDX-License-Identifier: MIT
// Tables of facts as they are published for link prediction: head TAB relation TAB tail, a line each.
#pragma once

#include <array>
#include <istream>
#include <set>
#include <string>
#include <string_view>

#include "experiments/imports/knowledge.hpp"
#include "narsese/result.hpp"

namespace engram::experiments {

/// What is wrong with a line, and at which of its bytes, counted from 0.
struct TableError {
  std::size_t offset = 0;
  std::string message;
};

/// The three names of a line, none of them empty. Callers skip the byte order mark of a first line.
narsese::Result<std::array<std::string_view, 3>, TableError> fields_of(std::string_view line);

/// Relations that are not written as products; which each is says its ClaimKind.
struct TableOptions {
  std::set<std::string> inheritance, instance, similarity;
};

/// Reads a table line by line; empty lines are passed by. `held_out`: its facts are to be asked, not to be stated.
/// Returns  the relations that it has
/// Errors   told, each with its place; the rest is read. As Knowledge::add and SourceLines
std::set<std::string> read_table(const std::string& name, std::istream& file, const TableOptions& options,
                                 bool held_out, Knowledge& knowledge, const Advance& advance);

}  // namespace engram::experiments
