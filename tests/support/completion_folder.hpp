// SPDX-License-Identifier: MIT
// Temporary folder for tests of runs, with an input file and specs that read it.
#pragma once

#include "experiments/spec/spec.hpp"
#include "tests/support/folder.hpp"

namespace engram::testing {

/// Temporary folder with the input file a.nal, and specs of the experiment `completion` that read it.
struct CompletionFolder : Folder {
  explicit CompletionFolder(const std::string& name, const std::string& narsese = pets) : Folder(name) {
    write(path / "a.nal", narsese);
  }

  /// A spec with defaults. Each of `members` is added to it or replaces its member of the same name.
  experiments::Spec spec(const experiments::Json& members = experiments::Json::object()) const {
    experiments::Json all = {{"experiment", "completion"}, {"inputs", {"a.nal"}}};
    all.update(members);
    return experiments::resolve_spec(all, path);
  }

  /// An input of five statements and two questions, with expected answers and proofs.
  static constexpr const char* pets =
      "<tim --> cat>.\n<cat --> animal>.\n<tom --> dog>.\n<dog --> animal>.\n<bee --> insect>.\n"
      "<tim --> animal>?\n//expected: Answer: <tim --> animal>.\n//needed: <tim --> cat>.\n"
      "//needed: <cat --> animal>.\n"
      "<tom --> ?1>?\n//expected: Answer: <tom --> dog>.\n//needed: <tom --> dog>.\n";
};

}  // namespace engram::testing
