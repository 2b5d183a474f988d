// SPDX-License-Identifier: MIT
// Generators of knowledge and questions with known proofs: families, relation chains, taxonomies, events, theories and
// compositions. A set depends only on the arguments. The needed statements of a question are its shortest proof: the
// fewest distinct statements of the set that prove the answer. Questions whose shortest proof is not unique are
// skipped. Successive questions have proofs of different sizes. A set has fewer questions than requested if too few
// exist.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace engram::experiments {

/// A question with its answer and the premises of its shortest proof.
struct ProvenQuestion {
  std::string question;             // such as <(p1 * p2) --> ?1>
  std::string answer;               // such as <(p1 * p2) --> grandfather>
  std::vector<std::size_t> needed;  // indices into the statements, ascending
};

/// Statements in order, and questions about them.
struct ProofSet {
  std::vector<std::string> statements;  // terms, without punctuation and truth value
  std::vector<std::string> truths;      // of each statement: empty, or a text such as " %0.0;0.9%"
  std::vector<ProvenQuestion> questions;
};

/// Generates families of seven people in three generations: six facts for each family, and four rules that derive
/// grandparents from parents. The questions need two facts and a rule. All families share the four relation words, so
/// only the people identify the premises of a question. Every question has exactly one proof.
/// Shapes   size statements, rounded down to 4 rules and 6 facts for each of a whole number of families (at least one)
/// Errors   std::invalid_argument if size is below 10
ProofSet generate_families(std::size_t size, std::uint64_t seed, std::size_t questions = 40);

/// Options of generate_chains() and generate().
struct ChainOptions {
  std::size_t size = 1000;         // statements, at least 100: rules and groups of facts
  std::size_t groups = 0;          // number of groups of people; 0: the most that fit into `size`
  std::size_t questions = 40;      // fewer if not enough can be found
  int relations = 10, rules = 40;  // at most 64 rules
  int people = 8, facts = 12;      // in each group; facts at most people (people - 1) / 4
  double cross_links = 0.1;        // share of facts with a person of another group
  double noise = 0.05;             // share of contradicted facts; also denied facts per fact
  int shortest = 2, longest = 4;   // facts in a chain, at most 6
  bool shared_words = false;       // for generate_theories()
  bool both_ways = false;          // for generate_compositions()
  bool joined = false;             // for generate_compositions()
};

/// Generates relation chains, the hardest kind of set. Rules have the form
/// <(<($1 * #2) --> a> && <(#2 * $3) --> b>) ==> <($1 * $3) --> c>>. The pairs (a, b) are distinct and c is random, so
/// a proof uses few of the rules. Groups of people have random facts. Some facts are about people of other groups, some
/// are denied (%0;0.9%), and some are both asserted and contradicted (%0;0.6%). Proofs use neither denied nor
/// contradicted facts.
///   question   about two people that no fact relates. One half of the questions asks for the relation,
///              <(x * y) --> ?1>; the other half asks whether a relation holds, <(x * y) --> c>
///   proof      a chain of facts from one person to the other that visits each person once, and the rules that join the
///              facts, with any bracketing. For the relation, the shortest proof is unique over all relations
/// Errors   std::invalid_argument for options out of range
/// Cost     O(size), and for each question a search of the chains from some tens of people
ProofSet generate_chains(const ChainOptions& options, std::uint64_t seed);

/// Generates taxonomies: trees of classes <c12 --> c3>, individuals <{i7} --> c12>, and properties of classes,
/// <c3 --> [p5]>. A tree has about 25 statements; the set has at least one tree. All trees share up to twenty
/// properties. A property may be stated of several classes, and denied (%0;0.9%) of some classes of the same tree. Some
/// individuals are in a second class, of any tree.
///   question   <{i7} --> [p5]>, only if no class above the individual is denied the property
///   proof      the 1 to 4 inheritances from the individual to a class, and the property of the class
/// Shapes   exactly size statements, at least one question
/// Errors   std::invalid_argument if size is below 10
/// Cost     O(size log size)
ProofSet generate_taxonomies(std::size_t size, std::uint64_t seed, std::size_t questions = 40);

