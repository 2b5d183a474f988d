// SPDX-License-Identifier: MIT
// Tests of everything that is generated from the table of operations: the requests in the schema, the tables and
// examples on the protocol page, and the help. If a file differs from the table, the test writes the expected file.
#include "bridge/operations/operations.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "bridge/operations/operations_help.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

namespace engram::bridge {
namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& file) { return testing::read(fs::path(ENGRAM_SOURCE_DIR) / file); }

// Checks that a file of the project has the expected text. If not, writes that text to the current folder.
void check_text(const std::string& file, const std::string& expected) {
  if (text_of(file) == expected) return;
  const fs::path written = fs::current_path() / fs::path(file).filename();
  std::ofstream(written) << expected;
  FAIL(file << " differs from the table of operations; to update it: cp " << written.string() << " "
            << (fs::path(ENGRAM_SOURCE_DIR) / file).string());
}

// A default value of a field. Whole numbers become integers.
Json plain(const Json& value) {
  const bool is_whole = value.is_number_float() && std::trunc(value.get<double>()) == value.get<double>();
  return is_whole ? Json(value.get<std::int64_t>()) : value;
}

// --- expected schema of the requests ------------------------------------------------------------------------

Json reference(const std::string& name) { return {{"$ref", "#/$defs/" + name}}; }

Json number_schema(const Field& field) {
  Json schema = {{"type", field.kind == Field::Kind::whole ? "integer" : "number"}};
  if (field.least > 0 && field.least <= least_positive)
    schema["exclusiveMinimum"] = 0;
  else if (field.least > -largest_number)
    schema["minimum"] = plain(field.least);
  if (field.most < 1e250) schema["maximum"] = plain(field.most);
  return schema;
}

Json field_schema(const Field& field) {
  Json schema = {{"description", field.about}};
  if (!field.otherwise.is_null()) schema["default"] = plain(field.otherwise);
  if (!field.definition.empty())
    schema.update(reference(field.definition));
  else if (field.kind == Field::Kind::number || field.kind == Field::Kind::whole)
    schema.update(number_schema(field));
  else if (field.kind == Field::Kind::choice)
    schema["enum"] = field.names;
  else
    schema["type"] = field.kind == Field::Kind::text ? "string" : "boolean";
  return schema;
}

Json operation_schema(const Operation& operation) {
  Json required{"op"};
  Json properties = {
      {"id", reference("id")}, {"limit", reference("limit")}, {"op", {{"const", operation.name}}}};
  for (const Field& field : operation.fields) {
    if (field.is_required) required.push_back(field.name);
    properties[field.name] = field_schema(field);
  }
  Json schema = {{"description", operation.about},
                 {"type", "object"},
                 {"required", required},
                 {"additionalProperties", false},
                 {"properties", properties}};
  if (!operation.conditions.empty()) schema.update(Json::parse(operation.conditions));
  return schema;
}

// The schema of the requests of each operation.
Json request_schema() {
  Json schemas = Json::object();
  for (const std::string& name : operation_names()) {
    Json forms = Json::array();
    for (const Operation& form : forms_of(name)) forms.push_back(operation_schema(form));
    schemas[name] = forms.size() == 1 ? forms[0] : Json{{"oneOf", forms}};
  }
  return schemas;
}

// Formats JSON. A value that fits into one line is written on one line.
std::string json_text(const Json& value, std::size_t indent) {
  constexpr std::size_t width = 200;
  const auto parts = [&](const char* separator, std::size_t inner) {
    std::string text;
    for (const auto& [name, part] : value.items())
      text += (text.empty() ? "" : separator) + (value.is_object() ? Json(name).dump() + ": " : "") +
              json_text(part, inner);
    return text;
  };
  if (!value.is_structured() || value.empty()) return value.dump();
  const char* brackets = value.is_object() ? "{}" : "[]";
  const std::string line = brackets[0] + parts(", ", 0) + brackets[1];
  if (indent + line.size() <= width || indent == 0) return line;
  const std::string blanks(indent, ' ');
  return brackets[0] + ("\n  " + blanks) + parts((",\n  " + blanks).c_str(), indent + 2) + "\n" + blanks +
         brackets[1];
}

