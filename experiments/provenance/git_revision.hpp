// SPDX-License-Identifier: MIT
// The checkout that this program was compiled from. The build writes a source file with
// the definition (git_revision.cmake), so that a commit recompiles two lines and not the manifest.
#pragma once

namespace engram::experiments {

/// A commit, and whether the files differed from it.
struct GitRevision {
  const char* commit;  // 40 hexadecimal digits, or "unknown" without git
  const char* date;    // of the commit, YYYY-MM-DD
  bool modified;       // whether the checkout had uncommitted changes
};

/// The commit that this program was compiled from.
extern const GitRevision git_revision;

}  // namespace engram::experiments