/// Generates chains of events <e1 =/> e2>, with confidences from 0.45 to 0.9. Three links in ten need an operation:
/// <(&/, e1, ^o3) =/> e2>. A chain has 6 to 8 events, and may share one event with another chain. At least half of the
/// links are distractors: links to dead ends, links from events without causes, and detours of two links around one
/// link of a chain.
///   question   <e1 =/> e5>, or <(&/, e1, ^o3) =/> e5> if one of the links needs an operation. Paths with several
///              operations are skipped
///   proof      the 2 to 5 links of the path
/// Shapes, Errors, Cost   as generate_taxonomies; groups of about 20 statements
ProofSet generate_events(std::size_t size, std::uint64_t seed, std::size_t questions = 40);

/// Mean number of statements of a tree, a group of events, and a theory. Use them to convert a number of groups to a
/// size.
inline constexpr std::size_t tree_size = 25, event_group_size = 20, theory_size = 18;

/// Generates theories about four individuals {p1} and two things t1, with attributes [a1] and relations r1. A theory
/// consists of facts, and of rules with one to four conditions such as
/// <(&&, <(*, $1, $2) --> r1>, <$2 --> [a2]>) ==> <(*, $1, {p18}) --> r4>>. About one rule in five has no variables.
/// A theory has at least two distractors: a fact with a word that proofs use for other names, and a rule with the words
/// of the theory that no facts satisfy.
///   question   <{p1} --> [a1]> or <(*, {p1}, {p2}) --> r1>, which no statement states
///   proof      a tree of rule uses with a depth of 1 to 5 and at most 20 statements. If the depth is at least 2, some
///              rule has at least two derived conditions
/// With `shared_words`, all theories draw from one pool of two attributes and one relation for each theory. A word then
/// belongs to about six theories, and rules of one may apply to individuals of another. Otherwise each theory has its
/// own words.
/// Shapes   15 to 20 statements for each of options.groups theories. A rule that two theories share occurs once. 0
///          groups mean size / 18 theories, at least one
/// Cost     O(size log size); for each question, proof searches for some candidates (ProofGraph)
ProofSet generate_theories(const ChainOptions& options, std::uint64_t seed);

/// Generates stories of 18 persons and 17 facts <(*, p1, p2) --> r1>, and 60 rules that all stories share:
/// <(&&, <(*, $1, $2) --> a>, <(*, $2, $3) --> b>) ==> <(*, $1, $3) --> c>>. In each story, 12 facts form a chain of 13
/// persons. The other five are distractors that lead from the chain or to it.
///
/// Relations are the elements other than the identity of the dicyclic group of order 12. A rule stands for c = a b. The
/// 60 rules are random ones of the 110 products that are not the identity. Therefore every bracketing that the rules
/// permit gives the same relation, and two persons have only one relation.
///   both_ways  also adds a fact b(y, x) for each fact a(x, y), where b is the inverse of a. Chains can then follow
///              facts in either direction, by the same rules
///   joined     lets each story but the first share one person with an earlier one, so the facts form a tree. Otherwise
///              they form one tree for each story
///   question   <(*, x, y) --> ?1>, about two persons joined by a chain of 2 to 10 facts
///   proof      facts and rules with any bracketing. The proof may leave the chain and return
/// Shapes   60 rules, and 17 facts (34 with both_ways) for each of options.groups stories. 0 groups mean the number of
///          stories that fit into `size`, at least one
/// Cost     as generate_theories
ProofSet generate_compositions(const ChainOptions& options, std::uint64_t seed);

/// Names of the kinds of sets that generate() accepts.
inline const std::vector<std::string> proof_kinds{"families", "chains",   "taxonomies",
                                                  "events",   "theories", "compositions"};
/// Generates a set of a kind in proof_kinds. Families, taxonomies and events use only `questions`, and `groups` or (if
/// that is 0) `size` of the options. Theories and compositions also use their flags.
ProofSet generate(const std::string& kind, const ChainOptions& options, std::uint64_t seed);

/// Writes a .nal file: the statements, then the questions with //expected: and //needed: lines.
void write_nal(std::ostream& out, const ProofSet& set, const std::string& heading);

}  // namespace engram::experiments
