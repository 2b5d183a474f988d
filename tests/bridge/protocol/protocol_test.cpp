// SPDX-License-Identifier: MIT
#include "bridge/protocol/protocol.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/numbers/random.hpp"
#include "tests/bridge/protocol/ask.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using bridge::Protocol, bridge::result_of, bridge::tell;
using Json = nlohmann::json;

TEST_CASE("a recall returns exactly the library's numbers, best concepts first", "[bridge][protocol]") {
  Protocol protocol;
  tell(protocol, "<a --> b>.\n<b --> c>.");
  const Json reply =
      bridge::reply_to(protocol, Json{{"id", 7}, {"op", "recall"}, {"cue", "a"}, {"method", "pagerank"}});
  CHECK(reply.at("id") == 7);
  REQUIRE(reply.at("ok") == true);

  core::Session session;
  std::istringstream text("<a --> b>.\n<b --> c>.");
  session.read(text);
  const auto recall = session.recall(core::ConfiguredMethod("pagerank"), *session.cue("a"));
  const Json& activations = reply.at("result").at("activations");
  REQUIRE(activations.size() == 3);
  CHECK(activations[0].at("term") == "b");
  for (std::size_t i = 1; i < 3; ++i) CHECK(activations[i].at("value") <= activations[i - 1].at("value"));
  // Equal to the last bit.
  CHECK(activations[0].at("value").get<double>() == recall.concepts.whole().maxCoeff());
}

TEST_CASE("allocated budgets are sorted, with the qualities of their statements", "[bridge][protocol]") {
  Protocol protocol;
  tell(protocol, "<a --> b>.\n<b --> c>.\n<x --> y>. %0.0;0.9%");
  const Json budgets =
      result_of(
          protocol,
          {{"op", "allocate"}, {"cue", "a"}, {"capacity", 2}, {"of", "statements"}, {"method", "attention"}})
          .at("budgets");
  REQUIRE(budgets.size() == 2);
  CHECK(budgets[0].at("narsese") == "<a --> b>.");
  CHECK(budgets[0].at("priority") == 1);
  CHECK(budgets[1].at("narsese") == "<b --> c>.");
  // Mean of the statement's truth 0.95 and of the link's confidence 1.8 / 2.8.
  CHECK(budgets[0].at("quality").get<double>() == Approx((0.95 + 1.8 / 2.8) / 2));
}

TEST_CASE("the default method is the same for all kinds of budgets and all options", "[bridge][protocol]") {
  Protocol protocol;
  tell(protocol,
       "<(a * b) --> r>.\n<(b * c) --> s>.\n<(a * x) --> t>.\n<(y * c) --> t>.\n"
       "<(<($1 * #2) --> r> && <(#2 * $3) --> s>) ==> <($1 * $3) --> u>>.");
  const auto budgets = [&](Json members, const char* of) {
    members.update({{"op", "allocate"}, {"cue", "<(a * c) --> ?1>?"}, {"capacity", 3}, {"of", of}});
    return result_of(protocol, members).at("budgets");
  };
  const Json found = budgets({}, "statements");
  CHECK(found == budgets({{"method", core::default_method}}, "statements"));
  CHECK(found != budgets({{"method", "attention"}}, "statements"));
  CHECK(budgets({{"options", {{"temperature", 4}}}}, "statements") ==
        budgets({{"method", core::default_method}, {"options", {{"temperature", 4}}}}, "statements"));
  CHECK(budgets({}, "concepts") == budgets({{"method", core::default_method}}, "concepts"));
  CHECK(budgets({}, "concepts") != budgets({{"method", "attention"}}, "concepts"));
}

TEST_CASE("a failed request changes nothing, and the next one is answered", "[bridge][protocol]") {
  Protocol protocol;
  tell(protocol, "<a --> b>.");
  const std::string before = protocol.handle(R"({"op":"stats"})");
  for (const char* line :
       {"", "{", "null", R"({"op":"input"})", R"({"op":"recall","cue":"a","method":"none"})",
        R"({"op":"reset","now":true})", R"({"op":"quit","now":true})"})
    CHECK(bridge::reply_to(protocol, line).at("ok") == false);
  CHECK(protocol.handle(R"({"op":"stats"})") == before);
  CHECK_FALSE(protocol.finished());
}

