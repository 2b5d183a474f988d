// SPDX-License-Identifier: MIT
// Tests of the operation `reason`: the embedded reasoner answers questions from the memory.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bridge/conversation/shared_session.hpp"
#include "bridge/protocol/protocol.hpp"
#include "core/methods/method.hpp"
#include "tests/bridge/protocol/ask.hpp"
#include "tests/support/catch.hpp"

namespace engram::bridge::reason_tests {
namespace {

using nlohmann::json;

const std::string chain_of_three = "<a --> b>.\n<b --> c>.\n<c --> d>. %0.9;0.8%\n<x --> y>.\n<y --> z>.";

json reply_of(Protocol& protocol, json members) {
  members["op"] = "reason";
  return reply_to(protocol, members);
}

json reasoned(Protocol& protocol, json members) {
  members["op"] = "reason";
  return result_of(protocol, members);
}

std::string failed(Protocol& protocol, const json& members) { return error_in(reply_of(protocol, members)); }

// Checks that premises precede their conclusions, that the answer is the last step, and that the answer depends on
// every step.
void check_derivation(const json& derivation) {
  REQUIRE_FALSE(derivation.empty());
  std::vector<bool> used(derivation.size());
  used.back() = true;
  for (std::size_t i = derivation.size(); i-- > 0;) {
    const json& line = derivation.at(i);
    CHECK(used[i]);
    const bool is_input = line.at("rule") == "told";
    CHECK(is_input == line.at("premises").empty());
    if (is_input) CHECK(line.at("step") == 0);
    for (const json& premise : line.at("premises")) {
      REQUIRE(premise.get<std::size_t>() < i);
      CHECK(derivation.at(premise.get<std::size_t>()).at("step") <= line.at("step"));
      used[premise.get<std::size_t>()] = true;
    }
  }
}

}  // namespace

TEST_CASE("reason answers by a proof of three premises, with its derivation", "[bridge][reason]") {
  Protocol protocol;
  tell(protocol, chain_of_three);
  const json result = reasoned(protocol, {{"question", "<a --> d>?"}});
  const json& answer = result.at("answer");
  REQUIRE(answer.is_object());
  CHECK(answer.at("term") == "<a --> d>");
  // By hand: the confidence of a deduction is the product of both frequencies and both confidences. The proof over
  // <a --> c> has confidence .9 .9 = .81 in its first step and .9 .81 .8 = .583 in its second. The proof over <b --> d>
  // has .9 .9 .8 = .648 and .9 .9 .648 = .525. The answer has the higher confidence.
  CHECK(answer.at("truth").at("frequency").get<double>() == Approx(0.9).epsilon(1e-12));
  CHECK(answer.at("truth").at("confidence").get<double>() == Approx(0.9 * 0.81 * 0.8).epsilon(1e-12));
  const json& derivation = answer.at("derivation");
  check_derivation(derivation);
  REQUIRE(derivation.size() == 5);
  std::vector<std::string> inputs;
  for (const json& line : derivation)
    if (line.at("rule") == "told") inputs.push_back(line.at("narsese"));
  std::sort(inputs.begin(), inputs.end());
  CHECK(inputs ==
        std::vector<std::string>{"<a --> b>. %1;0.9%", "<b --> c>. %1;0.9%", "<c --> d>. %0.9;0.8%"});
  for (const json& line : derivation) {
    if (line.at("rule") == "told") continue;
    CHECK(line.at("rule") == "deduction");
    CHECK(line.at("premises").size() == 2);
  }
  CHECK(derivation.back().at("narsese").get<std::string>().rfind("<a --> d>. %0.9;0.5832", 0) == 0);
  CHECK(result.at("told") == 5);
  CHECK_FALSE(result.contains("events"));
  CHECK_FALSE(result.contains("events_in_all"));
}

TEST_CASE("reason answers with a bound variable, with an input statement, or not at all",
          "[bridge][reason]") {
  Protocol protocol;
  tell(
      protocol,
      "<tim --> cat>.\n<cat --> animal>.\n<<$1 --> animal> ==> <$1 --> mortal>>.\n<(tim * tom) --> friend>.");
  CHECK(reasoned(protocol, {{"question", "<tim --> mortal>?"}}).at("answer").at("term") ==
        "<tim --> mortal>");
  const json which = reasoned(protocol, {{"question", "<(tim * ?1) --> friend>?"}}).at("answer");
  CHECK(which.at("term") == "<(*,tim,tom) --> friend>");
  CHECK(which.at("derivation").size() == 1);
  CHECK(which.at("derivation").at(0).at("rule") == "told");
  const json nothing = reasoned(protocol, {{"question", "<tim --> teapot>?"}, {"steps", 50}});
  CHECK(nothing.at("answer").is_null());
  CHECK(reasoned(protocol, {{"question", "<unheard_of --> ?1>?"}}).at("answer").is_null());
  // Two inputs with the same term are combined by revision, and the derivation shows that step.
  tell(protocol, "<tim --> cat>. %0;0.9%");
  const json revised = reasoned(protocol, {{"question", "<tim --> cat>?"}}).at("answer");
  check_derivation(revised.at("derivation"));
}

TEST_CASE("reason on an empty memory has no answer", "[bridge][reason]") {
  Protocol protocol;
  const json result = reasoned(protocol, {{"question", "<a --> b>?"}, {"events", 5}});
  CHECK(result.at("answer").is_null());
  CHECK(result.at("told") == 0);
  CHECK(result.at("events_in_all") == result.at("events").size());
}

TEST_CASE("a gate limits the statements that reason passes to the reasoner", "[bridge][reason]") {
  Protocol protocol;
  tell(protocol, chain_of_three);
  for (std::size_t gate = 1; gate <= 7; ++gate) {
    const json result = reasoned(protocol, {{"question", "<a --> d>?"}, {"gate", gate}});
    CHECK(result.at("told") == std::min<std::size_t>(gate, 5));
    // The default method ranks the three premises of the proof first, so a gate of three statements is enough.
    CHECK(result.at("answer").is_null() == (gate < 3));
  }
  // `uniform` ranks all statements equally, so the gate passes the first ones in input order.
  const json uniform = reasoned(protocol, {{"question", "<x --> z>?"}, {"gate", 3}, {"method", "uniform"}});
  CHECK(uniform.at("told") == 3);
  CHECK(uniform.at("answer").is_null());
  CHECK(reasoned(protocol, {{"question", "<x --> z>?"}, {"method", "uniform"}}).at("answer").at("term") ==
        "<x --> z>");
  // Questions in the input do not count as statements.
  tell(protocol, "<x --> z>?\n<a --> d>?");
  CHECK(reasoned(protocol, {{"question", "<a --> d>?"}}).at("told") == 5);
}

TEST_CASE("reason returns at most `events` events and the total count", "[bridge][reason]") {
  Protocol protocol;
  tell(protocol, chain_of_three);
  const testing::JsonSchema schema(ENGRAM_SOURCE_DIR "/bridge/schema/event.schema.json");
  const json all = reasoned(protocol, {{"question", "<a --> d>?"}, {"events", 1'000'000}, {"steps", 300}});
  const std::size_t in_all = all.at("events_in_all").get<std::size_t>();
  CHECK(in_all > 20);
  REQUIRE(all.at("events").size() == in_all);
  std::size_t answers = 0;
  for (const json& event : all.at("events")) {
    CHECK(schema.flaw(event) == "");
    CHECK(event.at("event") != "input");  // events of inputs are left out
    answers += event.at("event") == "answer";
  }
  CHECK(answers >= 1);
  for (const std::size_t most : {std::size_t{1}, std::size_t{3}, in_all - 1, in_all + 1}) {
    const json some = reasoned(protocol, {{"question", "<a --> d>?"}, {"events", most}, {"steps", 300}});
    CHECK(some.at("events_in_all") == in_all);
    REQUIRE(some.at("events").size() == std::min(most, in_all));
    for (std::size_t i = 0; i < some.at("events").size(); ++i)
      CHECK(some.at("events").at(i) == all.at("events").at(i));
    CHECK(some.at("answer") == all.at("answer"));
  }
  const json& last = *std::find_if(all.at("events").rbegin(), all.at("events").rend(),
                                   [](const json& event) { return event.at("event") == "answer"; });
  CHECK(last.at("term") == all.at("answer").at("term"));
  CHECK(last.at("truth").at("confidence") == all.at("answer").at("truth").at("confidence"));
  CHECK(last.at("stamp").size() == 3);
}

TEST_CASE("`steps` and `limit` bound the work of reason", "[bridge][reason]") {
  Protocol protocol;
  std::string much;
  for (int i = 0; i < 120; ++i)
    much += "<n" + std::to_string(i % 19) + " --> n" + std::to_string((i * 7 + 1) % 23) + ">.\n";
  tell(protocol, much);
  const json question = {{"question", "<n1 --> unknown>?"}};
  const auto steps_of = [&](std::size_t steps) {
    json members = question;
    members["steps"] = steps;
    return reasoned(protocol, members).at("steps").get<std::size_t>();
  };
  for (const std::size_t steps : {std::size_t{1}, std::size_t{10}, std::size_t{500}}) {
    CHECK(steps_of(steps) >= steps);
    CHECK(steps_of(steps) <= steps + 100);  // the last step may cause some revisions, which also count
  }
  const std::size_t usual = reasoned(protocol, question).at("steps").get<std::size_t>();
  CHECK(usual >= 2000);
  CHECK(usual <= 2100);
  const json before = json::parse(protocol.handle(R"({"op":"stats"})"));
  json long_work = question;
  long_work["steps"] = 1'000'000'000;
  long_work["limit"] = {{"milliseconds", 60}};
  CHECK(failed(protocol, long_work) == "work_exceeded -");
  CHECK(json::parse(protocol.handle(R"({"op":"stats"})")) == before);
  CHECK(steps_of(10) >= 10);  // a cancelled request does not affect the next one
}

TEST_CASE("reason recalls again after every `refresh` steps", "[bridge][reason]") {
  Protocol protocol;
  // The memory has a binary tree of five levels. Most steps are useless unless attention is refreshed during reasoning.
  std::string tree;
  for (int i = 1; i < 32; ++i)
    for (int child : {2 * i, 2 * i + 1})
      tree += "<n" + std::to_string(child) + " --> n" + std::to_string(i) + ">.\n";
  tell(protocol, tree);
  const json question = {{"question", "<n63 --> n1>?"}, {"method", "pagerank"}, {"steps", 1500}};
  const auto asked_with = [&](std::size_t refresh) {
    json members = question;
    members["refresh"] = refresh;
    members["events"] = 40;
    return reasoned(protocol, members);
  };
  const json once = asked_with(1'000'000), often = asked_with(16);
  CHECK(once.at("events") != often.at("events"));
  CHECK(often == asked_with(16));
  REQUIRE_FALSE(often.at("answer").is_null());
  check_derivation(often.at("answer").at("derivation"));
  json members = question;
  members["events"] = 40;
  CHECK(asked_with(64) == reasoned(protocol, members));
}

TEST_CASE("each error of reason has its code and pointer", "[bridge][reason]") {
  Protocol protocol;
  tell(protocol, chain_of_three);
  CHECK(failed(protocol, {{"question", "<a --> d>."}}) == "bad_value /question");
  CHECK(failed(protocol, {{"question", "<a --> d>!"}}) == "bad_value /question");
  CHECK(failed(protocol, {{"question", "<a --> d>"}}) == "parse_error /question");
  // A bare term is a valid cue, but not a question.
  CHECK(failed(protocol, {{"question", "a"}}) == "parse_error /question");
  CHECK(failed(protocol, {{"question", ""}}) == "parse_error /question");
  const json broken = reply_of(protocol, {{"question", "<a --> $>?"}});
  CHECK(error_in(broken) == "parse_error /question");
  CHECK(broken.at("error").at("line") == 1);
  CHECK(broken.at("error").at("column") == 9);
  const json question = {{"question", "<a --> d>?"}};
  const auto with = [&](const json& members) {
    json request = question;
    request.update(members);
    return failed(protocol, request);
  };
  CHECK(with({{"method", "patth_attention"}}) == "bad_value /method");
  CHECK(with({{"method", "attention"}, {"options", {{"beta", -1}}}}) == "bad_value /options/beta");
  CHECK(with({{"method", "attention"}, {"options", {{"bete", 1}}}}) == "bad_value /options/bete");
  CHECK(with({{"gate", 2}}) == "");
}

TEST_CASE("reason refuses options that name files if the protocol forbids files", "[bridge][reason]") {
  const json request = {{"op", "reason"},
                        {"question", "<a --> d>?"},
                        {"method", "concept_attention"},
                        {"options", {{"embedding", "file"}, {"file", "/nowhere/vectors.txt"}}}};
  for (const bool files : {false, true}) {
    ProtocolLimits limits;
    limits.files = files;
    Protocol protocol({}, limits);
    tell(protocol, chain_of_three);
    const json reply = reply_to(protocol, request);
    CHECK(error_in(reply) == "bad_value /options/file");
    const auto message = reply.at("error").at("message").get<std::string>();
    CHECK((message.find("clients of this server may not name files") != std::string::npos) == !files);
  }
}

TEST_CASE("reason returns several answers, the nearest sentences and the selected statements",
          "[bridge][reason]") {
  Protocol protocol;
  tell(protocol, chain_of_three);
  const json who = reasoned(protocol, {{"question", "<a --> ?1>?"}, {"answers", 2}, {"top", 3}});
  REQUIRE(who.at("answers").size() == 2);
  CHECK(who.at("answers").at(0) == who.at("answer"));
  CHECK(who.at("answers").at(0).at("term") != who.at("answers").at(1).at("term"));
  for (const json& answer : who.at("answers")) check_derivation(answer.at("derivation"));
  CHECK(who.at("near").empty());
  REQUIRE(who.at("selected").size() == 3);
  CHECK(who.at("told") == 5);
  CHECK(who.at("selected").at(0).at("narsese") == "<a --> b>.");
  for (std::size_t i = 1; i < 3; ++i)
    CHECK(who.at("selected").at(i).at("priority") <= who.at("selected").at(i - 1).at("priority"));
  // With a gate, `selected` has only the statements that pass the gate.
  CHECK(reasoned(protocol, {{"question", "<a --> ?1>?"}, {"gate", 1}, {"top", 9}}).at("selected").size() ==
        1);

  const json none = reasoned(protocol, {{"question", "<a --> z>?"}, {"answers", 1}});
  CHECK(none.at("answer").is_null());
  CHECK(none.at("answers").empty());
  REQUIRE_FALSE(none.at("near").empty());
  CHECK(none.at("near").size() <= 3);
  for (const json& near : none.at("near")) check_derivation(near.at("derivation"));
  CHECK_FALSE(none.contains("selected"));
  const json plain = reasoned(protocol, {{"question", "<a --> ?1>?"}});
  CHECK_FALSE(plain.contains("answers"));
  CHECK_FALSE(plain.contains("near"));
  CHECK(failed(protocol, {{"question", "<a --> ?1>?"}, {"answers", 0}}) == "bad_value /answers");
  CHECK(failed(protocol, {{"question", "<a --> ?1>?"}, {"top", "all"}}) == "bad_value /top");
}

TEST_CASE("reason leaves the memory unchanged and is repeatable", "[bridge][reason]") {
  Protocol protocol, untouched;
  for (Protocol* each : {&protocol, &untouched}) tell(*each, chain_of_three);
  const std::string stats = R"({"op":"stats"})", links = R"({"op":"links"})";
  const auto known = [](Protocol& of, const std::string& request) {
    json reply = json::parse(of.handle(request));
    for (const char* bytes : {"bytes", "readings_bytes"}) reply.at("result").erase(bytes);
    return reply;
  };
  const json before = known(protocol, stats), links_before = known(protocol, links);
  const std::string request =
      R"({"op":"reason","question":"<a --> never_heard_of>?","events":50,"gate":4,"steps":700})";
  const std::string other = R"({"op":"reason","question":"<a --> d>?","method":"hopfield","events":50})";
  const std::string first = protocol.handle(request), second = protocol.handle(other);
  CHECK(json::parse(first).at("ok") == true);
  CHECK(json::parse(second).at("ok") == true);
  for (int again = 0; again < 3; ++again) {
    CHECK(protocol.handle(request) == first);
    CHECK(protocol.handle(other) == second);
  }
  CHECK(known(protocol, stats) == before);
  CHECK(known(protocol, links) == links_before);
  // Questions leave no trace in the memory: later input has the same effect as without them.
  for (Protocol* each : {&protocol, &untouched}) tell(*each, "<d --> e>.");
  CHECK(known(protocol, stats) == known(untouched, stats));
  CHECK(known(protocol, links) == known(untouched, links));
}

TEST_CASE("reason gives the same replies for a shared memory", "[bridge][reason]") {
  const auto shared = std::make_shared<SharedSession>(std::make_shared<core::Session>());
  Protocol writer = Protocol::on(shared), reader = Protocol::on(shared), alone;
  for (Protocol* each : {&writer, &alone}) tell(*each, chain_of_three);
  for (const char* request :
       {R"({"op":"reason","question":"<a --> d>?","events":9})",
        R"({"op":"reason","question":"<?1 --> z>?","method":"pagerank","gate":3})",
        R"({"op":"reason","question":"<a --> d>."})", R"({"op":"reason","question":"<a --> $>?"})"}) {
    const std::string wanted = alone.handle(request);
    CHECK(reader.handle(request) == wanted);
    CHECK(writer.handle(request) == wanted);
    CHECK(reader.handle(request) == wanted);
  }
  for (Protocol* each : {&writer, &alone}) tell(*each, "<d --> e>.");
  const std::string later = R"({"op":"reason","question":"<a --> e>?"})";
  CHECK(reader.handle(later) == alone.handle(later));
  CHECK(json::parse(reader.handle(later)).at("result").at("answer").at("term") == "<a --> e>");
}

}  // namespace engram::bridge::reason_tests
