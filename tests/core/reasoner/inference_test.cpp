// SPDX-License-Identifier: MIT
// Single inference steps, with conclusions worked out by hand.
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "core/reasoner/inference_rules.hpp"
#include "narsese/term_queries.hpp"
#include "tests/core/reasoner/reading.hpp"
#include "tests/support/catch.hpp"

namespace engram::core::inference_tests {
namespace {

using narsese::Punctuation;
using narsese::Term;
using narsese::VariableKind;
using testing::Reading;

// One or two premises in either role, and one expected conclusion.
struct Step {
  std::string first, second, conclusion;
};

const std::string no_second;

const Step steps[] = {
    // Inheritance
    {"<moss --> plant>.", "<plant --> living>.", "<moss --> living>. %1.00;0.81%"},
    {"<moss --> plant>.", "<plant --> living>.", "<living --> moss>. %1.00;0.45%"},
    {"<moss --> plant>. %0.9;0.9%", "<plant --> living>. %0.8;0.9%", "<moss --> living>. %0.72;0.58%"},
    {"<chair --> furniture>.", "<table --> furniture>.", "<table --> chair>. %1.00;0.45%"},
    {"<chair --> furniture>.", "<table --> furniture>. %0.6;0.9%", "<table --> chair>. %0.60;0.45%"},
    {"<tea --> drink>.", "<tea --> leaf>.", "<leaf --> drink>. %1.00;0.45%"},
    {"<tea --> drink>. %0.3;0.9%", "<tea --> leaf>.", "<leaf --> drink>. %0.30;0.45%"},
    {"<drink --> tea>?", "<tea --> drink>.", "<drink --> tea>. %1.00;0.47%"},
    {"<moss --> living>?", "<plant --> living>.", "<moss --> plant>?"},
    {"<moss --> ?1>?", "<moss --> plant>.", "<plant --> ?1>?"},
    // Similarity
    {"<chair --> furniture>.", "<table --> furniture>.", "<chair <-> table>. %1.00;0.45%"},
    {"<tea --> drink>.", "<tea --> leaf>.", "<leaf <-> drink>. %1.00;0.45%"},
    {"<boat <-> ship>.", "<boat --> vessel>.", "<ship --> vessel>. %1.00;0.81%"},
    {"<boat <-> ship>. %0.8;0.9%", "<ferry --> boat>.", "<ferry --> ship>. %0.80;0.65%"},
    {"<boat <-> ship>.", "<ship <-> vessel>.", "<boat <-> vessel>. %1.00;0.81%"},
    {"<boat --> ship>.", "<ship --> boat>. %0.5;0.9%", "<boat <-> ship>. %0.50;0.81%"},
    {"<boat --> ship>?", "<boat <-> ship>.", "<boat --> ship>. %1.00;0.90%"},
    {"<boat <-> ship>?", "<boat --> ship>.", "<boat <-> ship>. %1.00;0.47%"},
    // Sets
    {"<{Rhine} --> {river1}>.", no_second, "<{Rhine} <-> {river1}>. %1.00;0.90%"},
    {"<Rhine --> {river1}>.", no_second, "<Rhine <-> {river1}>. %1.00;0.90%"},
    {"<[cold] --> wet>.", no_second, "<[cold] <-> wet>. %1.00;0.90%"},
    {"<{Rhine} <-> {Rhein}>.", no_second, "<Rhine <-> Rhein>. %1.00;0.90%"},
    {"<[cold] <-> [icy]>.", no_second, "<[cold] --> [icy]>. %1.00;0.90%"},
    {"<{Rhine} --> {Rhein}>?", "<Rhine <-> Rhein>. %0.9;0.9%", "<{Rhine} --> {Rhein}>. %0.90;0.66%"},
    {"<{Rhine} <-> {Rhein}>?", "<Rhine <-> Rhein>. %0.9;0.9%", "<{Rhine} <-> {Rhein}>. %0.90;0.73%"},
    {"<{Mars} --> {Venus,Mars}>.", "<{Venus,Mars} --> planet>.", "<{Mars} --> planet>. %1.00;0.81%"},
    {"<planets --> {Mars,Venus}>.", "<planets --> {Venus,Pluto}>. %0.7;0.9%",
     "<planets --> {Venus}>. %0.70;0.81%"},
    {"<planets --> {Mars,Venus}>.", "<planets --> {Pluto}>. %0.7;0.9%",
     "<planets --> {Mars,Venus,Pluto}>. %1.00;0.81%"},
    {"<planets --> {Mars,Pluto}>. %0.9;0.9%", "<planets --> {Pluto}>. %0;0.9%",
     "<planets --> {Mars}>. %0.90;0.81%"},
    {"<[wet] --> rain>.", "<[cold] --> rain>.", "<[cold,wet] --> rain>. %1.00;0.81%"},
    {"<{Venus,Mars} --> planet>. %0.8;0.9%", no_second, "<{Mars} --> planet>. %0.80;0.65%"},
    {"<{Venus,Mars,Pluto} --> planet>.", no_second, "<{Pluto} --> planet>. %1.00;0.81%"},
    {"<apple --> [red,round]>.", no_second, "<apple --> [red]>. %1.00;0.81%"},
    {"<apple --> [red,round,sweet]>. %0.5;0.9%", no_second, "<apple --> [sweet]>. %0.50;0.41%"},
    // Intersections and differences: composed
    {"<otter --> swimmer>. %0.9;0.9%", "<otter --> mammal>. %0.8;0.9%",
     "<otter --> (&,mammal,swimmer)>. %0.72;0.81%"},
    {"<otter --> swimmer>. %0.9;0.9%", "<otter --> mammal>. %0.8;0.9%",
     "<otter --> (|,mammal,swimmer)>. %0.98;0.81%"},
    {"<otter --> swimmer>. %0.9;0.9%", "<otter --> fish>. %0.1;0.9%",
     "<otter --> (-,swimmer,fish)>. %0.81;0.81%"},
    {"<otter --> diver>. %0.9;0.9%", "<seal --> diver>. %0.8;0.9%",
     "<(|,otter,seal) --> diver>. %0.72;0.81%"},
    {"<otter --> diver>. %0.9;0.9%", "<seal --> diver>. %0.8;0.9%",
     "<(&,otter,seal) --> diver>. %0.98;0.81%"},
    {"<otter --> diver>. %0.9;0.9%", "<hare --> diver>. %0;0.9%", "<(~,otter,hare) --> diver>. %0.90;0.81%"},
    {"<otter --> (&,mammal,swimmer)>.", "<otter --> fish>.",
     "<otter --> (&,fish,mammal,swimmer)>. %1.00;0.81%"},
    // decomposed
    {"<hare --> (&,mammal,swimmer)>. %0;0.9%", "<hare --> mammal>.", "<hare --> swimmer>. %0.00;0.81%"},
    {"<hare --> (|,fish,runner)>.", "<hare --> fish>. %0;0.9%", "<hare --> runner>. %1.00;0.81%"},
    {"<hare --> (-,mammal,diver)>. %0;0.9%", "<hare --> mammal>.", "<hare --> diver>. %1.00;0.81%"},
    {"<hare --> (-,fish,diver)>. %0;0.9%", "<hare --> diver>. %0;0.9%", "<hare --> fish>. %0.00;0.81%"},
    {"<(|,otter,hare) --> diver>. %0;0.9%", "<otter --> diver>.", "<hare --> diver>. %0.00;0.81%"},
    {"<(&,otter,hare) --> diver>.", "<hare --> diver>. %0;0.9%", "<otter --> diver>. %1.00;0.81%"},
    {"<hare --> (&,mammal,runner,shy)>.", no_second, "<hare --> shy>. %1.00;0.81%"},
    {"<hare --> (-,mammal,diver)>. %0.9;0.9%", no_second, "<hare --> diver>. %0.10;0.73%"},
    {"<otter --> (|,mammal,plant)>?", "<otter --> mammal>. %0.9;0.9%",
     "<otter --> (|,mammal,plant)>. %0.90;0.73%"},
    {"<(&,otter,wild) --> (&,mammal,wild)>?", "<otter --> mammal>.",
     "<(&,otter,wild) --> (&,mammal,wild)>. %1.00;0.81%"},
    // Products and images
    {"<(*,oven,bread) --> bakes>.", no_second, "<oven --> (/,bakes,_,bread)>. %1.00;0.90%"},
    {"<(*,oven,bread) --> bakes>.", no_second, "<bread --> (/,bakes,oven,_)>. %1.00;0.90%"},
    {"<oven --> (/,bakes,_,bread)>. %0.4;0.7%", no_second, "<(*,oven,bread) --> bakes>. %0.40;0.70%"},
    {"<bakes --> (*,oven,bread)>.", no_second, "<(\\,bakes,oven,_) --> bread>. %1.00;0.90%"},
    {"<(\\,bakes,_,bread) --> oven>.", no_second, "<bakes --> (*,oven,bread)>. %1.00;0.90%"},
    {"<(*,cook,oven,bread) --> bakes_in>.", no_second, "<oven --> (/,bakes_in,cook,_,bread)>. %1.00;0.90%"},
    {"<bread --> (/,bakes_in,cook,oven,_)>.", no_second, "<(*,cook,oven,bread) --> bakes_in>. %1.00;0.90%"},
    {"<bakes_in --> (*,cook,oven,bread)>.", no_second, "<(\\,bakes_in,_,oven,bread) --> cook>. %1.00;0.90%"},
    {"<oven --> (/,bakes,_,bread)>.", "<kiln --> (/,bakes,_,bread)>.", "<kiln --> oven>. %1.00;0.45%"},
    {"<(*,oven,bread) --> ?1>?", "<oven --> tool>.", "<(*,oven,bread) --> (*,tool,bread)>. %1.00;0.81%"},
    // Implication and equivalence
    {"<storm ==> wet>. %0.8;0.9%", "<wet ==> slippery>.", "<storm ==> slippery>. %0.80;0.65%"},
    {"<rain ==> wet>.", "<wet ==> slippery>.", "<slippery ==> rain>. %1.00;0.45%"},
    {"<rain ==> wet>.", "<hose ==> wet>.", "<hose ==> rain>. %1.00;0.45%"},
    {"<rain ==> wet>.", "<rain ==> dark>.", "<dark <=> wet>. %1.00;0.45%"},
    {"<rain <=> wet>.", "<wet ==> slippery>.", "<rain ==> slippery>. %1.00;0.81%"},
    {"<rain <=> wet>.", "<wet <=> slippery>.", "<rain <=> slippery>. %1.00;0.81%"},
    {"<rain ==> wet>.", "<wet ==> rain>.", "<rain <=> wet>. %1.00;0.81%"},
    {"<<tom --> wet> ==> <tom --> cold>>.", "<tom --> wet>.", "<tom --> cold>. %1.00;0.81%"},
    {"<<tom --> wet> ==> <tom --> cold>>.", "<tom --> cold>. %0.7;0.9%", "<tom --> wet>. %0.70;0.45%"},
    {"<<tom --> wet> <=> <tom --> cold>>.", "<tom --> wet>. %0.7;0.9%", "<tom --> cold>. %0.70;0.81%"},
    {"<rain ==> wet>.", "<rain ==> dark>.", "<rain ==> (&&,dark,wet)>. %1.00;0.81%"},
    {"<rain ==> wet>.", "<hose ==> wet>.", "<(||,hose,rain) ==> wet>. %1.00;0.81%"},
    {"(--,<tom --> wet>).", no_second, "<tom --> wet>. %0.00;0.90%"},
    {"(--,<tom --> wet>)?", "<tom --> wet>. %0.2;0.9%", "(--,<tom --> wet>). %0.80;0.90%"},
    {"<(--,wet) ==> (--,rain)>?", "<rain ==> wet>. %0.1;0.9%", "<(--,wet) ==> (--,rain)>. %0.00;0.45%"},
    {"(&&,<tom --> wet>,<tom --> cold>).", no_second, "<tom --> cold>. %1.00;0.81%"},
    {"(||,<tom --> wet>,<tom --> dry>).", "<tom --> wet>. %0;0.9%", "<tom --> dry>. %1.00;0.81%"},
    // Conditions
    {"<(&&,<tom --> wet>,<tom --> windy>) ==> <tom --> cold>>.", "<tom --> windy>.",
     "<<tom --> wet> ==> <tom --> cold>>. %1.00;0.81%"},
    {"<(&&,wet,windy,night) ==> cold>.", "windy.", "<(&&,night,wet) ==> cold>. %1.00;0.81%"},
    {"<(&&,wet,windy) ==> cold>.", "<storm ==> windy>.", "<(&&,storm,wet) ==> cold>. %1.00;0.81%"},
    {"<(&&,wet,windy) ==> cold>.", "<windy ==> storm>.", "<(&&,storm,wet) ==> cold>. %1.00;0.45%"},
    {"<(&&,wet,windy) ==> cold>.", "<(&&,night,windy) ==> cold>.", "<night ==> wet>. %1.00;0.45%"},
    // Chains of predictive implications, also with a sequence as precondition
    {"<wet =/> cold>.", "<windy =/> wet>.", "<windy =/> cold>. %1.00;0.81%"},
    {"<wet =|> cold>.", "<windy =|> wet>.", "<windy =|> cold>. %1.00;0.81%"},
    {"<(&/,wet,^wait) =/> cold>.", "<windy =/> wet>.", "<(&/,windy,^wait) =/> cold>. %1.00;0.81%"},
    {"<(&/,wet,^wait) =/> cold>.", "<cold =/> ill>.", "<(&/,wet,^wait) =/> ill>. %1.00;0.81%"},
    {"<(&/,wet,^wait) =/> cold>.", "<(&/,windy,^wait) =/> cold>?", "<windy =/> wet>?"},
    {"<(&&,wet,windy) ==> cold>.", "<windy ==> cold>.", "wet. %1.00;0.45%"},
    // Variables bound
    {"<<$1 --> wet> ==> <$1 --> cold>>.", "<tom --> wet>.", "<tom --> cold>. %1.00;0.81%"},
    {"<<$1 --> wet> ==> <$1 --> cold>>.", "<tom --> cold>.", "<tom --> wet>. %1.00;0.45%"},
    {"<<$1 --> wet> <=> <$1 --> cold>>.", "<tom --> cold>.", "<tom --> wet>. %1.00;0.81%"},
    {"<<$1 --> wet> ==> <$1 --> cold>>.", "<<$1 --> cold> ==> <$1 --> ill>>.",
     "<<$1 --> wet> ==> <$1 --> ill>>. %1.00;0.81%"},
    {"<<$1 --> wet> ==> <$1 --> cold>>.", "<<tom --> cold> ==> glad>.",
     "<<tom --> wet> ==> glad>. %1.00;0.81%"},
    {"<(&&,<$1 --> dog>,<$2 --> cat>) ==> <(*,$1,$2) --> chases>>.", "<rex --> dog>.",
     "<<$1 --> cat> ==> <(*,rex,$1) --> chases>>. %1.00;0.81%"},
    {"<(&&,<$1 --> wet>,<$1 --> windy>) ==> <$1 --> cold>>.", "<tom --> windy>.",
     "<<tom --> wet> ==> <tom --> cold>>. %1.00;0.81%"},
    {"<<(*,$1,$2) --> wife> <=> <(*,$2,$1) --> husband>>.", "<(*,ann,bob) --> wife>.",
     "<(*,bob,ann) --> husband>. %1.00;0.81%"},
    // Dependent variables bound
    {"(&&,<#1 --> thief>,<#1 --> tall>).", "<max --> thief>.", "<max --> tall>. %1.00;0.43%"},
    {"(&&,<#1 --> thief>,<#1 --> tall>,<#1 --> bald>).", "<max --> bald>.",
     "(&&,<max --> tall>,<max --> thief>). %1.00;0.43%"},
    {"<<$1 --> key> ==> (&&,<#2 --> lock>,<#2 --> (/,opens,$1,_)>)>.", "<iron --> key>.",
     "(&&,<#1 --> lock>,<#1 --> (/,opens,iron,_)>). %1.00;0.81%"},
    {"(&&,<#1 --> lock>,<<$2 --> key> ==> <$2 --> (/,opens,_,#1)>>).", "<gate --> lock>.",
     "<<$1 --> key> ==> <$1 --> (/,opens,_,gate)>>. %1.00;0.43%"},
    // Variables introduced
    {"<tea --> drink>.", "<tea --> leaf>.", "<<$1 --> leaf> ==> <$1 --> drink>>. %1.00;0.45%"},
    {"<tea --> drink>.", "<tea --> leaf>.", "<<$1 --> drink> <=> <$1 --> leaf>>. %1.00;0.45%"},
    {"<tea --> drink>.", "<tea --> leaf>.", "(&&,<#1 --> drink>,<#1 --> leaf>). %1.00;0.81%"},
    {"<chair --> furniture>.", "<table --> furniture>.", "<<chair --> $1> ==> <table --> $1>>. %1.00;0.45%"},
    {"<chair --> furniture>. %0.8;0.9%", "<table --> furniture>. %0.5;0.9%",
     "(&&,<chair --> #1>,<table --> #1>). %0.40;0.81%"},
    {"<tea --> drink>.", "(&&,<#1 --> hot>,<tea --> leaf>).",
     "(&&,<#1 --> hot>,<#2 --> leaf>,<#2 --> drink>). %1.00;0.81%"},
    {"<tea --> drink>.", "<<tea --> leaf> ==> glad>.",
     "<(&&,<#1 --> drink>,<#1 --> leaf>) ==> glad>. %1.00;0.45%"},
    // Two variables: confidence times 0.9 for the second
    {"<ann --> (/,likes,_,bob)>.", "<ann --> (/,knows,_,bob)>.",
     "<<$1 --> (/,knows,_,$2)> ==> <$1 --> (/,likes,_,$2)>>. %1.00;0.40%"},
    {"<ann --> (/,likes,_,bob)>.", "<ann --> (/,knows,_,bob)>.",
     "(&&,<#1 --> (/,knows,_,#2)>,<#1 --> (/,likes,_,#2)>). %1.00;0.73%"},
    {"<ann --> (/,likes,_,bob)>.", "<ann --> (/,knows,_,bob)>.",
     "<<$1 --> (/,knows,_,bob)> ==> <$1 --> (/,likes,_,bob)>>. %1.00;0.45%"},
    // Goals
    {"<<door --> open> ==> <room --> cool>>.", "<room --> cool>!", "<door --> open>! %1.00;0.81%"},
    {"<<door --> open> <=> <room --> cool>>.", "<room --> cool>!", "<door --> open>! %1.00;0.81%"},
};

std::string rounded(const Conclusion& one) {
  std::string text = narsese::print(one.term);
  text += narsese::symbol(one.punctuation);
  if (one.punctuation == Punctuation::question) return text;
  char truth[32];
  std::snprintf(truth, sizeof truth, " %%%.2f;%.2f%%", one.truth.frequency, one.truth.confidence);
  return text + truth;
}

// The normalized text of a conclusion, whatever the order of its components.
std::string wanted_text(Reading& reading, const std::string& text) {
  const narsese::Sentence read = reading.sentence(text);
  return rounded({read.term, read.punctuation, read.truth_or_default(), 0});
}

std::vector<Conclusion> all_of(Reading& reading, InferenceRules& rules, const std::string& first,
                               const std::string& second) {
  std::vector<Conclusion> drawn;
  if (second.empty())
    rules.apply(reading.premise(first), drawn);
  else
    rules.apply(reading.premise(first), reading.premise(second), false, drawn);
  return drawn;
}

std::string joined(const std::vector<Conclusion>& drawn) {
  std::string text;
  for (const Conclusion& one : drawn) text += rounded(one) + "\n";
  return text;
}

bool holds(const std::vector<Conclusion>& drawn, const std::string& text) {
  for (const Conclusion& one : drawn)
    if (rounded(one) == text) return true;
  return false;
}

// Whether a statement is true for all terms: both sides are equal, or one is a component of the other.
bool is_plain_tautology(Term term) {
  if (term.kind() != narsese::TermKind::statement) return false;
  const Term a = term.subject(), b = term.predicate();
  if (a == b) return true;
  const auto part_of = [](Term part, Term whole) {
    return (whole.is(narsese::Connector::extensional_intersection) ||
            whole.is(narsese::Connector::intensional_intersection) ||
            whole.is(narsese::Connector::conjunction)) &&
           std::ranges::find(whole.components(), part) != whole.components().end();
  };
  return part_of(a, b) || part_of(b, a);
}

void count_independent(Term term, std::map<std::int64_t, int>& times) {
  if (term.kind() == narsese::TermKind::variable) {
    if (term.variable_kind() == VariableKind::independent) ++times[term.number()];
    return;
  }
  for (const Term part : term.components()) count_independent(part, times);
}

bool every_independent_twice(Term term) {
  std::map<std::int64_t, int> times;
  count_independent(term, times);
  for (const auto& [number, count] : times)
    if (count < 2) return false;
  return true;
}

}  // namespace

TEST_CASE("single inference steps give the expected conclusions", "[core][reasoner][inference]") {
  Reading reading;
  InferenceRules rules(reading.table, {});
  for (const Step& step : steps) {
    const std::string wanted = wanted_text(reading, step.conclusion);
    const auto is_judgment = [](const std::string& text) { return text.back() != '?' && text.back() != '!'; };
    const bool first_judges = is_judgment(step.first),
               second_judges = step.second.empty() || is_judgment(step.second);
    INFO(step.first << " " << step.second << " |- " << wanted);
    if (second_judges) {
      const auto drawn = all_of(reading, rules, step.first, step.second);
      INFO("got\n" << joined(drawn));
      CHECK(holds(drawn, wanted));
    }
    if (!step.second.empty() && first_judges) {
      const auto drawn = all_of(reading, rules, step.second, step.first);
      INFO("exchanged, got\n" << joined(drawn));
      CHECK(holds(drawn, wanted));
    }
  }
}

TEST_CASE("components of larger sets are not used as subjects or predicates", "[core][reasoner][inference]") {
  Reading reading;
  InferenceRules rules(reading.table, {});
  const auto nests = [](const std::vector<Conclusion>& drawn, const std::string& text) {
    return joined(drawn).find(text) != std::string::npos;
  };
  // A set of three must not become a component of a set.
  CHECK_FALSE(nests(all_of(reading, rules, "<{Venus,Mars,Pluto} --> planet>.", ""), "{{"));
  CHECK_FALSE(nests(all_of(reading, rules, "<apple --> [red,round,sweet]>.", ""), "[["));
  // A name inside a larger set must not count as a shared term.
  for (const auto& [first, second] : {std::pair("<tom --> [2,3]>.", "<tom --> [(*,ill,2)]>."),
                                      std::pair("<{2,3} --> odd>.", "<(*,ill,2) --> odd>."),
                                      std::pair("<tom --> {ann,bob}>.", "<tom --> (/,likes,_,ann)>.")})
    for (const Conclusion& one : all_of(reading, rules, first, second)) {
      INFO(rounded(one));
      const std::string text = narsese::print(one.term);
      CHECK(text.find("#2") == std::string::npos);
      CHECK(text.find("$2") == std::string::npos);
    }
  // A set with one component is an individual or a property.
  CHECK(holds(all_of(reading, rules, "<{tom} --> (/,likes,_,ann)>.", "<{tom} --> (/,knows,_,ann)>."),
              wanted_text(reading, "(&&,<#1 --> (/,knows,_,#2)>,<#1 --> (/,likes,_,#2)>). %1.00;0.73%")));
}

TEST_CASE("an implication with two conditions takes one fact after the other",
          "[core][reasoner][inference]") {
  Reading reading;
  InferenceRules rules(reading.table, {});
  const std::string rule =
      "<(&&,<(*,$1,$2) --> mother>,<(*,$2,$3) --> parent>) ==> <(*,$1,$3) --> grandmother>>.";
  for (const bool mother_first : {true, false}) {
    const std::string mother = "<(*,eva,ida) --> mother>.", parent = "<(*,ida,uwe) --> parent>.";
    const std::string half = mother_first
                                 ? "<<(*,ida,$1) --> parent> ==> <(*,eva,$1) --> grandmother>>. %1.00;0.81%"
                                 : "<<(*,$1,ida) --> mother> ==> <(*,$1,uwe) --> grandmother>>. %1.00;0.81%";
    const auto drawn = all_of(reading, rules, rule, mother_first ? mother : parent);
    INFO(joined(drawn));
    CHECK(holds(drawn, wanted_text(reading, half)));
    const auto whole = all_of(reading, rules, half, mother_first ? parent : mother);
    INFO(joined(whole));
    CHECK(holds(whole, wanted_text(reading, "<(*,eva,uwe) --> grandmother>. %1.00;0.73%")));
  }
  // Facts about different persons give no such conclusion.
  const auto apart = all_of(reading, rules, "<<(*,ida,$1) --> parent> ==> <(*,eva,$1) --> grandmother>>.",
                            "<(*,leo,uwe) --> parent>.");
  CHECK_FALSE(holds(apart, wanted_text(reading, "<(*,eva,uwe) --> grandmother>. %1.00;0.81%")));
}

TEST_CASE("no conclusion is trivial, weak, known or repeated", "[core][reasoner][inference]") {
  Reading reading;
  InferenceRules rules(reading.table, {});
  std::vector<std::string> premises;
  for (const Step& step : steps) {
    premises.push_back(step.first);
    if (!step.second.empty()) premises.push_back(step.second);
  }
  std::size_t drawn_in_all = 0, queries = 0, tautologies = 0, lonely = 0, weak = 0, known = 0, twice = 0;
  for (const std::string& first : premises)
    for (const std::string& second : premises) {
      const Premise task = reading.premise(first), belief = reading.premise(second);
      if (belief.punctuation != Punctuation::judgment) continue;
      std::vector<Conclusion> drawn;
      rules.apply(task, belief, false, drawn);
      if (task.punctuation == Punctuation::judgment && first == second) rules.apply(task, drawn);
      drawn_in_all += drawn.size();
      for (std::size_t i = 0; i < drawn.size(); ++i) {
        const Conclusion& one = drawn[i];
        tautologies += is_plain_tautology(one.term);
        if (one.punctuation != Punctuation::judgment) continue;
        queries += narsese::has_variable(one.term, VariableKind::query);
        lonely += !every_independent_twice(one.term);
        weak += one.truth.confidence < InferenceRules::min_confidence;
        known += one.term == belief.term;
        for (std::size_t j = 0; j < i; ++j)
          twice += drawn[j].term == one.term && drawn[j].truth == one.truth &&
                   drawn[j].punctuation == one.punctuation && drawn[j].rule == one.rule;
      }
    }
  CHECK(drawn_in_all > 1000);
  CHECK(queries == 0);
  CHECK(tautologies == 0);
  CHECK(lonely == 0);
  CHECK(weak == 0);
  CHECK(known == 0);
  CHECK(twice == 0);
}

TEST_CASE("forbidden conclusions are not drawn", "[core][reasoner][inference]") {
  Reading reading;
  InferenceRules rules(reading.table, {});
  const struct {
    std::string first, second, forbidden;
  } cases[] = {
      {"<tea --> leaf>.", "<leaf --> tea>.", "<tea --> tea>"},
      {"<tea --> drink>.", "<tea --> drink>. %0.5;0.9%", "<drink <-> drink>"},
      {"<tea --> (&,drink,leaf)>.", "<leaf --> tea>.", "<leaf --> (&,drink,leaf)>"},
      {"<tea --> drink>.", "<tea --> (|,drink,food)>.", "<drink --> (|,drink,food)>"},
      // Detachment with a different condition
      {"<<tom --> wet> ==> <tom --> cold>>.", "<tom --> dry>.", "<tom --> cold>"},
      // Detachment with a condition that does not unify
      {"<<$1 --> wet> ==> <$1 --> cold>>.", "<tom --> dry>.", "<tom --> cold>"},
      {"<<(*,$1,$2) --> wife> ==> <(*,$2,$1) --> husband>>.", "<(*,ann,bob) --> wife>.",
       "<(*,ann,bob) --> husband>"},
      // #1 is one individual
      {"(&&,<#1 --> thief>,<#1 --> tall>).", "<max --> thief>.", "<#1 --> tall>"},
      // A difference with a low frequency
      {"<otter --> swimmer>. %0.4;0.9%", "<otter --> fish>. %0.1;0.9%", "<otter --> (-,swimmer,fish)>"},
      // A deduction without confidence
      {"<tea --> drink>. %0;0.9%", "<drink --> wet>.", "<tea --> wet>"},
  };
  for (const auto& one : cases) {
    const Term forbidden = reading.term(one.forbidden);
    INFO(one.first << " " << one.second << " |- " << one.forbidden);
    for (const auto& drawn :
         {all_of(reading, rules, one.first, one.second), all_of(reading, rules, one.second, one.first)}) {
      INFO(joined(drawn));
      for (const Conclusion& conclusion : drawn) CHECK_FALSE(conclusion.term == forbidden);
    }
  }
}

TEST_CASE("detachment does not bind #x of the second premise", "[core][reasoner][inference]") {
  // Detachment may bind #x of the implication, but not #x of the other premise.
  Reading reading;
  InferenceRules rules(reading.table, {});
  const auto drawn = all_of(reading, rules, "<<tom --> thief> ==> <tom --> guilty>>.", "<#1 --> thief>.");
  INFO(joined(drawn));
  CHECK_FALSE(holds(drawn, wanted_text(reading, "<tom --> guilty>. %1.00;0.81%")));
}

TEST_CASE("a question with ?x gets only conclusions that match it", "[core][reasoner][inference]") {
  Reading reading;
  InferenceRules rules(reading.table, {});
  // Two products follow, but only one matches the question.
  const std::string question = "<(*,oven,bread) --> ?1>?";
  const auto drawn = all_of(reading, rules, question, "<bread --> food>.");
  CHECK(holds(drawn, wanted_text(reading, "<(*,oven,bread) --> (*,oven,food)>. %1.00;0.81%")));
  std::size_t judgments = 0;
  for (const Conclusion& one : drawn)
    if (one.punctuation == Punctuation::judgment) {
      ++judgments;
      CHECK(one.term.subject() == reading.term("(*,oven,bread)"));
    }
  CHECK(judgments == 1);
  for (const Conclusion& one : all_of(reading, rules, "<(*,oven,bread) --> pair>?", "<bread --> food>."))
    CHECK(one.punctuation == Punctuation::question);
}

TEST_CASE("conclusions stay within the limits", "[core][reasoner][inference]") {
  Reading reading;
  const TermLimits limits{.max_complexity = 7, .max_depth = 3};
  InferenceRules rules(reading.table, limits);
  std::size_t drawn_in_all = 0, too_large = 0;
  for (const Step& a : steps)
    for (const Step& b : steps) {
      const Premise task = reading.premise(a.first), belief = reading.premise(b.first);
      // A premise past the limits may have parts past the limits.
      if (belief.punctuation != Punctuation::judgment || task.term.complexity() > limits.max_complexity ||
          belief.term.complexity() > limits.max_complexity || task.term.depth() > limits.max_depth ||
          belief.term.depth() > limits.max_depth)
        continue;
      std::vector<Conclusion> drawn;
      rules.apply(task, belief, false, drawn);
      drawn_in_all += drawn.size();
      for (const Conclusion& one : drawn)
        too_large += one.term.complexity() > limits.max_complexity || one.term.depth() > limits.max_depth;
    }
  CHECK(drawn_in_all > 100);
  CHECK(too_large == 0);
  // Wider limits give more conclusions.
  InferenceRules wide(reading.table, {});
  const std::string a = "<(*,a,b,c) --> r>.", b = "<(*,a,b,c) --> s>.";
  const auto composed = wanted_text(reading, "<(*,a,b,c) --> (&,r,s)>. %1.00;0.81%");
  CHECK(holds(all_of(reading, wide, a, b), composed));
  CHECK_FALSE(holds(all_of(reading, rules, a, b), composed));
}

TEST_CASE("one pair has a bounded number of conclusions", "[core][reasoner][inference]") {
  Reading reading;
  InferenceRules rules(reading.table, {.max_complexity = 400, .max_depth = 40});
  std::string many = "(&&";
  for (int i = 0; i < 40; ++i) many += ",<x" + std::to_string(i) + " --> y>";
  const auto drawn = all_of(reading, rules, "<" + many + ") ==> z>.", "<" + many + ",<w --> y>) ==> z>.");
  CHECK(drawn.size() <= InferenceRules::max_conclusions);
  CHECK(!drawn.empty());
}

}  // namespace engram::core::inference_tests
