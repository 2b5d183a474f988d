// SPDX-License-Identifier: MIT
#include "experiments/imports/knowledge_writer.hpp"

#include <algorithm>
#include <array>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "core/numbers/work_budget.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/imports/target_names.hpp"
#include "narsese/translator.hpp"

namespace engram::experiments {
namespace {

using narsese::Connector;
using narsese::Copula;
using narsese::Punctuation;
using narsese::Sentence;
using narsese::Term;
using narsese::TruthValue;
using narsese::VariableKind;

// Indices of claims by subject. Contains only claims within groups of names that form a cycle.
using ClaimsOf = std::unordered_map<NameId, std::vector<std::size_t>>;

// Shortest cycle that begins with claim `first`, by breadth-first search.
std::vector<std::size_t> shortest_cycle(const std::vector<Claim>& claims, const ClaimsOf& claims_of,
                                        std::size_t first) {
  const NameId start = claims[first].subject;
  std::unordered_map<NameId, std::size_t> reached_by{{claims[first].object, first}};
  std::vector<NameId> waiting{claims[first].object};
  for (std::size_t next = 0; next < waiting.size() && !reached_by.contains(start); ++next)
    if (const auto of = claims_of.find(waiting[next]); of != claims_of.end())
      for (const std::size_t claim : of->second)
        if (reached_by.try_emplace(claims[claim].object, claim).second)
          waiting.push_back(claims[claim].object);
  std::vector<std::size_t> cycle;
  for (NameId name = start; cycle.empty() || cycle.back() != first; name = claims[cycle.back()].subject)
    cycle.push_back(reached_by.at(name));
  std::ranges::reverse(cycle);
  return cycle;
}

// Cycles of inheritance: one for each strongly connected group of names, as indices of claims in order. The cycle is
// the shortest one through the first claim of the group. Claims of a name about itself are ignored.
// Cost     O(claims) time and memory (strongly connected components, Tarjan 1972)
std::vector<std::vector<std::size_t>> inheritance_cycles(const Knowledge& knowledge) {
  const std::vector<Claim>& claims = knowledge.claims();
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(knowledge.names().size());
  const auto counts = [&](const Claim& claim) {
    return claim.kind == ClaimKind::inheritance && claim.subject != claim.object;
  };
  for (const Claim& claim : claims)
    if (counts(claim)) add_edge(claim.subject, claim.object, graph);
  std::vector<std::size_t> group(knowledge.names().size());
  boost::strong_components(graph,
                           boost::make_iterator_property_map(group.begin(), get(boost::vertex_index, graph)));

  ClaimsOf claims_of;
  std::vector<std::size_t> firsts;
  std::unordered_set<std::size_t> seen;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (!counts(claims[i]) || group[claims[i].subject] != group[claims[i].object]) continue;
    claims_of[claims[i].subject].push_back(i);
    if (seen.insert(group[claims[i].subject]).second) firsts.push_back(i);
  }
  std::vector<std::vector<std::size_t>> cycles;
  for (const std::size_t first : firsts) cycles.push_back(shortest_cycle(claims, claims_of, first));
  return cycles;
}

class KnowledgeWriter {
 public:
  KnowledgeWriter(const Knowledge& knowledge, const WritingOptions& options)
      : knowledge_(knowledge),
        options_(options),
        translator_(terms_, options.to),
        names_(target_names(knowledge, options.to)),
        individual_(knowledge.names().size()) {
    for (const Claim& claim : knowledge.claims())
      if (claim.kind == ClaimKind::instance) individual_[claim.subject] = true;
    for (const Claim& claim : knowledge.claims()) {
      if (claim.kind == ClaimKind::instance || claim.kind == ClaimKind::inheritance)
        individual_[claim.object] = false;
      if (claim.kind == ClaimKind::inheritance) individual_[claim.subject] = false;
      if (claim.kind == ClaimKind::relation) individual_[claim.relation] = false;
    }
  }

  WrittenKnowledge write(const std::vector<CompositionRule>& rules, const std::vector<AskedFact>& questions) {
    for (const Claim& claim : knowledge_.claims()) write_claim(claim);
    for (const CompositionRule& rule : rules) write_rule(rule);
    for (const AskedFact& question : questions) write_question(question, rules);
    report_cycles();
    std::string statements = std::move(written_.text);
    written_.text.clear();
    write_head();
    written_.text += statements;
    return std::move(written_);
  }

