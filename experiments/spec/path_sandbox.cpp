// SPDX-License-Identifier: MIT
#include "experiments/spec/path_sandbox.hpp"

#include <algorithm>

#include "experiments/formats/markup.hpp"
#include "experiments/spec/spec_file.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

// Resolves symbolic links in the part of the path that exists.
fs::path real(const fs::path& path) {
  std::error_code ignored;
  const fs::path found = fs::weakly_canonical(path.empty() ? fs::path(".") : path, ignored);
  return found.empty() ? fs::absolute(path).lexically_normal() : found;
}

// Returns the string at a JSON Pointer, or an empty one for other values.
std::string text_at(const Json& json, const char* pointer) {
  const Json text = json.is_object() ? json.value(Json::json_pointer(pointer), Json()) : json;
  return text.is_string() ? text.get<std::string>() : "";
}

}  // namespace

bool lies_in(const fs::path& file, const std::vector<fs::path>& folders) {
  const fs::path whole = real(file);
  return std::ranges::any_of(folders, [&](const fs::path& folder) {
    const fs::path start = real(folder);
    return std::ranges::mismatch(start, whole).in1 == start.end();
  });
}

std::vector<std::string> reads_outside(const Spec& spec, const std::vector<fs::path>& folders) {
  std::vector<fs::path> known = folders;
  known.emplace_back(".");
  known.push_back(shipped_file("specs").parent_path());
  std::string named;
  for (const fs::path& folder : folders)
    named += (named.empty() ? "" : ", ") + (folder.empty() ? fs::path(".") : folder).string();
  std::vector<std::string> remarks;
  for (const auto& list : {spec.inputs, spec.vectors})
    for (const Input& input : list)
      if (!lies_in(input.path, known))
        remarks.push_back("the spec reads " + legible(real(input.path).string()) + " ('" +
                          legible(input.name) + "'), which lies outside of " + legible(named));
  return remarks;
}

namespace {

// A program that the trials of a spec start.
struct SpecProgram {
  std::string member;  // the member of the spec that names it
  std::string text;    // command line or file
};

// Returns the programs that a spec starts.
std::vector<SpecProgram> programs_of(const Json& resolved) {
  std::vector<SpecProgram> programs;
  if (text_at(resolved, "/experiment") == "python") programs.push_back({"file", text_at(resolved, "/file")});
  for (const Json& method : resolved.value("methods", Json::array()))
    if (text_at(method, "/method") == "python")
      programs.push_back({"methods", text_at(method, "/options/file")});
  std::string words;
  for (const Json& word : resolved.value("/system/command"_json_pointer, Json::array()))
    words += (words.empty() ? "" : " ") + text_at(word, "");
  if (!words.empty()) programs.push_back({"system", words});
  return programs;
}

}  // namespace

void require_consent(const Json& resolved, const std::vector<std::string>& overrides,
                     const std::string& where) {
  for (const SpecProgram& program : programs_of(resolved)) {
    const bool is_users_own = std::ranges::any_of(overrides, [&](const std::string& override) {
      return override.starts_with(program.member + "=") || override.starts_with(program.member + ".");
    });
    if (!is_users_own)
      throw SpecError(
          where, "starts a program: " + program.text + "; if you trust it, allow that with --allow-programs");
  }
}

fs::path inside(const fs::path& folder, const std::string& name, const std::string& where) {
  const fs::path path = name;
  if (name.empty() || path.is_absolute() || illegible(name) || std::ranges::find(path, "..") != path.end())
    throw SpecError(where, "must be a name within the folder, found '" + name + "'");
  return folder / path;
}

void require_files_alone(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::file_type type = entry.symlink_status().type();
    if (type != fs::file_type::regular && type != fs::file_type::directory)
      throw SpecError(entry.path().string(), std::string("must be a file or a folder, found ") +
                                                 (type == fs::file_type::symlink ? "a link" : "neither"));
  }
}

}  // namespace engram::experiments
