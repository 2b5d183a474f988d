// SPDX-License-Identifier: MIT
// The checkout that this program was compiled from. The build writes the definition (git_revision.cmake) as a file of
// its own, so that a commit recompiles ten lines and not the manifest.
#pragma once

namespace engram::experiments {

struct GitRevision {
  const char* commit;  // 40 hexadecimal digits, or "unknown" without git
  const char* date;    // of the commit, YYYY-MM-DD
  bool modified;       // whether the checkout had uncommitted changes
};

extern const GitRevision git_revision;

}  // namespace engram::experiments