 private:
  void write_head() {
    comment(legible(options_.heading));
    for (const Knowledge::File& file : knowledge_.files())
      comment("SHA-256 of " + legible(file.name) + ": " + file.sha256);
    for (const std::string& remark : knowledge_.remarks) comment(legible(remark));
    written_.names = names_.size();
    for (NameId id = 0; id < names_.size(); ++id)
      if (names_[id] != knowledge_.names()[id].source) ++written_.renamed;
    comment(std::to_string(written_.statements) + " statements of " + std::to_string(written_.names) +
            " names, of which " + std::to_string(written_.renamed) + " are called otherwise in the source" +
            (written_.renamed > 0 ? ":" : ""));
    for (NameId id = 0; id < names_.size(); ++id) {
      if (names_[id] == knowledge_.names()[id].source) continue;
      for (const std::string& line : name_lines(names_[id], knowledge_.names()[id].source)) comment(line);
    }
  }

  void comment(const std::string& text) {
    core::charge(100);
    narsese::NalLine line;
    line.kind = narsese::NalLine::Kind::comment;
    line.text = "//" + text;
    written_.text += translator_.line(line)->text + '\n';
    reserve_memory();
  }

  // Translates a sentence. If the target does not support the sentence, reports an error and returns nothing.
  std::optional<std::string> translated(const Sentence& sentence, Place place) {
    core::charge(1000);
    auto translation = translator_.sentence(sentence);
    if (!translation) {
      knowledge_.error(place, translation.error().message);
      return {};
    }
    for (const std::string& warning : translation->warnings) knowledge_.warning(place, warning, warning);
    return std::move(translation->text);
  }

  // Reserves the memory of the text (twice, because it is joined with its head), the terms, and the set of written
  // terms.
  void reserve_memory() {
    constexpr std::size_t batch_bytes = std::size_t{1} << 20, bytes_a_statement = 64;
    const std::size_t bytes =
        2 * written_.text.size() + terms_.memory_bytes() + bytes_a_statement * written_terms_.size();
    if (bytes < reserved_ + batch_bytes) return;
    core::Reservation(bytes - reserved_).keep();
    reserved_ = bytes;
  }

  bool write_sentence(const Sentence& sentence, Place place) {
    const auto text = translated(sentence, place);
    if (text)
      written_.text += *text + '\n';
    else
      ++written_.refused;
    reserve_memory();
    return text.has_value();
  }

  void write_claim(const Claim& claim) {
    if (claim.subject == claim.object &&
        (claim.kind == ClaimKind::inheritance || claim.kind == ClaimKind::similarity)) {
      ++written_.reflexive;
      return;
    }
    const Term term = term_of(claim);
    if (!written_terms_.insert(term).second) {
      ++written_.repeated;
      return;
    }
    written_.statements += write_sentence({term, Punctuation::judgment, {}, options_.truth, {}}, claim.place);
  }

  void write_rule(const CompositionRule& rule) {
    const auto share = static_cast<double>(rule.support) / static_cast<double>(rule.pairs);
    comment(names_[rule.first] + " . " + names_[rule.second] + " -> " + names_[rule.result] + ": support " +
            std::to_string(rule.support) + " of " + std::to_string(rule.pairs) + " pairs");
    const auto rounded = [](double value) { return std::round(value * 100) / 100; };
    const auto pairs = static_cast<double>(rule.pairs);
    const TruthValue truth{rounded(share), std::min(narsese::max_confidence, rounded(pairs / (pairs + 1)))};
    const Place nowhere{};  // a rule has no place in a source, so errors refer to line 1
    written_.statements += write_sentence({term_of(rule), Punctuation::judgment, {}, truth, {}}, nowhere);
  }

