// SPDX-License-Identifier: MIT
#include "experiments/reasoners/exchange.hpp"

#include "bridge/files/sha256.hpp"

namespace engram::experiments {

using bridge::Json;
using bridge::JsonValue;

namespace {

constexpr std::uint64_t exact_in_json = std::uint64_t{1} << 53;  // limit of exact whole numbers in JSON

Answer answer_from_json(const JsonValue& json) {
  bridge::ObjectReader reader(json);
  Answer answer{reader["term"].text(), {}};
  answer.truth.frequency = reader["frequency"].number(0, 1);
  answer.truth.confidence = reader["confidence"].number(0, 1);
  reader.refuse_others();
  return answer;
}

}  // namespace

std::string key_of(const Exchange& exchange) {
  return bridge::sha256_of_text(
      Json{exchange.system, exchange.statements, exchange.question, exchange.cycles, exchange.more_cycles}
          .dump());
}

Json to_json(const Exchange& exchange) {
  Json json = {{"sha256", key_of(exchange)},        {"system", exchange.system},
               {"statements", exchange.statements}, {"question", exchange.question},
               {"cycles", exchange.cycles},         {"more_cycles", exchange.more_cycles},
               {"answers", Json::array()}};
  for (const Answer& answer : exchange.answers)
    json["answers"].push_back({{"term", answer.term},
                               {"frequency", answer.truth.frequency},
                               {"confidence", answer.truth.confidence}});
  if (!exchange.failure.empty()) json["failure"] = exchange.failure;
  return json;
}

Exchange exchange_from_json(const JsonValue& json) {
  bridge::ObjectReader reader(json);
  const JsonValue key = reader["sha256"], statements = reader["statements"], answers = reader["answers"],
                  failure = reader["failure"];
  Exchange exchange{.system = reader["system"].text(),
                    .statements = {},
                    .question = reader["question"].text(),
                    .cycles = reader["cycles"].count(0, exact_in_json),
                    .more_cycles = reader["more_cycles"].count(0, exact_in_json)};
  for (std::size_t i = 0; i < statements.list().size(); ++i)
    exchange.statements.push_back(statements[i].text());
  for (std::size_t i = 0; i < answers.list().size(); ++i)
    exchange.answers.push_back(answer_from_json(answers[i]));
  if (failure) exchange.failure = failure.text();
  reader.refuse_others();
  if (key.text() != key_of(exchange)) key.refuse("\"" + key_of(exchange) + "\", of what was told and asked");
  return exchange;
}

}  // namespace engram::experiments
