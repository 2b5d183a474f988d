// SPDX-License-Identifier: MIT
#include "experiments/provenance/provenance.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "experiments/formats/files.hpp"
#include "experiments/spec/path_sandbox.hpp"

namespace engram::experiments {
namespace {

namespace fs = std::filesystem;

// All files of the folder by name, without temporary files of a killed run, the digests and the journal.
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

// Entity of SHA256SUMS. It lists the digest of the metadata, so the metadata cannot contain its digest; its size is
// known beforehand.
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

// Entity of an input. Inputs are outside the folder, so their id is their digest (RFC 6920).
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
        "Whoever publishes this run states here under what licence; its inputs keep their own. The program "
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
