// SPDX-License-Identifier: MIT
// Generators of knowledge and questions with known proofs: families, relation chains, taxonomies, events, theories and
// compositions.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace engram::experiments {

/// A question with its answer and the premises of its shortest proof.
struct ProvenQuestion {
  std::string question;             // <(p1 * p2) --> ?1>
  std::string answer;               // <(p1 * p2) --> grandfather>
  std::vector<std::size_t> needed;  // indices into the statements, ascending
};

/// Statements in order, and questions about them.
struct ProofSet {
  std::vector<std::string> statements;  // terms
  std::vector<std::string> truths;      // one for each statement: empty, or as " %0.0;0.9%"
  std::vector<ProvenQuestion> questions;
};

/// Generates families of seven people in three generations: six facts for each, and four rules that derive grandparents
/// from parents. The questions need two steps. All families share the four relation words, so only the people identify
/// the premises of a question. Every question has exactly one proof.
/// Shapes   size statements, rounded down to whole families (at least one): 4 + 6 families
/// Errors   std::invalid_argument if size is below 10
ProofSet generate_families(std::size_t size, std::uint64_t seed, std::size_t questions = 40);

struct ChainOptions {
  std::size_t size = 1000;         // statements, at least 100: rules and groups of facts
  std::size_t groups = 0;          // number of groups; 0: as many as fit into `size`
  std::size_t questions = 40;      // fewer if not enough can be found
  int relations = 10, rules = 40;  // at most 64 rules
  int people = 8, facts = 12;      // in each group; facts at most people (people - 1) / 4
  double cross_links = 0.1;        // share of facts with a person of another group
  double noise = 0.05;             // denied facts for each fact, and the same number of contradicted facts
  int shortest = 2, longest = 4;   // facts in a chain, at most 6
  bool shared_words = false;       // for theories
  bool both_ways = false;          // for compositions
  bool joined = false;             // for compositions
};

/// Generates relation chains, the hard set. Rules have the form
/// <(<($1 * #2) --> a> && <(#2 * $3) --> b>) ==> <($1 * $3) --> c>>. The pairs (a, b) are distinct and c is random, so
/// a proof uses few of the rules. Groups of people have random facts, some of them about people of other groups. Some
/// facts are denied (%0;0.9%), and some are asserted and later contradicted (%0;0.6%). Proofs use neither, but both
/// resemble other facts.
///   question   about two people that no fact relates; chain lengths take turns. Half are open and ask for the
///              relation, <(x * y) --> ?1>; half ask whether a relation holds, <(x * y) --> c>
///   proof      k facts that lead from one person to the other without repeating a person, and the rules that join
///              them, with any bracketing. Shortest: fewest statements; a rule used twice counts once. For an open
///              question, over all relations. Questions without a unique shortest proof are skipped, so that the needed
///              statements are well defined
/// Errors   std::invalid_argument for options out of range
/// Cost     O(size), and for each question a search of the chains from some tens of people
ProofSet generate_chains(const ChainOptions& options, std::uint64_t seed);

/// Generates taxonomies: trees of classes <c12 --> c3>, individuals <{i7} --> c12>, and properties of classes,
/// <c3 --> [p5]>. Each tree has about 25 statements; there is at least one tree. All trees share up to twenty
/// properties. A property may be stated of several classes, and denied (%0;0.9%) of some classes of the same tree. Some
/// individuals are in a second class, of any tree.
///   question   <{i7} --> [p5]>, only if no class above the individual is denied the property
///   proof      1 to 4 inheritances (taking turns) to a class that has the property. Shortest: fewest statements.
///              Questions without a unique shortest proof are skipped
/// Shapes   exactly size statements; fewer questions if the seed has fewer, but at least one
/// Errors   std::invalid_argument if size is below 10
/// Cost     O(size log size)
ProofSet generate_taxonomies(std::size_t size, std::uint64_t seed, std::size_t questions = 40);
/// Mean number of statements of a tree, a group of events, and a theory. Use them to convert a number of groups to a
/// size.
inline constexpr std::size_t tree_size = 25, event_group_size = 20, theory_size = 18;

