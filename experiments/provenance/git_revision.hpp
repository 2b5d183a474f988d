// SPDX-License-Identifier: MIT
// Git revision that this program was compiled from. The build writes a source file with the definition
// (git_revision.cmake), so a new commit recompiles only that file.
#pragma once

namespace engram::experiments {

/// A commit, and whether the files differed from it.
struct GitRevision {
  const char* commit;  // 40 hexadecimal digits, or "unknown" without git
  const char* date;    // date of the commit, YYYY-MM-DD
  bool modified;       // whether the checkout had uncommitted changes
};

/// The revision that this program was compiled from.
extern const GitRevision git_revision;

}  // namespace engram::experiments
