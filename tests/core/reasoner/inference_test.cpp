// SPDX-License-Identifier: MIT
// Single inference steps, with conclusions worked out by hand.
#include <cstdio>

#include "core/reasoner/inference_rules.hpp"
#include "narsese/term_queries.hpp"
#include "tests/core/reasoner/reading.hpp"

namespace engram::core::inference_tests {
namespace {

using narsese::Punctuation;
using narsese::Term;
using narsese::VariableKind;
using testing::Reading;

// One or two premises, each of which may be the task or the belief, and an expected conclusion.
struct Step {
  std::string first, second, conclusion;
};

const std::string no_second;

const Step steps[] = {
    // Rules of inheritance
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
    // Rules of similarity
    {"<chair --> furniture>.", "<table --> furniture>.", "<chair <-> table>. %1.00;0.45%"},
    {"<tea --> drink>.", "<tea --> leaf>.", "<leaf <-> drink>. %1.00;0.45%"},
    {"<boat <-> ship>.", "<boat --> vessel>.", "<ship --> vessel>. %1.00;0.81%"},
    {"<boat <-> ship>. %0.8;0.9%", "<ferry --> boat>.", "<ferry --> ship>. %0.80;0.65%"},
    {"<boat <-> ship>.", "<ship <-> vessel>.", "<boat <-> vessel>. %1.00;0.81%"},
    {"<boat --> ship>.", "<ship --> boat>. %0.5;0.9%", "<boat <-> ship>. %0.50;0.81%"},
    {"<boat --> ship>?", "<boat <-> ship>.", "<boat --> ship>. %1.00;0.90%"},
    {"<boat <-> ship>?", "<boat --> ship>.", "<boat <-> ship>. %1.00;0.47%"},
    // Rules of sets
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
    // Rules that compose intersections and differences
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
    // Rules that decompose intersections and differences
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
    // Rules of products and images
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
    // Rules of implication and equivalence
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
    // Rules of conditional statements
    {"<(&&,<tom --> wet>,<tom --> windy>) ==> <tom --> cold>>.", "<tom --> windy>.",
     "<<tom --> wet> ==> <tom --> cold>>. %1.00;0.81%"},
    {"<(&&,wet,windy,night) ==> cold>.", "windy.", "<(&&,night,wet) ==> cold>. %1.00;0.81%"},
    {"<(&&,wet,windy) ==> cold>.", "<storm ==> windy>.", "<(&&,storm,wet) ==> cold>. %1.00;0.81%"},
    {"<(&&,wet,windy) ==> cold>.", "<windy ==> storm>.", "<(&&,storm,wet) ==> cold>. %1.00;0.45%"},
    {"<(&&,wet,windy) ==> cold>.", "<(&&,night,windy) ==> cold>.", "<night ==> wet>. %1.00;0.45%"},
    // Rules of chains of predictive implications, also with a sequence as precondition
    {"<wet =/> cold>.", "<windy =/> wet>.", "<windy =/> cold>. %1.00;0.81%"},
    {"<wet =|> cold>.", "<windy =|> wet>.", "<windy =|> cold>. %1.00;0.81%"},
    {"<(&/,wet,^wait) =/> cold>.", "<windy =/> wet>.", "<(&/,windy,^wait) =/> cold>. %1.00;0.81%"},
    {"<(&/,wet,^wait) =/> cold>.", "<cold =/> ill>.", "<(&/,wet,^wait) =/> ill>. %1.00;0.81%"},
    {"<(&/,wet,^wait) =/> cold>.", "<(&/,windy,^wait) =/> cold>?", "<windy =/> wet>?"},
    {"<(&&,wet,windy) ==> cold>.", "<windy ==> cold>.", "wet. %1.00;0.45%"},
    // Rules that bind variables
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
    // Rules that bind dependent variables
    {"(&&,<#1 --> thief>,<#1 --> tall>).", "<max --> thief>.", "<max --> tall>. %1.00;0.43%"},
    {"(&&,<#1 --> thief>,<#1 --> tall>,<#1 --> bald>).", "<max --> bald>.",
     "(&&,<max --> tall>,<max --> thief>). %1.00;0.43%"},
    {"<<$1 --> key> ==> (&&,<#2 --> lock>,<#2 --> (/,opens,$1,_)>)>.", "<iron --> key>.",
     "(&&,<#1 --> lock>,<#1 --> (/,opens,iron,_)>). %1.00;0.81%"},
    {"(&&,<#1 --> lock>,<<$2 --> key> ==> <$2 --> (/,opens,_,#1)>>).", "<gate --> lock>.",
     "<<$1 --> key> ==> <$1 --> (/,opens,_,gate)>>. %1.00;0.43%"},
    // Rules that introduce variables
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
    // Rules that introduce two variables. The second one multiplies the confidence by 0.9.
    {"<ann --> (/,likes,_,bob)>.", "<ann --> (/,knows,_,bob)>.",
     "<<$1 --> (/,knows,_,$2)> ==> <$1 --> (/,likes,_,$2)>>. %1.00;0.40%"},
    {"<ann --> (/,likes,_,bob)>.", "<ann --> (/,knows,_,bob)>.",
     "(&&,<#1 --> (/,knows,_,#2)>,<#1 --> (/,likes,_,#2)>). %1.00;0.73%"},
    {"<ann --> (/,likes,_,bob)>.", "<ann --> (/,knows,_,bob)>.",
     "<<$1 --> (/,knows,_,bob)> ==> <$1 --> (/,likes,_,bob)>>. %1.00;0.45%"},
    // Rules that derive goals
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

std::string joined(const std::vector<Conclusion>& drawn) {
  std::string text;
  for (const Conclusion& one : drawn) text += rounded(one) + "\n";
  return text;
}

struct Inference {
  explicit Inference(const TermLimits& limits = {}) : rules(reading.table, limits) {}

  std::vector<Conclusion> all_of(const std::string& first, const std::string& second = no_second) {
    std::vector<Conclusion> drawn;
    if (second.empty())
      rules.apply(reading.premise(first), drawn);
    else
      rules.apply(reading.premise(first), reading.premise(second), false, drawn);
    return drawn;
  }
  // Whether `text` is a conclusion, in any order of its components.
  bool holds(const std::vector<Conclusion>& drawn, const std::string& text) {
    const narsese::Sentence read = reading.sentence(text);
    const std::string wanted = rounded({read.term, read.punctuation, read.truth_or_default(), 0});
    return std::ranges::any_of(drawn, [&](const Conclusion& one) { return rounded(one) == wanted; });
  }

  Reading reading;
  InferenceRules rules;
};

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

TEST_CASE_METHOD(Inference, "single inference steps give the expected conclusions", "[reasoner][inference]") {
  for (const Step& step : steps) {
    const auto is_judgment = [](const std::string& text) { return text.back() != '?' && text.back() != '!'; };
    const bool first_judges = is_judgment(step.first),
               second_judges = step.second.empty() || is_judgment(step.second);
    INFO(step.first << " " << step.second << " |- " << step.conclusion);
    if (second_judges) {
      const auto drawn = all_of(step.first, step.second);
      INFO("got\n" << joined(drawn));
      CHECK(holds(drawn, step.conclusion));
    }
    if (!step.second.empty() && first_judges) {
      const auto drawn = all_of(step.second, step.first);
      INFO("exchanged, got\n" << joined(drawn));
      CHECK(holds(drawn, step.conclusion));
    }
  }
}

TEST_CASE_METHOD(Inference, "components of larger sets are not used as subjects or predicates",
                 "[reasoner][inference]") {
  const auto nests = [](const std::vector<Conclusion>& drawn, const std::string& text) {
    return joined(drawn).find(text) != std::string::npos;
  };
  // A set of three must not become a component of a set.
  CHECK_FALSE(nests(all_of("<{Venus,Mars,Pluto} --> planet>."), "{{"));
  CHECK_FALSE(nests(all_of("<apple --> [red,round,sweet]>."), "[["));
  // A name inside a larger set must not count as a shared term.
  for (const auto& [first, second] : {std::pair("<tom --> [2,3]>.", "<tom --> [(*,ill,2)]>."),
                                      std::pair("<{2,3} --> odd>.", "<(*,ill,2) --> odd>."),
                                      std::pair("<tom --> {ann,bob}>.", "<tom --> (/,likes,_,ann)>.")})
    for (const Conclusion& one : all_of(first, second)) {
      INFO(rounded(one));
      const std::string text = narsese::print(one.term);
      CHECK(text.find("#2") == std::string::npos);
      CHECK(text.find("$2") == std::string::npos);
    }
  // The premises share the terms {tom} and ann, so the conclusion has a variable for each of them.
  CHECK(holds(all_of("<{tom} --> (/,likes,_,ann)>.", "<{tom} --> (/,knows,_,ann)>."),
              "(&&,<#1 --> (/,knows,_,#2)>,<#1 --> (/,likes,_,#2)>). %1.00;0.73%"));
}

TEST_CASE_METHOD(Inference, "an implication with two conditions takes one fact after the other",
                 "[reasoner][inference]") {
  const std::string rule =
      "<(&&,<(*,$1,$2) --> mother>,<(*,$2,$3) --> parent>) ==> <(*,$1,$3) --> grandmother>>.";
  for (const bool mother_first : {true, false}) {
    const std::string mother = "<(*,eva,ida) --> mother>.", parent = "<(*,ida,uwe) --> parent>.";
    const std::string half = mother_first
                                 ? "<<(*,ida,$1) --> parent> ==> <(*,eva,$1) --> grandmother>>. %1.00;0.81%"
                                 : "<<(*,$1,ida) --> mother> ==> <(*,$1,uwe) --> grandmother>>. %1.00;0.81%";
    const auto drawn = all_of(rule, mother_first ? mother : parent);
    INFO(joined(drawn));
    CHECK(holds(drawn, half));
    const auto whole = all_of(half, mother_first ? parent : mother);
    INFO(joined(whole));
    CHECK(holds(whole, "<(*,eva,uwe) --> grandmother>. %1.00;0.73%"));
  }
  // Facts about different persons give no such conclusion.
  const auto apart =
      all_of("<<(*,ida,$1) --> parent> ==> <(*,eva,$1) --> grandmother>>.", "<(*,leo,uwe) --> parent>.");
  CHECK_FALSE(holds(apart, "<(*,eva,uwe) --> grandmother>. %1.00;0.81%"));
}

TEST_CASE_METHOD(Inference, "no conclusion is trivial, weak, known or repeated", "[reasoner][inference]") {
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

TEST_CASE_METHOD(Inference, "forbidden conclusions are not drawn", "[reasoner][inference]") {
  const struct {
    std::string first, second, forbidden;
  } cases[] = {
      {"<tea --> leaf>.", "<leaf --> tea>.", "<tea --> tea>"},
      {"<tea --> drink>.", "<tea --> drink>. %0.5;0.9%", "<drink <-> drink>"},
      {"<tea --> (&,drink,leaf)>.", "<leaf --> tea>.", "<leaf --> (&,drink,leaf)>"},
      {"<tea --> drink>.", "<tea --> (|,drink,food)>.", "<drink --> (|,drink,food)>"},
      // No detachment by a fact that differs from the condition.
      {"<<tom --> wet> ==> <tom --> cold>>.", "<tom --> dry>.", "<tom --> cold>"},
      // No detachment by a fact that does not unify with the condition.
      {"<<$1 --> wet> ==> <$1 --> cold>>.", "<tom --> dry>.", "<tom --> cold>"},
      {"<<(*,$1,$2) --> wife> ==> <(*,$2,$1) --> husband>>.", "<(*,ann,bob) --> wife>.",
       "<(*,ann,bob) --> husband>"},
      // No conclusion about #1 alone, because both conditions are about one individual.
      {"(&&,<#1 --> thief>,<#1 --> tall>).", "<max --> thief>.", "<#1 --> tall>"},
      // No difference with a low frequency.
      {"<otter --> swimmer>. %0.4;0.9%", "<otter --> fish>. %0.1;0.9%", "<otter --> (-,swimmer,fish)>"},
      // No deduction without confidence.
      {"<tea --> drink>. %0;0.9%", "<drink --> wet>.", "<tea --> wet>"},
  };
  for (const auto& one : cases) {
    const Term forbidden = reading.term(one.forbidden);
    INFO(one.first << " " << one.second << " |- " << one.forbidden);
    for (const auto& drawn : {all_of(one.first, one.second), all_of(one.second, one.first)}) {
      INFO(joined(drawn));
      for (const Conclusion& conclusion : drawn) CHECK_FALSE(conclusion.term == forbidden);
    }
  }
}

TEST_CASE_METHOD(Inference, "detachment does not bind #x of the second premise", "[reasoner][inference]") {
  // Detachment may bind #x of the implication, but not #x of the other premise.
  const auto drawn = all_of("<<tom --> thief> ==> <tom --> guilty>>.", "<#1 --> thief>.");
  INFO(joined(drawn));
  CHECK_FALSE(holds(drawn, "<tom --> guilty>. %1.00;0.81%"));
}

TEST_CASE_METHOD(Inference, "a question with ?x gets only conclusions that match it",
                 "[reasoner][inference]") {
  // Two products follow, but only one matches the question.
  const std::string question = "<(*,oven,bread) --> ?1>?";
  const auto drawn = all_of(question, "<bread --> food>.");
  CHECK(holds(drawn, "<(*,oven,bread) --> (*,oven,food)>. %1.00;0.81%"));
  std::size_t judgments = 0;
  for (const Conclusion& one : drawn)
    if (one.punctuation == Punctuation::judgment) {
      ++judgments;
      CHECK(one.term.subject() == reading.term("(*,oven,bread)"));
    }
  CHECK(judgments == 1);
  for (const Conclusion& one : all_of("<(*,oven,bread) --> pair>?", "<bread --> food>."))
    CHECK(one.punctuation == Punctuation::question);
}

TEST_CASE_METHOD(Inference, "conclusions stay within the limits", "[reasoner][inference]") {
  const TermLimits limits{.max_complexity = 7, .max_depth = 3};
  Inference narrow(limits);
  std::size_t drawn_in_all = 0, too_large = 0;
  for (const Step& a : steps)
    for (const Step& b : steps) {
      const Premise task = narrow.reading.premise(a.first), belief = narrow.reading.premise(b.first);
      // A premise beyond the limits may have parts beyond the limits, so such premises are skipped.
      if (belief.punctuation != Punctuation::judgment || task.term.complexity() > limits.max_complexity ||
          belief.term.complexity() > limits.max_complexity || task.term.depth() > limits.max_depth ||
          belief.term.depth() > limits.max_depth)
        continue;
      std::vector<Conclusion> drawn;
      narrow.rules.apply(task, belief, false, drawn);
      drawn_in_all += drawn.size();
      for (const Conclusion& one : drawn)
        too_large += one.term.complexity() > limits.max_complexity || one.term.depth() > limits.max_depth;
    }
  CHECK(drawn_in_all > 100);
  CHECK(too_large == 0);
  // Wider limits allow this conclusion.
  const std::string a = "<(*,a,b,c) --> r>.", b = "<(*,a,b,c) --> s>.";
  const std::string composed = "<(*,a,b,c) --> (&,r,s)>. %1.00;0.81%";
  CHECK(holds(all_of(a, b), composed));
  CHECK_FALSE(narrow.holds(narrow.all_of(a, b), composed));
}

TEST_CASE("one pair has a bounded number of conclusions", "[reasoner][inference]") {
  Inference wide({.max_complexity = 400, .max_depth = 40});
  std::string many = "(&&";
  for (int i = 0; i < 40; ++i) many += ",<x" + std::to_string(i) + " --> y>";
  const auto drawn = wide.all_of("<" + many + ") ==> z>.", "<" + many + ",<w --> y>) ==> z>.");
  CHECK(drawn.size() <= InferenceRules::max_conclusions);
  CHECK(!drawn.empty());
}

}  // namespace engram::core::inference_tests