// --- expected tables of the protocol page -------------------------------------------------------------------

std::string field_text(const Field& field) {
  std::string text = "`" + field.name + "`", names;
  const Json otherwise = plain(field.otherwise);
  if (!otherwise.is_null())
    text += " = " + (otherwise.is_string() ? otherwise.get<std::string>() : otherwise.dump());
  for (const std::string& name : field.names)
    if (name != otherwise) names += (names.empty() ? "" : ", ") + name;
  return text + (names.empty() ? "" : " (" + names + ")");
}

std::string table_of(const std::vector<Operation>& rows) {
  std::string text =
      "| operation | required fields | other fields, with their defaults | what it does "
      "|\n|---|---|---|---|\n";
  for (const Operation& operation : rows) {
    std::string required, others;
    for (const Field& field : operation.fields) {
      std::string& cell = field.is_required ? required : others;
      cell += (cell.empty() ? "" : ", ") + field_text(field);
    }
    text += "| `" + operation.name + "` | " + required + " | " + others + " | " + operation.about + " |\n";
  }
  return text;
}

}  // namespace

TEST_CASE("the schema of the requests follows from the table", "[bridge][operations]") {
  constexpr const char* file = "bridge/schema/protocol.schema.json";
  const std::string text = text_of(file);
  Json all = Json::array();
  for (const std::string& name : operation_names()) all.push_back(reference("requests/" + name));
  const std::string begin = "    \"request\": ", end = ",\n    \"reply\": ";
  const std::size_t first = text.find(begin), last = text.find(end);
  REQUIRE(first < last);
  check_text(file, text.substr(0, first) + begin + json_text({{"oneOf", all}}, 4) +
                       ",\n    \"requests\": " + json_text(request_schema(), 4) + text.substr(last));
}

TEST_CASE("the tables of the protocol page follow from the table, and it has each example",
          "[bridge][operations]") {
  constexpr const char* file = "bridge/PROTOCOL.md";
  const std::string text = text_of(file);
  for (const Operation& operation : operations()) {
    CAPTURE(operation.example);
    CHECK(text.find("\n" + operation.example + "\n{") != std::string::npos);
  }
  std::vector<std::string> tables{table_of(kernel_operations()), table_of(memory_operations())};
  std::istringstream lines(text);
  std::string expected;
  bool in_table = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| operation |") && !tables.empty()) {
      expected += tables.back();
      tables.pop_back();
      in_table = true;
    }
    in_table = in_table && line.starts_with("|");
    if (!in_table) expected += line + "\n";
  }
  CHECK(tables.empty());
  check_text(file, expected);
}

TEST_CASE("help lists each operation in one line, and describes each field of one", "[bridge][operations]") {
  const std::string all = operations_help();
  CHECK(all.find("\n  recall cue [method options top]\n") != std::string::npos);
  CHECK(std::ranges::count(all, '\n') == static_cast<std::ptrdiff_t>(operations().size()));
  for (const Operation& operation : operations())
    for (const Field& field : operation.fields) {
      CAPTURE(operation.name, field.name);
      CHECK_FALSE(field.about.empty());
      CHECK(operation_help(operation.name).find("\n  " + field.name) != std::string::npos);
    }
  const std::string pagerank = operation_help("pagerank");
  CHECK(pagerank.find("damping (required): probability of following a link (a number from 0 to 0.9999)\n") !=
        std::string::npos);
  CHECK(operation_help("view").find("links = 600: most links to return (a whole number from 0 to 10000)\n") !=
        std::string::npos);
  CHECK(operation_help("none").empty());
}

}  // namespace engram::bridge
