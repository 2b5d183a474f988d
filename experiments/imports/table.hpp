// SPDX-License-Identifier: MIT
// Reader for tables of facts in the usual link prediction format: head TAB relation TAB tail, one fact a line.
#pragma once

#include <array>
#include <istream>
#include <set>
#include <string>
#include <string_view>

#include "experiments/imports/knowledge.hpp"
#include "narsese/result.hpp"

namespace engram::experiments {

/// An error in a line, with its byte offset from 0.
struct TableError {
  std::size_t offset = 0;
  std::string message;
};

/// Splits a line into its three names; empty names are errors. Callers skip the byte order mark of the first line.
narsese::Result<std::array<std::string_view, 3>, TableError> fields_of(std::string_view line);

/// Relations with their own Narsese copula, by ClaimKind; all others are written as relations.
struct TableOptions {
  std::set<std::string> inheritance, instance, similarity;
};

/// Reads a table line by line, skipping empty lines. If `held_out` is set, the facts are only used for questions.
/// Returns  the relations of the table
/// Errors   reported with their places; reading continues. Also as Knowledge::add and SourceLines
std::set<std::string> read_table(const std::string& name, std::istream& file, const TableOptions& options,
                                 bool held_out, Knowledge& knowledge, const Advance& advance);

}  // namespace engram::experiments