TEST_CASE("every mutated request gets exactly one valid reply line", "[bridge][protocol]") {
  Protocol protocol;
  const std::vector<std::string> seeds{
      R"({"id":1,"op":"input","narsese":"<a --> b>.\n<{c} --> [d]>. :|: %1;0.9%"})",
      R"({"id":"x","op":"recall","cue":"<a --> ?1>?","method":"hopfield","options":{"winners":3},"top":4})",
      R"({"id":null,"op":"compare","cue":{"a":1,"b":0.5},"methods":["cosine","pagerank"]})",
      R"({"id":[1],"op":"allocate","cue":"a","capacity":3,"of":"concepts"})"};
  core::Rng rng(1, "mangled requests");
  std::size_t refused = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string line = seeds[rng.below(seeds.size())];
    for (std::uint64_t edits = rng.below(4); edits-- > 0;) {
      const std::size_t place = rng.below(line.size());
      switch (rng.below(3)) {
        case 0:
          line[place] = static_cast<char>(rng.below(256));
          break;
        case 1:
          line.erase(place, 1 + rng.below(5));
          break;
        default:
          line.insert(place, line.substr(rng.below(line.size()), 4));
      }
      if (line.empty()) line = "{";
    }
    const Json reply = bridge::reply_to(protocol, line);
    REQUIRE(reply.contains("id"));
    const bool ok = reply.at("ok").get<bool>();
    REQUIRE(reply.contains(ok ? "result" : "error"));
    if (!ok) REQUIRE(reply.at("error").at("code") != "internal");
    refused += ok ? 0 : 1;
  }
  CHECK(refused > 1000);
  CHECK(refused < 4000);
  CHECK(bridge::reply_to(protocol, R"({"op":"stats"})").at("ok") == true);
}

TEST_CASE("serve answers each line and stops at quit", "[bridge][protocol]") {
  Protocol protocol;
  std::istringstream in("{\"op\":\"hello\"}\r\nnonsense\n{\"op\":\"quit\"}\n{\"op\":\"hello\"}\n");
  std::ostringstream out;
  CHECK(bridge::serve(protocol, in, out));
  CHECK(protocol.finished());
  const std::string replies = out.str();
  CHECK(std::count(replies.begin(), replies.end(), '\n') == 3);
}

TEST_CASE("serve reports that its output cannot be written", "[bridge][protocol]") {
  Protocol protocol;
  std::istringstream in("{\"op\":\"hello\"}\n");
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  CHECK_FALSE(bridge::serve(protocol, in, out));
}

TEST_CASE("blank lines get no reply", "[bridge][protocol]") {
  Protocol protocol;
  std::istringstream in("\n{\"id\":1,\"op\":\"stats\"}\n\r\n \t \n\n{\"id\":2,\"op\":\"stats\"}\n   ");
  std::ostringstream out;
  CHECK(bridge::serve(protocol, in, out));
  std::istringstream replies(out.str());
  std::vector<int> ids;
  for (std::string line; std::getline(replies, line);) ids.push_back(Json::parse(line).at("id").get<int>());
  CHECK(ids == std::vector<int>{1, 2});
}

TEST_CASE("whole numbers may have a decimal point, and errors state bounds in words", "[bridge][protocol]") {
  Protocol protocol;
  const auto answer = [&](const char* request) { return bridge::reply_to(protocol, request); };
  CHECK(answer(R"({"op":"input","narsese":"<a --> b>."})").at("ok") == true);
  CHECK(answer(R"({"op":"recall","cue":"a","top":100.0})").at("ok") == true);
  CHECK(answer(R"({"op":"recall","cue":"a","top":1e2,"limit":{"milliseconds":60000.0,"bytes":1e9}})")
            .at("ok") == true);
  CHECK(answer(R"({"op":"view","top":5.0,"links":0.0})").at("ok") == true);
  CHECK(
      answer(
          R"({"op":"pagerank","n":2.0,"edges":[[0.0,1.0,1]],"directed":true,"damping":0.85,"restart":[1,1]})")
          .at("ok") == true);
  CHECK(answer(R"({"op":"attend","queries":[[1]],"keys":[[1]],"values":[[1]],"allow":{"window":1.0}})")
            .at("ok") == true);
  CHECK(
      answer(
          R"({"op":"hopfield","mode":"async","patterns":[[1,-1]],"rule":"hebb","cue":[1.0,1],"order":[1.0,0.0],"max_sweeps":3.0})")
          .at("ok") == true);
  CHECK(answer(R"({"op":"recall","cue":"a","top":2.5})").at("error").at("message") ==
        "'top' must be a whole number in [1, 1000000000], found 2.5");
  for (const char* request :
       {R"({"op":"map","map":"softmax","scores":[1,2],"temperature":-1})",
        R"({"op":"map","map":"softmax","scores":[1,2],"temperature":0})",
        R"({"op":"modern","patterns":[[1]],"cue":[1],"beta":-2})",
        R"({"op":"hebbian","rule":"bcm","activity":[[1]],"w0":[1],"eta":1,"theta0":1,"tau_theta":0})",
        R"({"op":"continuous","alpha":1,"mu":0,"sigma_sq":0})"}) {
    const std::string message = answer(request).at("error").at("message");
    INFO(message);
    CHECK(message.find("must be a number above 0") != std::string::npos);
    CHECK(message.size() < 300);
  }
  CHECK(answer(R"({"op":"attend","queries":[[1]],"keys":[[1]],"values":[[1]],"scale":"x"})")
            .at("error")
            .at("message") == "'scale' must be a number in the range of a double, found \"x\"");
  const Json far = answer(
      R"({"op":"map","map":"softmax","scores":[1.0,2.0],"prior":{"distances":[1e160,2e160],"bandwidth":1.0}})");
  CHECK(far.at("result").at("p") == Json{1.0, 0.0});
}