/// Generates chains of events <e1 =/> e2>, with confidences from 0.45 to 0.9. Three links in ten need an operation:
/// <(&/, e1, ^o3) =/> e2>. A chain has 6 to 8 events, and may share one with another chain. At least the same number of
/// links are distractors: to dead ends, from events without causes, or detours of two links around one.
///   question   <e1 =/> e5>, or <(&/, e1, ^o3) =/> e5> if one of the links needs an operation. Paths with several
///              operations are skipped
///   proof      the 2 to 5 links of the path, taking turns. Shortest: fewest links, whatever their confidence and
///              operation. Questions without a unique shortest proof are skipped
/// Shapes, Errors, Cost   as generate_taxonomies; groups of about 20 statements
ProofSet generate_events(std::size_t size, std::uint64_t seed, std::size_t questions = 40);

/// Generates theories about four individuals {p1} and two things t1, with attributes [a1] and relations r1. A theory
/// consists of facts, and of rules with one to four conditions such as
/// <(&&, <(*, $1, $2) --> r1>, <$2 --> [a2]>) ==> <(*, $1, {p18}) --> r4>>. About one rule in five has no variable.
/// Each theory has at least two distractors: a fact that states of a name what proofs state of other names, and a rule
/// with the words of the theory that no facts satisfy.
///   shared_words   all theories draw from one pool of two attributes and one relation for each theory. A word then
///                  belongs to about six theories, and rules of one may apply to individuals of another. By default
///                  each theory has its own words
///   question       <{p1} --> [a1]> or <(*, {p1}, {p2}) --> r1>, which no statement states
///   proof          of depth 1 to 5, taking turns; the depth is the longest chain of rule uses. From depth 2 on, some
///                  rule has at least two derived conditions. Shortest: fewest distinct statements, at most 20, over
///                  all statements of the set. Questions without a unique shortest proof are skipped
/// Shapes   15 to 20 statements for each of options.groups theories; a rule that two theories share occurs once. 0
///          groups: size / 18 theories, at least one. Fewer questions if the set has fewer
/// Cost     O(size log size); for each question, proof searches for some candidates (ProofGraph)
ProofSet generate_theories(const ChainOptions& options, std::uint64_t seed);

/// Generates stories of 18 persons and 17 facts <(*, p1, p2) --> r1>, and 60 rules that all stories share:
/// <(&&, <(*, $1, $2) --> a>, <(*, $2, $3) --> b>) ==> <(*, $1, $3) --> c>>. In each story, 12 facts form a chain of 13
/// persons. The other five are distractors that lead from it or to it.
///   relations  the 11 elements of the dicyclic group of order 12, without the identity. A rule says c = a b; the 60
///              are drawn from the 110 products that are not the identity. Every bracketing that the rules permit
///              therefore gives the same relation, and two persons have only one relation
///   both_ways  for each fact a(x, y), also add b(y, x), with b the inverse of a. Chains then follow facts in either
///              direction, by the same rules, because inverses are among the relations
///   joined     each story but the first shares one person with an earlier one. The facts then form a tree, otherwise a
///              forest with one tree for each story
///   question   <(*, x, y) --> ?1>, about two persons joined by a chain of 2 to 10 facts; lengths take turns
///   proof      facts and rules, composed with any bracketing. Shortest: fewest distinct statements of all proofs, also
///              of those that leave the chain and return. Questions without a unique shortest proof are skipped
/// Shapes   60 rules, and 17 facts (34 with both_ways) for each of options.groups stories; 0 groups: the number of
///          stories that fit into `size`, at least one. Fewer questions if the set has fewer
/// Cost     O(size log size); for each question, proof searches for some candidates (ProofGraph)
ProofSet generate_compositions(const ChainOptions& options, std::uint64_t seed);

inline const std::vector<std::string> proof_kinds{"families", "chains",   "taxonomies",
                                                  "events",   "theories", "compositions"};
/// Generates a set of one of these kinds. Families, taxonomies and events use only `questions`, and `groups` or (if
/// that is 0) `size` of the options. Theories and compositions also use their flags.
ProofSet generate(const std::string& kind, const ChainOptions& options, std::uint64_t seed);

/// Writes a .nal file: the statements, then the questions with //expected: and //needed: lines.
void write_nal(std::ostream& out, const ProofSet& set, const std::string& heading);

}  // namespace engram::experiments