  void write_question(const AskedFact& asked, const std::vector<CompositionRule>& rules) {
    const Claim& question = asked.fact;
    const auto answer = translated({term_of(question), Punctuation::judgment, {}, {}, {}}, question.place);
    std::vector<std::vector<std::string>> proofs;
    for (const AskedFact::Proof& proof : asked.proofs)
      if (auto premises = premises_of(proof, rules)) proofs.push_back(*std::move(premises));
    if (!answer || (asked.holds && proofs.empty())) return;  // translated() has reported the error
    const Term asked_term =
        asked.asks_relation ? related(individual(question.subject), terms_.variable(VariableKind::query, 1),
                                      individual(question.object))
                            : term_of(question);
    if (!write_sentence({asked_term, Punctuation::question, {}, {}, {}}, question.place)) return;
    comment("expected: Answer: " + (asked.holds ? *answer : std::string("None.")));
    for (std::size_t i = 0; i < proofs.size(); ++i) {
      if (i > 0) comment("or:");
      for (const std::string& premise : proofs[i]) comment("needed: " + premise);
    }
  }

  // Translates the premises of a proof to text. Returns nothing if the target does not support a premise.
  std::optional<std::vector<std::string>> premises_of(const AskedFact::Proof& proof,
                                                      const std::vector<CompositionRule>& rules) {
    std::vector<Term> terms;
    for (const Claim& claim : proof.claims) terms.push_back(term_of(claim));
    if (proof.rule) terms.push_back(term_of(rules.at(*proof.rule)));
    std::vector<std::string> premises;
    for (const Term& term : terms)
      if (auto text = translated({term, Punctuation::judgment, {}, {}, {}}, proof.claims.front().place))
        premises.push_back(*std::move(text));
      else
        return {};
    return premises;
  }

  void report_cycles() const {
    for (const std::vector<std::size_t>& cycle : inheritance_cycles(knowledge_)) {
      constexpr std::size_t most = 10;
      std::string way;
      for (std::size_t i = 0; i < std::min(cycle.size(), most); ++i)
        way += names_[knowledge_.claims()[cycle[i]].subject] + " --> ";
      if (cycle.size() > most) way += "... --> ";
      const Claim& first = knowledge_.claims()[cycle.front()];
      knowledge_.warning(first.place, "cyclic inheritance, all of it written: " + way + names_[first.subject],
                         "cyclic inheritance");
    }
  }

  Term individual(NameId id) {
    const Term atom = terms_.atom(names_[id]);
    return individual_[id] ? braced(atom) : atom;
  }
  Term braced(Term atom) { return terms_.compound(Connector::extensional_set, {{atom}}); }
  Term related(Term subject, Term relation, Term object) {
    const std::array pair{subject, object};
    return terms_.statement(Copula::inheritance, terms_.compound(Connector::product, pair), relation);
  }

  Term term_of(const Claim& claim) {
    const Term object = individual(claim.object);
    switch (claim.kind) {
      case ClaimKind::inheritance:
        return terms_.statement(Copula::inheritance, individual(claim.subject), object);
      case ClaimKind::instance:
        return terms_.statement(Copula::inheritance, braced(terms_.atom(names_[claim.subject])), object);
      case ClaimKind::similarity:
        return terms_.statement(Copula::similarity, individual(claim.subject), object);
      default:
        return related(individual(claim.subject), terms_.atom(names_[claim.relation]), object);
    }
  }

  Term term_of(const CompositionRule& rule) {
    const Term x = terms_.variable(VariableKind::independent, 1);
    const Term y = terms_.variable(VariableKind::dependent, 1);
    const Term z = terms_.variable(VariableKind::independent, 2);
    const std::array premises{related(x, terms_.atom(names_[rule.first]), y),
                              related(y, terms_.atom(names_[rule.second]), z)};
    return terms_.statement(Copula::implication, terms_.compound(Connector::conjunction, premises),
                            related(x, terms_.atom(names_[rule.result]), z));
  }

  struct Hash {
    std::size_t operator()(Term term) const { return term.hash(); }
  };

  const Knowledge& knowledge_;
  const WritingOptions& options_;
  narsese::TermTable terms_;
  narsese::Translator translator_;
  std::vector<std::string> names_;
  std::vector<bool> individual_;  // by NameId: whether the name is written in braces
  std::unordered_set<Term, Hash> written_terms_;
  WrittenKnowledge written_;
  std::size_t reserved_ = 0;  // bytes reserved
};

}  // namespace

WrittenKnowledge write_knowledge(const Knowledge& knowledge, const std::vector<CompositionRule>& rules,
                                 const std::vector<AskedFact>& questions, const WritingOptions& options) {
  return KnowledgeWriter(knowledge, options).write(rules, questions);
}

}  // namespace engram::experiments
