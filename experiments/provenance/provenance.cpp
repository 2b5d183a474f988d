// SPDX-License-Identifier: MIT
#include "experiments/provenance/provenance.hpp"

#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include <Eigen/Core>
#include <algorithm>
#include <boost/version.hpp>
#include <fstream>
#include <sstream>
#include <vector>

#include "core/numbers/random.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/spec/experiment.hpp"
#include "experiments/spec/path_sandbox.hpp"

namespace engram::experiments {

// Git revision of this program. The build defines these constants in a source file (git_revision.cmake), so a new
// commit recompiles only that file.
extern const char* const git_commit;  // 40 hexadecimal digits, or "unknown" without git
extern const char* const git_date;    // date of the commit, YYYY-MM-DD
extern const bool git_modified;       // whether the checkout had uncommitted changes

namespace {

namespace fs = std::filesystem;

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string dotted(unsigned major, unsigned minor, unsigned patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

#if defined(__clang__)
constexpr const char* compiler = "clang " __clang_version__;
#else
constexpr const char* compiler = "g++ " __VERSION__;
#endif

// Promises about reproducibility, and the tests that check them.
Json reproducibility() {
  return {{"results", "bit-identical, to the last of 17 digits"},
          {"whatever",
           {"the number of jobs, and whether the run was killed and resumed",
            "the compiler (g++, clang++) and its optimisation; the build refuses fast-math",
            "the x86-64 processor, and -march"}},
          {"except",
           {"timings.jsonl", "plots/, if the version of gnuplot or Graphviz differs",
            "manifest.json and its digests, if build or machine differ"}},
          {"by",
           "sums in a fixed order, own exp and log, random numbers by counter, no contraction of "
           "floating-point expressions"},
          {"not_promised", "processors other than x86-64"},
          {"tests",
           {{"jobs, resuming", "tests/program/determinism.sh, tests/program/kill.sh"},
            {"compilers, optimisation, -march",
             "tests/program/digests.txt holds for g++ -O1, and for clang++ -march=native under sanitizers"},
            {"processors",
             "tests/core/single_precision/float_kernels_test.cpp and "
             "tests/core/hopfield/bit_hopfield_test.cpp: AVX2 and AVX-512 against plain C++"}}}};
}

// All files of the folder by name. Excludes temporary files of a killed run, SHA256SUMS and the journal.
std::vector<std::string> files_of(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).generic_string();
    if (entry.is_regular_file() && entry.path().extension() != ".part" && name != journal_name &&
        name != sums_name)
      names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

std::string encoding_format(const fs::path& name) {
  const std::string extension = name.extension().string();
  for (const auto& [known, format] :
       {std::pair(".json", "application/json"), std::pair(".jsonl", "application/jsonl"),
        std::pair(".csv", "text/csv"), std::pair(".tex", "application/x-tex"),
        std::pair(".md", "text/markdown"), std::pair(".svg", "image/svg+xml"),
        std::pair(".pdf", "application/pdf"), std::pair(".html", "text/html")})
    if (extension == known) return format;
  return "text/plain";
}

Json reference(const std::string& id) { return {{"@id", id}}; }

// Percent-encodes a name for a URI.
std::string uri(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-._~/=").find(c) != std::string_view::npos)
      text += c;
    else
      text += {'%', "0123456789ABCDEF"[byte >> 4], "0123456789ABCDEF"[byte & 15]};
  }
  return text;
}

Json file_entity(const fs::path& folder, const std::string& name) {
  Json entity = {
      {"@id", uri(name)}, {"@type", "File"}, {"name", name}, {"encodingFormat", encoding_format(name)}};
  if (name == "timings.jsonl") {  // its digest differs in every run
    entity["description"] = "When the run was, and how long each step took.";
    return entity;
  }
  entity["contentSize"] = std::to_string(fs::file_size(folder / name));
  entity["sha256"] = sha256_of_file(folder / name);
  return entity;
}

// Metadata entity of SHA256SUMS. The metadata cannot contain the digest of that file, because the file itself contains
// the digest of the metadata. The size of the file is known beforehand from the names of its entries.
Json sums_entity(const fs::path& folder) {
  constexpr std::size_t around = 64 + 2 + 1;  // digest, blanks, line feed
  std::size_t size = around + std::string_view(crate_name).size();
  for (const std::string& name : files_of(folder))
    if (name != crate_name && name != "timings.jsonl") size += around + name.size();
  return {{"@id", sums_name},
          {"@type", "File"},
          {"name", sums_name},
          {"encodingFormat", encoding_format(sums_name)},
          {"contentSize", std::to_string(size)},
          {"description", "SHA-256 of every other file, as sha256sum reads it."}};
}

// Metadata entity of an input file. Inputs are outside the folder, so their id is their digest (RFC 6920).
Json input_entity(const Json& input) {
  const auto digest = input.at("sha256").get<std::string>();
  if (digest.size() != 64 || digest.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw SpecError("manifest.json", "must hold SHA-256s of 64 digits, found '" + digest + "'");
  return {{"@id", "nih:sha-256;" + digest},
          {"@type", "File"},
          {"name", input.at("name")},
          {"encodingFormat", encoding_format(input.at("name").get<std::string>())},
          {"contentSize", std::to_string(input.at("bytes").get<std::uintmax_t>())},
          {"sha256", digest}};
}

Json crate(const fs::path& folder, const Json& manifest, const Conclusion& conclusion) {
  const auto experiment = manifest.at("experiment").get<std::string>();
  const std::string profile = "https://w3id.org/ro/wfrun/process/0.5";
  Json parts = Json::array(), entities = Json::array(), objects = Json::array(), results = Json::array();
  for (const Json& input : manifest.at("inputs")) {
    entities.push_back(input_entity(input));
    objects.push_back(reference(entities.back().at("@id")));
  }
  for (const std::string& name : files_of(folder)) {
    if (name == crate_name) continue;
    entities.push_back(file_entity(folder, name));
    (name == "spec.json" ? objects : results).push_back(reference(uri(name)));
  }
  entities.push_back(sums_entity(folder));
  results.push_back(reference(sums_name));
  for (const Json& entity : entities) parts.push_back(reference(entity.at("@id")));
  Json root = {{"@id", "./"},
               {"@type", "Dataset"},
               {"conformsTo", reference(profile)},
               {"name", "Engram, experiment " + experiment},
               {"description", conclusion.question + " " + conclusion.answer},
               {"license", reference("#licence")},
               {"hasPart", parts},
               {"mentions", reference("#run")}};
  const Json& date = manifest.at("git").at("date");
  if (date != "unknown") root["datePublished"] = date;
  Json graph = {
      {{"@id", crate_name},
       {"@type", "CreativeWork"},
       {"conformsTo", reference("https://w3id.org/ro/crate/1.1")},
       {"about", reference("./")}},
      root,
      {{"@id", profile}, {"@type", "CreativeWork"}, {"name", "Process Run Crate"}, {"version", "0.5"}},
      {{"@id", "#licence"},
       {"@type", "CreativeWork"},
       {"name", "not stated"},
       {"description",
        "Publishers of this run state its licence here. Its inputs keep their own licences. The program "
        "Engram is under the MIT licence."}},
      {{"@id", "#engram"},
       {"@type", "SoftwareApplication"},
       {"name", "Engram"},
       {"softwareVersion", manifest.at("engram").get<std::string>() + ", revision " +
                               manifest.at("git").at("revision").get<std::string>() +
                               (manifest.at("git").at("dirty").get<bool>() ? ", modified" : "")}},
      {{"@id", "#run"},
       {"@type", "CreateAction"},
       {"name", "engram run, experiment " + experiment},
       {"instrument", reference("#engram")},
       {"object", objects},
       {"result", results},
       {"actionStatus", reference("http://schema.org/CompletedActionStatus")}}};
  for (const Json& entity : entities) graph.push_back(entity);
  return {{"@context", {"https://w3id.org/ro/crate/1.1/context", {{"sha256", "https://schema.org/sha256"}}}},
          {"@graph", graph}};
}

}  // namespace

const std::string& program_digest() {
  static const std::string digest = sha256_of_file("/proc/self/exe");
  return digest;
}

Json make_manifest(const Spec& spec) {
  Json inputs = Json::array();
  for (const auto& list : {spec.inputs, spec.vectors})
    for (const Input& input : list)
      inputs.push_back(
          {{"name", input.name},
           {"sha256", sha256_of_file(input.path)},  // first, because its error for unreadable files is best
           {"bytes", fs::file_size(input.path)}});
  utsname system{};
  uname(&system);
  return {{"engram", ENGRAM_VERSION},
          {"git", {{"revision", git_commit}, {"dirty", git_modified}, {"date", git_date}}},
          {"experiment", spec.experiment->name()},
          {"inputs", inputs},
          {"seeds", spec.seeds},
          {"rng", core::Rng::scheme},
          {"reproducibility", reproducibility()},
          {"build",
           {{"compiler", compiler},
            {"flags", ENGRAM_FLAGS},
            {"type", ENGRAM_BUILD_TYPE},
            {"sha256", program_digest()}}},
          {"libraries",
           {{"boost", dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
            {"eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
            {"nlohmann_json",
             dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
            {"libc", gnu_get_libc_version()}}},
          {"machine",
           {{"cpu", cpu_model()},
            {"system", std::string(system.sysname) + " " + system.release},
            {"architecture", system.machine}}}};
}

std::string version_line() {
  return "engram " ENGRAM_VERSION " (" + std::string(git_commit).substr(0, 12) +
         (git_modified ? ", modified" : "") + "; " + compiler + "; " + ENGRAM_BUILD_TYPE + ")";
}

void write_provenance(const fs::path& folder, const Json& manifest, const Conclusion& conclusion) {
  write_file(folder / crate_name, pretty(crate(folder, manifest, conclusion)));
  std::string sums;
  for (const std::string& name : files_of(folder))
    if (name != "timings.jsonl") sums += sha256_of_file(folder / name) + "  " + name + "\n";
  write_file(folder / sums_name, sums);
}

std::map<std::string, std::string> read_sums(const fs::path& folder) {
  constexpr std::size_t digits = 64;
  std::map<std::string, std::string> sums;
  std::istringstream lines(read_file(folder / sums_name));
  for (std::string line; std::getline(lines, line);) {
    if (line.size() < digits + 3 || line.substr(digits, 2) != "  ")
      throw SpecError((folder / sums_name).string(),
                      "must hold a digest and a name in a line, found '" + line + "'");
    const std::string name = line.substr(digits + 2);
    inside(folder, name, (folder / sums_name).string());
    sums[name] = line.substr(0, digits);
  }
  return sums;
}

}  // namespace engram::experiments
