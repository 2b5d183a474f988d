// SPDX-License-Identifier: MIT
// The operations on the memory of a session.
#include "bridge/operations/operations.hpp"
#include "bridge/snapshots/snapshot.hpp"
#include "core/budgets/budget_allocator.hpp"
#include "core/events/operation_desires.hpp"
#include "core/methods/method.hpp"
#include "core/reasoner/question_answering.hpp"
#include "core/session/view.hpp"
#include "narsese/link_judgement.hpp"

namespace engram::bridge {

std::vector<Operation> memory_operations() {
  using namespace fields;
  constexpr std::size_t default_top = 10, default_steps = 2000;
  const core::AllocationOptions allocation;
  const core::ViewOptions view;
  const auto cue = [] { return other("cue", "Narsese, or terms with activations", "cue").required(); };
  const auto method = [] {
    return text("method", "name of the method that ranks concepts and statements", "method")
        .or_else(core::default_method);
  };
  const auto options = [] { return other("options", "options of the method, by name", "options"); };
  const auto capacity = [] { return whole("capacity", "most budgets to return").required(); };
  // clang-format off
  return {
      {"hello", "Returns the version, the dialects, the methods and the limits of the server.", {},
       R"({"op":"hello"})", run::hello},
      {"input", "Reads lines of Narsese. Valid lines are learnt even if others are rejected.",
       {text("narsese", "one or more lines", "narsese").required(),
        choice("dialect", "syntax of the lines", run::dialect_names()).or_else("auto")},
       R"({"op":"input","narsese":"<tim --> cat>.\n<cat --> animal>.\n<rex --> dog>.\n<rex --> "})",
       run::input, Use::change},
      {"recall", "Returns the concepts that a method activates for a cue, most active first.",
       {cue(), method(), options(), whole("top", "most concepts to return").or_else(default_top)},
       R"({"id":7,"op":"recall","cue":"<tim --> animal>?","top":3})", run::recall, Use::index},
      {"explain",
       "Recalls and explains the budgets of the best concepts and statements by sums, proofs and paths.",
       {cue(), method(), options(),
        whole("top", "most concepts and statements to explain").or_else(default_top)},
       R"({"op":"explain","cue":"<tim --> animal>?","top":1})", run::explain, Use::index},
      {"allocate",
       "Divides attention among the concepts or statements that a method ranks highest for a cue.",
       {choice("of", "kind of items", {"concepts", "statements"}).required(), cue(), method(), options(),
        capacity(),
        choice("prior", "previous: shares p ~ q^d exp(s/T) from the last shares q and the scores s",
               {"none", "previous"}).or_else("none"),
        choice_in("prior_form", "divergence from the prior: kl, or one with sparse results",
                  core::prior_forms, allocation.update.form),
        number("alpha", "parameter of the prior form alpha", 1, 1000).or_else(allocation.update.alpha),
        positive("temperature", "T of a prior, and of the selection `budget`")
            .or_else(allocation.update.temperature),
        share("durability", "d of the items; if absent, the confidence of each item's evidence"),
        share("fresh", "share of the prior that all items get equally, so that new ones can enter")
            .or_else(allocation.fresh),
        choice_in("select",
                  "top: the best items; budget: one place each at most; threshold: by least share",
                  core::selections, allocation.cut.selection),
        share("threshold", "least share of the total, for the selection `threshold`"),
        share("share", "least share of the largest budget; smaller ones are dropped")
            .or_else(allocation.cut.share),
        other("policy", "which kinds of concepts hold, pass on or ignore budgets", "policy"),
        whole("transfers", "most transfers between items to return")},
       R"({"op":"allocate","cue":"<tim --> animal>?","of":"statements","capacity":2})", run::allocate,
       Use::index, run::keep_budget},
      {"allocate",
       "Ranks operators by how much a goal desires them now, by <(e &/ ^op) =/> goal> and recent events.",
       {choice("of", "kind of items", {"operations"}).required(),
        text("cue", "the goal, as a sentence or a term; its default truth is 1.0;0.9").required(), capacity(),
        positive("eligibility", "cycles until the confidence of an event has fallen to 1/e")
            .or_else(core::OperationDesireOptions().eligibility)},
       R"({"op":"allocate","cue":"<tim --> [fed]>!","of":"operations","capacity":2})",
       run::allocate_operations, Use::index},
      {"compare", "Recalls with several methods for one cue and measures how well they agree.",
       {cue(), other("methods", "names of the methods", "methods").required(),
        whole("top", "most concepts to return for each method").or_else(default_top)},
       R"({"op":"compare","cue":"tim","methods":["proof_attention","hopfield"],"top":2})", run::compare,
       Use::index},
      {"reason", "Answers a question by inference from the statements that a method ranks highest.",
       {text("question", "Narsese that ends in ? or @").required(), method(), options(),
        whole("gate", "most statements that the reasoner gets; all if absent"),
        whole("steps", "most inference steps").or_else(default_steps),
        whole("refresh", "steps between rankings; each one includes the conclusions so far")
            .or_else(core::default_refresh),
        whole("events", "most inferences to return, first ones first"),
        whole("answers", "most different answers to return, best first; otherwise the nearest sentences"),
        whole("top", "most statements given to the reasoner to return, with their budgets")},
       R"({"op":"reason","question":"<tim --> animal>?"})", run::reason, Use::index},
      {"links", "Returns the Hebbian links that have evidence, strongest first.",
       {text("term", "return only links of this term"), whole("top", "most links to return; all if absent"),
        choice("as", "format of the links", {"json", "narsese"}).or_else("json"),
        text("relation", "name of the relation in Narsese", "name")
            .or_else(std::string(narsese::link_relation))},
       R"({"op":"links","top":1})", run::links, Use::memory},
      {"stats", "Returns the size of the memory, its limits, and statistics of forgetting.", {},
       R"({"op":"stats"})", run::stats, Use::memory},
      // The limits are chosen: more than a page can show.
      {"view", "Returns the concepts of highest priority and the strongest links between them, for displays.",
       {whole("top", "most concepts to return", 1, 2000).or_else(view.concepts),
        whole("links", "most links to return", 0, 10'000).or_else(view.links),
        other("since", "version that the client has; an unchanged memory is not sent again", "version")},
       R"({"op":"view","top":1,"links":1})", run::view, Use::glance},
      {"snapshot", "Writes the memory and the stored budgets to a file.",
       {text("path", "file to write", "name").required(),
        choice_in("form", "json: lines of JSON. binary: arrays of bytes, which load faster", snapshot_forms,
                  SnapshotForm::json)},
       R"({"op":"snapshot","path":"memory.jsonl"})", run::snapshot, Use::memory},
      {"reset", "Clears the memory, but keeps the options and limits.", {}, R"({"op":"reset"})", run::reset,
       Use::change},
      {"restore", "Loads a snapshot, which replaces memory, options and budgets but not the limits.",
       {text("path", "file to read", "name").required()},
       R"({"op":"restore","path":"memory.jsonl"})", run::restore, Use::change},
      {"quit", "Ends the conversation of this client.", {}, R"({"op":"quit"})", run::quit},
  };
  // clang-format on
}

}  // namespace engram::bridge
