// SPDX-License-Identifier: MIT
#include "experiments/imports/knowledge_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "core/numbers/work_budget.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/imports/cycles.hpp"
#include "experiments/imports/name_table.hpp"
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
    tell_cycles();
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
    claim_what_is_made();
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
  void claim_what_is_made() {
    constexpr std::size_t worth_a_claim = std::size_t{1} << 20, bytes_a_statement = 64;
    const std::size_t bytes =
        2 * written_.text.size() + terms_.memory_bytes() + bytes_a_statement * said_.size();
    if (bytes < claimed_ + worth_a_claim) return;
    core::Reservation(bytes - claimed_).keep();
    claimed_ = bytes;
  }

  bool write_sentence(const Sentence& sentence, Place place) {
    const auto text = translated(sentence, place);
    if (text)
      written_.text += *text + '\n';
    else
      ++written_.refused;
    claim_what_is_made();
    return text.has_value();
  }

  void write_claim(const Claim& claim) {
    if (claim.subject == claim.object &&
        (claim.kind == ClaimKind::inheritance || claim.kind == ClaimKind::similarity)) {
      ++written_.reflexive;
      return;
    }
    const Term term = term_of(claim);
    if (!said_.insert(term).second) {
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
    const Place nowhere{};  // a rule has no line; errors refer to the first one
    written_.statements += write_sentence({term_of(rule), Punctuation::judgment, {}, truth, {}}, nowhere);
  }

  void write_question(const AskedFact& asked, const std::vector<CompositionRule>& rules) {
    const Claim& question = asked.fact;
    const auto answer = translated({term_of(question), Punctuation::judgment, {}, {}, {}}, question.place);
    std::vector<std::vector<std::string>> proofs;
    for (const AskedFact::Proof& proof : asked.proofs)
      if (auto premises = premises_of(proof, rules)) proofs.push_back(*std::move(premises));
    if (!answer || (asked.holds && proofs.empty())) return;  // already reported
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

  // Premises of a proof as text, or nothing if the target does not support one of them.
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

  void tell_cycles() const {
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
  std::vector<bool> individual_;  // names written in braces
  std::unordered_set<Term, Hash> said_;
  WrittenKnowledge written_;
  std::size_t claimed_ = 0;  // bytes reserved
};

}  // namespace

WrittenKnowledge write_knowledge(const Knowledge& knowledge, const std::vector<CompositionRule>& rules,
                                 const std::vector<AskedFact>& questions, const WritingOptions& options) {
  return KnowledgeWriter(knowledge, options).write(rules, questions);
}

}  // namespace engram::experiments