TEST_CASE("a line beyond the limit is refused, and the next one is read", "[bridge][protocol]") {
  Protocol protocol({}, {64, 32});
  std::istringstream in(std::string(100, 'x') + "\n{\"op\":\"stats\"}\n");
  std::ostringstream out;
  bridge::serve(protocol, in, out);
  std::istringstream replies(out.str());
  std::string first, second;
  std::getline(replies, first);
  std::getline(replies, second);
  CHECK(Json::parse(first).at("error").at("code") == "limit_exceeded");
  CHECK(Json::parse(second).at("ok") == true);
}

TEST_CASE("a reply repeats the id as written, without whitespace", "[bridge][protocol]") {
  Protocol protocol;
  const auto id_of = [&](const std::string& id, const std::string& op) {
    const std::string reply = protocol.handle("{\"op\":\"" + op + "\",\"id\":" + id + "}");
    return reply.substr(6, reply.find(",\"ok\":") - 6);
  };
  for (const std::string op : {"stats", "what"})
    for (const std::string id : {"1.0", "-0", "-0.0", "1E5", "1e-400", "12345678901234567890123",
                                 "0.1000000000000000055511151231257827", "18446744073709551616",
                                 "\"\\u0041\\/\"", "[1.0,{\"a\":-0,\"b\":[]}]", "null", "true", "{}"})
      CHECK(id_of(id, op) == id);
  CHECK(id_of(" [ 1.0 ,\r\n\t{ \"a b\" : 2 } ] ", "stats") == "[1.0,{\"a b\":2}]");
  const Json refused = Json::parse(protocol.handle(R"({"op":"stats","id":[0,1e400]})"));
  CHECK(refused.at("id") == nullptr);
  CHECK(refused.at("error").at("code") == "bad_json");
  CHECK(refused.at("error").at("message") ==
        "/id/1: expected a number in the range of a double, found 1e400");
}

