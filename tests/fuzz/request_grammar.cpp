// SPDX-License-Identifier: MIT
#include "tests/fuzz/request_grammar.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "bridge/operations/operations.hpp"
#include "core/methods/method.hpp"
#include "tests/bridge/operations/field_values.hpp"

namespace engram::fuzz {
namespace {

using Json = nlohmann::json;
using Text = const char*;

// --- requests about the memory -----------------------------------------------------------------

constexpr Text terms[] = {
    "tim",   "tom", "cat",      "dog",         "animal",      "{tom}",         "[furry]",
    "likes", "wet", "slippery", "(*,tim,tom)", "(&,cat,dog)", "<tim --> cat>", "<cat --> animal>",
    "rain"};
constexpr Text cues[] = {"tim",
                         "<tim --> ?1>?",
                         "<tim --> cat>.",
                         "<?1 --> animal>?",
                         "<(*,tim,?1) --> likes>?",
                         "<cat --> animal>",
                         "rain. :|:",
                         "<wet =/> slippery>?",
                         "(&&,<tim --> ?1>,<?1 --> animal>)?",
                         "<ghost --> ?1>?"};
constexpr Text lines[] = {
    "<tim --> cat>.",
    "<tom --> dog>. %0.2;0.8%",
    "<dog --> animal>. :|:",
    "10",
    "<{new} --> [furry]>.",
    "<tim --> ?1>?",
    "<cat <-> dog>. %0.52941176470588235294117647058824;0.62962962962962962962962962962963%",
    "(*,tim,(*,tom,(*,cat,dog))). :|:",
    "(&&,tim,tom,cat,dog,animal,likes,wet,rain).",
    "<<$1 --> cat> ==> <$1 --> animal>>.",
    "$0.8;0.5;0.9$ <dog --> being>!",
    "<a -->",
    "1000000"};
constexpr double shares[] = {1, 0.5, 0, 0.25, 1e-300};
constexpr int counts[] = {1, 2, 3, 10, 1000, 1'000'000'000};

// --- input of unusual Narsese: every kind of term within every other -----------------------------

std::string strange_term(Choices& choices, std::size_t depth) {
  constexpr Text names[] = {"tim", "cat", "rain", "^go", "{SELF}", "#1", "#2", "$1", "$2", "?1", "?2"};
  constexpr Text pairs[] = {"(*,", "(&,", "(|,", "(-,", "(~,", "(&&,", "(||,", "(&/,", "(&|,", "{", "["};
  constexpr Text ones[] = {"(--,", "(*,", "{", "["};
  constexpr Text copulas[] = {" --> ",  " <-> ", " ==> ", " <=> ", " =/> ", " =|> ",
                              " =\\> ", " </> ", " <|> ", " {-- ", " --] ", " {-] "};
  if (depth == 0) return choices.of(names);
  const auto part = [&] { return strange_term(choices, depth - 1); };
  const auto closed = [](std::string text) {
    return text + (text[0] == '{' ? "}" : text[0] == '[' ? "]" : ")");
  };
  switch (choices.below(7)) {
    case 0:
      return choices.of(names);
    case 1:
      return closed(choices.of(ones) + part());
    case 2: {
      const std::string first = choices.of(pairs) + part() + ",";
      return closed(first + part());
    }
    case 3: {
      constexpr Text images[] = {"(/,", "(\\,"};
      const std::string relation = choices.of(images) + part();
      return choices.below(2) == 0 ? relation + ",_," + part() + ")" : relation + "," + part() + ",_)";
    }
    case 4: {
      const std::string first = "(&/," + part() + ",+" + std::to_string(choices.below(20)) + ",";
      return first + part() + ")";
    }
    default: {
      const std::string subject = "<" + part() + choices.of(copulas);
      return subject + part() + ">";
    }
  }
}

std::string strange_sentence(Choices& choices, std::span<const Text> ends) {
  const std::string term = strange_term(choices, choices.below(4));
  return term + choices.of(ends);
}

std::string question(Choices& choices) {
  constexpr Text ends[] = {"?", ".", "!", "@", "? :|:", ". :|:", "! :|:", ". %0.3;0.5%", ""};
  return choices.below(2) == 0 ? choices.of(cues) : strange_sentence(choices, ends);
}

Json cue(Choices& choices) {
  if (choices.below(3) > 0) return question(choices);
  Json cue = Json::object();
  for (std::size_t n = choices.below(5); n > 0; --n)
    cue[choices.of(terms)] = choices.rarely() ? -1 : choices.of(shares);
  return cue;
}

const core::Method& method(Choices& choices) {
  return core::methods()[choices.below(core::methods().size())];
}

Json option(const core::Option& facts, Choices& choices) {
  if (!facts.choices.empty()) return choices.rarely() ? "none of them" : choices.of(std::span(facts.choices));
  if (facts.kind == core::OptionKind::text || std::holds_alternative<std::string>(facts.default_value))
    return choices.of(terms);
  const double usual = std::get<double>(facts.default_value), middle = (facts.least + facts.most) / 2;
  const double values[] = {usual, facts.least, facts.most, middle, facts.least + 1, 2 * usual};
  if (choices.rarely()) return choices.below(2) == 0 ? facts.least - 1 : 2 * facts.most + 1;
  return choices.of(values);
}

Json options(const core::Method& method, Choices& choices) {
  Json options = Json::object();
  for (std::size_t n = method.options.empty() ? 0 : choices.below(4); n > 0; --n) {
    const core::Option& facts = choices.of(std::span(method.options));
    options[facts.name] = option(facts, choices);
  }
  return options;
}

void add_method(Json& request, Choices& choices) {
  if (choices.below(4) == 0) return;
  const core::Method& chosen = method(choices);
  request["method"] = chosen.name;
  request["options"] = options(chosen, choices);
}

Json recall(Choices& choices) {
  Json request = {{"op", "recall"}, {"cue", cue(choices)}, {"top", choices.of(counts)}};
  add_method(request, choices);
  return request;
}

Json allocate(Choices& choices) {
  constexpr Text kinds[] = {"statements", "concepts"}, forms[] = {"kl", "alpha", "euclidean"},
                 selections[] = {"top", "budget", "threshold"}, roles[] = {"conducts", "holds", "ignored"};
  const std::string of = choices.of(kinds);
  Json request = {{"op", "allocate"}, {"of", of}, {"cue", cue(choices)}, {"capacity", choices.of(counts)}};
  add_method(request, choices);
  const bool prior = choices.below(2) == 1;
  if (prior) {
    request["prior"] = "previous";
    const std::string form = choices.of(forms);
    request["prior_form"] = form;
    if (form == "alpha") request["alpha"] = 1 + 3 * choices.of(shares);
    request["fresh"] = choices.of(shares);
    request["durability"] = choices.of(shares);
  }
  const std::string select = choices.of(selections);
  request["select"] = select;
  if (select == "threshold") request["threshold"] = choices.of(shares);
  if (prior || select == "budget") request["temperature"] = 0.001 + choices.of(shares);
  if (choices.below(2) == 1) request["transfers"] = 1 + choices.below(20);
  if (of == "concepts" && choices.below(2) == 1)
    request["policy"] = {{"compound", choices.of(roles)}, {"atom", choices.of(roles)}};
  return request;
}

Json compare(Choices& choices) {
  Json methods = Json::array();
  for (std::size_t n = 1 + choices.below(4); n > 0; --n)
    if (const std::string name = method(choices).name;
        std::find(methods.begin(), methods.end(), name) == methods.end())
      methods.push_back(name);
  return {{"op", "compare"}, {"cue", cue(choices)}, {"methods", methods}, {"top", choices.of(counts)}};
}

Json explain(Choices& choices) {
  Json request = {{"op", "explain"}, {"cue", cue(choices)}, {"top", choices.of(counts)}};
  add_method(request, choices);
  return request;
}

Json reason(Choices& choices) {
  Json request = {{"op", "reason"}, {"question", question(choices)}, {"steps", 1 + choices.below(200)}};
  add_method(request, choices);
  if (choices.below(2) == 1) request["gate"] = choices.of(counts);
  if (choices.below(2) == 1) request["refresh"] = 1 + choices.below(100);
  for (const char* field : {"events", "answers", "top"})
    if (choices.below(2) == 1) request[field] = choices.of(counts);
  return request;
}

Json allocate_operations(Choices& choices) {
  return {{"op", "allocate"},
          {"of", "operations"},
          {"cue", question(choices)},
          {"capacity", choices.of(counts)},
          {"eligibility", 1 + choices.of(shares)}};
}

Json links(Choices& choices) {
  Json request = {{"op", "links"}, {"as", choices.below(2) == 0 ? "json" : "narsese"}};
  if (choices.below(2) == 1) request["term"] = choices.of(terms);
  if (choices.below(2) == 1) request["top"] = choices.of(counts);
  return request;
}

Json input(Choices& choices) {
  std::string text;
  constexpr Text ends[] = {".", ". %0;0.9%", ". %0.3;0.5%", ". :|:", ". :!3:", "!", "! :|:", "?"};
  for (std::size_t n = 1 + choices.below(8); n > 0; --n)
    text += (choices.below(3) == 0 ? choices.of(lines) : strange_sentence(choices, ends)) + "\n";
  return {{"op", "input"}, {"narsese", text}};
}

// --- requests about numbers that they contain --------------------------------------------------

constexpr double numbers[] = {1, 0.5, -1, 0, 2, -0.25, 3, 1e-300, 1e10};
constexpr Text maps[] = {"softmax", "sparsemax", "entmax", "normmax", "budget", "argmax"};

double number(Choices& choices) { return choices.rarely() ? 1e300 : choices.of(numbers); }

Json list(Choices& choices, std::size_t n) {
  Json list = Json::array();
  while (list.size() < n) list.push_back(number(choices));
  return list;
}

Json matrix(Choices& choices, std::size_t rows, std::size_t columns) {
  Json matrix = Json::array();
  while (matrix.size() < rows) matrix.push_back(list(choices, columns));
  return matrix;
}

Json spins(Choices& choices, std::size_t n) {
  Json list = Json::array();
  while (list.size() < n) list.push_back(choices.below(2) == 0 ? 1 : -1);
  return list;
}

Json patterns(Choices& choices, std::size_t rows, std::size_t n) {
  Json patterns = Json::array();
  while (patterns.size() < rows) patterns.push_back(spins(choices, n));
  return patterns;
}

std::size_t size(Choices& choices) { return 1 + choices.below(6); }

void add_map(Json& request, std::size_t n, Choices& choices) {
  const std::string map = choices.of(maps);
  request["map"] = map;
  if (map == "entmax" || map == "normmax") request["alpha"] = 1.5 + choices.of(shares);
  if (map == "budget") request["k"] = 1 + choices.below(n);
}

Json map(Choices& choices) {
  const std::size_t n = size(choices);
  Json request = {{"op", "map"}, {"scores", list(choices, n)}, {"temperature", 0.01 + choices.of(shares)}};
  add_map(request, n, choices);
  if (choices.below(2) == 1) request["tangent"] = list(choices, n);
  return request;
}

Json attend(Choices& choices) {
  constexpr Text some[] = {"softmax", "sparsemax", "argmax", "none"};
  const std::size_t n = size(choices), k = size(choices), d = size(choices);
  return {{"op", "attend"},
          {"queries", matrix(choices, n, d)},
          {"keys", matrix(choices, k, d)},
          {"values", matrix(choices, k, size(choices))},
          {"map", choices.of(some)}};
}

Json scores(Choices& choices) {
  constexpr Text kinds[] = {"dot", "scaled_dot", "cosine", "neg_sq_euclid", "neg_manhattan", "bilinear"};
  const std::size_t d = size(choices);
  const std::string kind = choices.of(kinds);
  Json request = {{"op", "scores"},
                  {"queries", matrix(choices, size(choices), d)},
                  {"keys", matrix(choices, size(choices), d)},
                  {"score", kind}};
  if (kind == "bilinear") request["wb"] = matrix(choices, d, d);
  return request;
}

Json hopfield(Choices& choices) {
  constexpr Text modes[] = {"async", "sync", "glauber"},
                 rules[] = {"hebb", "storkey", "storkey_full_field", "pseudo_inverse",
                            "pseudo_inverse_zero_diag"};
  const std::size_t n = size(choices);
  const std::string mode = choices.of(modes);
  Json request = {{"op", "hopfield"}, {"cue", spins(choices, n)}, {"mode", mode}};
  if (choices.below(2) == 0) {
    request["patterns"] = patterns(choices, size(choices), n);
    request["rule"] = choices.of(rules);
  } else {
    request["w"] = matrix(choices, n, n);
  }
  if (mode != "glauber") request["max_sweeps"] = choices.of(counts);
  if (mode == "glauber") {
    request["temperature"] = 0.01 + choices.of(shares);
    Json sites = Json::array(), uniforms = Json::array();
    for (std::size_t steps = choices.below(10); steps > 0; --steps) {
      sites.push_back(choices.below(n));
      uniforms.push_back(choices.of(shares) / 2);
    }
    request["sites"] = sites;
    request["uniforms"] = uniforms;
  }
  return request;
}

Json dense(Choices& choices) {
  constexpr Text kinds[] = {"polynomial", "rectified", "exponential"};
  const std::size_t n = size(choices);
  return {{"op", "dense"},
          {"patterns", patterns(choices, size(choices), n)},
          {"cue", spins(choices, n)},
          {"separation", choices.of(kinds)},
          {"n", choices.of(counts)},
          {"max_sweeps", choices.of(counts)}};
}

Json modern(Choices& choices) {
  const std::size_t n = size(choices), k = size(choices);
  Json request = {{"op", "modern"},
                  {"patterns", matrix(choices, k, n)},
                  {"cue", list(choices, n)},
                  {"beta", 0.01 + choices.of(counts)}};
  add_map(request, k, choices);
  if (choices.below(2) == 1) request["steps"] = choices.of(counts);
  return request;
}

Json weights(Choices& choices) {
  Json request = hopfield(choices);
  const std::size_t n = request.at("cue").size();
  return {{"op", "weights"}, {"patterns", patterns(choices, size(choices), n)}, {"rule", "storkey"}};
}

Json hebbian(Choices& choices) {
  constexpr Text rules[] = {"oja", "covariance", "asymmetric_sequence", "hebb_decay"};
  const std::size_t n = size(choices);
  const std::string rule = choices.of(rules);
  Json request = {{"op", "hebbian"}, {"rule", rule}, {"activity", matrix(choices, size(choices), n)}};
  if (rule == "oja") request["w0"] = list(choices, n);
  if (rule == "oja" || rule == "hebb_decay") request["eta"] = choices.of(shares);
  if (rule == "hebb_decay") request["decay"] = choices.of(shares);
  return request;
}

Json edges(Choices& choices, std::size_t n) {
  Json edges = Json::array();
  for (std::size_t e = choices.below(8); e > 0; --e)
    edges.push_back({choices.below(n), choices.below(n), choices.of(shares)});
  return edges;
}

Json pagerank(Choices& choices) {
  const std::size_t n = size(choices);
  Json restart = Json::array();
  while (restart.size() < n) restart.push_back(choices.of(shares));
  Json request = {{"op", "pagerank"},
                  {"n", n},
                  {"edges", edges(choices, n)},
                  {"directed", choices.below(2) == 0},
                  {"damping", 0.9999 * choices.of(shares)},
                  {"restart", restart}};
  if (choices.below(2) == 1) request["steps"] = choices.of(counts);
  return request;
}

Json positional(Choices& choices) {
  const std::size_t n = size(choices);
  return {{"op", "positional"}, {"n", n}, {"edges", edges(choices, n)}, {"steps", choices.of(counts)}};
}

Json plain(Choices& choices) {
  constexpr Text ops[] = {"stats", "hello", "reset"};
  return {{"op", choices.of(ops)}};
}

// Changes one member of a request. The member is removed, gets a value of another type, or gets a value at or beyond
// the limits in the table of operations.
void spoil(Json& request, Choices& choices) {
  auto member = request.begin();
  std::advance(member, choices.below(request.size()));
  if (choices.below(3) == 0) {
    request.erase(member);
    return;
  }
  std::vector<Json> values{nullptr, Json::array(), Json::object(),   "", -1, 1e300,
                           "tim",   true,          Json{{1, 2}, {3}}};
  for (const bridge::Field& field : bridge::operation_of(bridge::Json::parse(request.dump())).fields)
    if (field.name == member.key())
      for (const auto& of_field : {testing::wrong_values(field), testing::right_values(field)})
        values.insert(values.end(), of_field.begin(), of_field.end());
  *member = choices.of(std::span<const Json>(values));
}

}  // namespace

const char* const told =
    "<tim --> cat>.\n<{tom} --> [furry]>. %0.9;0.8%\n<cat --> animal>. %0.9;0.8%\n<dog --> animal>.\n"
    "<(*,tim,tom) --> likes>.\n<<$1 --> cat> ==> <$1 --> animal>>.\n<(&,cat,dog) --> animal>. %0;0.9%\n"
    "(&&,<tim --> cat>,<tom --> cat>).\n5\n<wet =/> slippery>. :|:\nrain. :|:\n<tim --> ?1>?\n";

Json next_request(Choices& choices) {
  using Maker = Json (*)(Choices&);
  constexpr Maker makers[] = {input,      input,
                              input,      input,
                              recall,     recall,
                              recall,     explain,
                              reason,     reason,
                              allocate,   compare,
                              links,      map,
                              attend,     scores,
                              modern,     hopfield,
                              weights,    hebbian,
                              dense,      pagerank,
                              positional, plain,
                              allocate,   allocate_operations};
  Json request = choices.of(makers)(choices);
  if (choices.rarely()) spoil(request, choices);
  if (choices.rarely()) request["limit"] = {{"bytes", choices.of(counts)}};
  if (choices.rarely()) request["id"] = choices.of(numbers);
  return request;
}

}  // namespace engram::fuzz
