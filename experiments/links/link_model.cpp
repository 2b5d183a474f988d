// SPDX-License-Identifier: MIT
#include "experiments/links/link_model.hpp"

#include <algorithm>
#include <boost/algorithm/hex.hpp>
#include <cmath>
#include <iterator>

#include "bridge/json/object_reader.hpp"
#include "bridge/models/model.hpp"
#include "core/numbers/bytes.hpp"
#include "experiments/formats/files.hpp"

namespace engram::experiments::links {
namespace {

using bridge::JsonValue;
using bridge::ModelError;

constexpr std::int64_t version = 1;
constexpr bridge::JsonLimits limits{
    .max_bytes = std::size_t{32} << 20, .max_depth = 16, .max_members = 20'000};

std::vector<std::string> names_in(const JsonValue& given) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < given.list("a list of relations", 1).size(); ++i) {
    names.push_back(given[i].text("a relation"));
    if (std::ranges::find(names.begin(), names.end() - 1, names.back()) != names.end() - 1)
      given[i].refuse("a relation that is not named yet");
  }
  return names;
}

core::BellmanFordOptions network_options_in(const JsonValue& given) {
  bridge::ObjectReader reader(given);
  const auto whole = [&](std::string_view name) {
    return static_cast<std::uint32_t>(reader[name].required("a number").whole_number(1, 1'000'000'000));
  };
  core::BellmanFordOptions options;
  options.layers = whole("layers");
  options.width = whole("width");
  options.most_edges = whole("most_edges");
  options.dependent = reader["dependent"].required("true or false").flag();
  reader.refuse_others();
  return options;
}

std::vector<float> parameters_in(const JsonValue& given, std::size_t count) {
  const std::string& hex = given.required("the parameters").text();
  std::string bytes;
  try {
    boost::algorithm::unhex(hex, std::back_inserter(bytes));
  } catch (const boost::algorithm::hex_decode_error&) {
    given.refuse("parameters in hexadecimal");
  }
  if (bytes.size() != 4 * count)
    given.refuse(std::to_string(count) + " parameters of 4 bytes, in hexadecimal",
                 std::to_string(bytes.size()) + " bytes");
  std::string_view rest = bytes;
  std::vector<float> parameters = core::take_floats(rest, count);
  if (!std::ranges::all_of(parameters, [](float x) { return std::isfinite(x); }))
    given.refuse("finite parameters");
  return parameters;
}

LinkModel model_of(const Json& json) {
  bridge::ObjectReader reader((JsonValue(json)));
  const std::int64_t found = reader["engram_model"].required("an Engram model").whole_number(1, 1'000'000);
  if (found != version)
    throw ModelError("is a model of format " + std::to_string(found) + "; this program reads format " +
                     std::to_string(version));
  reader["sha256"].required("the model's SHA-256").text();
  if (!bridge::seal_holds(json))
    throw ModelError("is damaged or was changed: its SHA-256 does not match its contents");
  reader["method"].choice("", std::vector{bellman_ford_name});
  std::vector<std::string> relations = names_in(reader["relations"].required("a list of relations"));
  const core::BellmanFordOptions options = network_options_in(reader["options"]);
  const auto count = static_cast<std::uint32_t>(2 * relations.size());
  const auto network = [&] {
    try {
      return LinkNetwork(count, options, 0);
    } catch (const std::invalid_argument& error) {
      throw ModelError(std::string("/options: ") + error.what());
    }
  };
  LinkModel model{std::move(relations), network(), reader["made"].object().json()};
  model.network.parameters() = parameters_in(reader["parameters"], model.network.parameters().size());
  reader.refuse_others();
  return model;
}

}  // namespace

std::uint32_t LinkModel::number_of(std::uint32_t relation,
                                   const std::vector<std::string>& relations_of) const {
  const auto count = static_cast<std::uint32_t>(relations_of.size());
  const std::string& name = relations_of.at(relation % count);
  const auto place = std::ranges::find(relations, name);
  if (place == relations.end()) throw std::out_of_range(name);
  const auto number = static_cast<std::uint32_t>(place - relations.begin());
  return relation < count ? number : number + static_cast<std::uint32_t>(relations.size());
}

std::vector<core::Fact> LinkModel::facts(std::span<const core::Fact> of,
                                         const std::vector<std::string>& relations_of) const {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t r = 0; r < relations_of.size(); ++r) numbers.push_back(number_of(r, relations_of));
  std::vector<core::Fact> facts(of.begin(), of.end());
  for (core::Fact& fact : facts) fact.relation = numbers.at(fact.relation);
  return facts;
}

std::string to_text(const LinkModel& model) {
  const core::BellmanFordOptions& options = model.network.options();
  std::string bytes, hex;
  core::put_floats(bytes, model.network.parameters());
  boost::algorithm::hex_lower(bytes, std::back_inserter(hex));
  return bridge::sealed({{"engram_model", version},
                         {"method", bellman_ford_name},
                         {"options",
                          {{"layers", options.layers},
                           {"width", options.width},
                           {"most_edges", options.most_edges},
                           {"dependent", options.dependent}}},
                         {"relations", model.relations},
                         {"parameters", hex},
                         {"made", model.made}})
             .dump(2) +
         "\n";
}

LinkModel link_model_in(std::string_view text) {
  const auto json = bridge::read_json(text, limits);
  if (!json) throw ModelError("is no model: " + json.error().message());
  try {
    return model_of(*json);
  } catch (const bridge::JsonError& error) {
    throw ModelError("is no model: " + error.message());
  }
}

LinkModel read_link_model(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  try {
    return link_model_in(text);
  } catch (const ModelError& error) {
    throw ModelError(path.string() + ": " + error.what());
  }
}

}  // namespace engram::experiments::links