TEST_CASE("parsing time is proportional to the length of the request", "[bridge][protocol]") {
  Protocol protocol;
  std::string id = "[{}";
  // Time that is quadratic in the length would be 500 billion steps.
  for (int i = 1; i < 1'000'000; ++i) id += ",{}";
  const std::string reply = protocol.handle("{\"op\":\"stats\",\"id\":" + id + "]}");
  CHECK(reply.substr(6, id.size() + 11) == id + "],\"ok\":true");
  std::string cue = "\"a0\":1";
  for (int i = 1; i < 10'000; ++i) cue += ",\"a" + std::to_string(i) + "\":1";
  for (int i = 0; i < 20; ++i)  // comparing all pairs would take 2 billion comparisons
    REQUIRE(protocol.handle("{\"op\":\"recall\",\"cue\":{" + cue + "}}")
                .starts_with("{\"id\":null,\"ok\":true,"));
}

TEST_CASE("a JSON error in a request has its pointer, offset and column", "[bridge][protocol]") {
  const bridge::ProtocolLimits limits{.max_depth = 3, .max_members = 3, .max_values = 8};
  const auto place_of_error = [&](const std::string& line) {
    const Json error = bridge::ask(line, limits).at("error");
    return error.at("code").get<std::string>() + " " + error.value("pointer", "-") + " " +
           std::to_string(error.value("offset", 0)) + " " + std::to_string(error.value("column", 0));
  };
  CHECK(place_of_error("{\"op\":\"ü\",}") == "bad_json - 11 11");
  CHECK(place_of_error("{\"op\":\"stats\",\"op\":1}") == "bad_json /op 0 0");
  CHECK(place_of_error("{\"cue\":[[[0]]]}") == "limit_exceeded /cue/0/0 0 0");
  CHECK(place_of_error("{\"id\":[1,2,3,4,5,6,7]}") == "limit_exceeded /id/6 0 0");
  CHECK(place_of_error("{\"a\":1,\"b\":1,\"c\":1,\"d\":1}") == "limit_exceeded /d 0 0");
  CHECK(bridge::ask(R"({"op":"hello"})", limits).at("result").at("limits").at("request_values") == 8);
  // An error message stays short even if the wrong value is long.
  CHECK(bridge::ask("{\"op\":\"" + std::string(100'000, 'x')).dump().size() < 300);
}

TEST_CASE("an error message gives the expected and the found value of a field", "[bridge][protocol]") {
  const auto message_for = [](const char* request) -> std::string {
    return bridge::ask(request).at("error").at("message");
  };
  CHECK(message_for(R"({"op":"recall","cue":"a","top":0})") ==
        "'top' must be a whole number in [1, 1000000000], found 0");
  CHECK(message_for(R"({"op":"recall","cue":{"a":2}})") == "'cue/a' must be a number in [0, 1], found 2");
  CHECK(message_for(R"({"op":"recall"})") ==
        "'cue' must be a string or an object term -> activation, found nothing");
  CHECK(message_for(R"({"op":"recall","cue":"a","metod":"x"})") ==
        R"(unknown field "metod" (did you mean "method"?); expected no members but )"
        R"("cue", "method", "options", "top", "op", "limit")");
  CHECK(message_for("[]") == "a request must be an object, found an array");
  const std::string unknown = "unknown op 'recal' (did you mean 'recall'?); known are hello, ";
  CHECK(message_for(R"({"op":"recal"})").substr(0, unknown.size()) == unknown);
  CHECK(message_for(R"({"op":"zzzzzzzz"})").substr(0, 34) == "unknown op 'zzzzzzzz'; known are h");
}

TEST_CASE("the schema checker of these tests finds errors", "[bridge][protocol]") {
  const testing::JsonSchema schema(ENGRAM_SOURCE_DIR "/bridge/schema/protocol.schema.json");
  const auto flaw = [&](const char* text, const char* part) { return schema.flaw(Json::parse(text), part); };
  CHECK(flaw(R"({"id":1,"ok":true,"result":{}})", "/$defs/reply") == "");
  for (const char* reply : {R"({"ok":true,"result":{}})", R"({"id":1,"ok":false,"result":{}})", "7",
                            R"({"id":1,"ok":true,"result":{},"more":1})",
                            R"({"id":1,"ok":false,"error":{"code":"bad_luck","message":""}})"})
    CHECK(flaw(reply, "/$defs/reply") != "");
  CHECK(flaw(R"({"op":"links","top":1})", "/$defs/requests/links") == "");
  for (const char* request :
       {R"({"op":"links","top":0})", R"({"op":"links","top":1.5})", R"({"top":1})",
        R"({"op":"links","as":"xml"})", R"({"op":"stats"})", R"({"op":"links","term":1})"})
    CHECK(flaw(request, "/$defs/requests/links") != "");
  CHECK(flaw(R"({"p":[0.5,1.5],"indices":[]})", "/$defs/results/sample") == "/p/1: out of range: 1.5");
  CHECK(flaw(R"({"p":[],"indices":[]})", "/$defs/results/sample") != "");
}

TEST_CASE("names that occur only in questions are freed after the request", "[bridge][protocol]") {
  core::MemoryOptions options;
  options.limits.max_bytes = std::size_t{1} << 20;
  const auto session = std::make_shared<core::Session>(options);
  Protocol protocol = Protocol::on(session);
  CHECK(protocol.handle(R"({"id": 1, "op": "input", "narsese": "<tim --> cat>."})").find("true") !=
        std::string::npos);
  const auto bytes = [&] { return session->bytes(); };
  const std::size_t terms = session->mutable_memory().terms().size(), before = bytes();
  std::size_t refused = 0, most = 0;
  for (int i = 0; i < 50'000; ++i) {
    const std::string n = std::to_string(i);
    for (const std::string& request :
         {R"({"op": "recall", "cue": "<fresh)" + n + R"( --> ?1>?", "method": "uniform"})",
          R"({"op": "recall", "cue": {"other)" + n + R"(": 1}, "method": "uniform"})",
          R"({"op": "links", "term": "third)" + n + R"("})",
          R"({"op": "input", "narsese": "<tim --> fourth)" + n + R"(>?\n<oops)" + n +
              R"( --> \n//expected: Answer: <fifth)" + n + R"( --> tim>"})"})
      refused += protocol.handle(request).find(R"("ok":true)") == std::string::npos;
    most = std::max(most, bytes());
  }
  CHECK(refused == 0);
  CHECK(session->mutable_memory().terms().size() == terms);
  CHECK(most < before + 150'000);  // an arena block and an index may remain allocated
  CHECK(protocol.handle(R"({"op": "recall", "cue": "tim"})").find(R"("term":"cat")") != std::string::npos);
}
