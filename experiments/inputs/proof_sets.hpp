// SPDX-License-Identifier: MIT
// Generated knowledge whose questions have known proofs: families, chains of relations, taxonomies, events,
// theories, compositions.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace engram::experiments {

/// A question and the premises of its shortest proof.
struct ProvenQuestion {
  std::string question;             // <(p1 * p2) --> ?1>
  std::string answer;               // <(p1 * p2) --> grandfather>
  std::vector<std::size_t> needed;  // indices into the statements, ascending
};

/// What is said, in its order, and what is asked.
struct ProofSet {
  std::vector<std::string> statements;  // terms
  std::vector<std::string> truths;      // of each: empty for the default, or as " %0.0;0.9%"
  std::vector<ProvenQuestion> questions;
};

/// Families of seven people over three generations: six facts each, four rules that make grandparents of
/// parents of parents, and questions of two steps. All families share the four relation words, so of a
/// question's premises only the people are its own. Every question has one proof, and it is the only one.
/// Shapes   size statements, rounded down to whole families (at least one): 4 + 6 families
/// Errors   std::invalid_argument if size is below 10
ProofSet generate_families(std::size_t size, std::uint64_t seed, std::size_t questions = 40);

struct ChainOptions {
  std::size_t size = 1000;         // statements, at least 100: rules, and facts in groups
  std::size_t groups = 0;          // 0: as many as `size` has room for
  std::size_t questions = 40;      // fewer where so many cannot be found
  int relations = 10, rules = 40;  // at most 64 rules
  int people = 8, facts = 12;      // a group; facts at most people (people - 1) / 2
  double cross_links = 0.1;        // share of facts with somebody of another group
  double noise = 0.05;             // facts denied, and again as many contradicted, per fact
  int shortest = 2, longest = 4;   // facts that a chain joins, at most 6
  bool shared_words = false;       // of theories
  bool both_ways = false;          // of compositions
  bool joined = false;             // of compositions
};

/// The hard set: rules <(<($1 * #2) --> a> && <(#2 * $3) --> b>) ==> <($1 * $3) --> c>>, their pairs (a, b)
/// drawn without repetition and c freely, so most have no part in any one proof; and groups of people with
/// random facts, some of which reach into other groups. Some facts are denied (%0;0.9%), some asserted and
/// contradicted later (%0;0.6%): proofs use neither, but what is said of them looks like the rest.
///   question   for two people that nothing is said of together; chain lengths in turn. Half ask for the
///              relation (<(x * y) --> ?1>), half whether it is the one (<(x * y) --> c>)
///   proof      of k facts that lead from one to the other, no one twice on the way, and the rules that join
///              them in any order of brackets. Shortest: fewest statements, a rule used twice counts once. Of
///              <(x * y) --> ?1> over all relations. Questions with several shortest proofs are passed over,
///              so that what is needed is needed
/// Errors   std::invalid_argument for options out of range
/// Cost     O(size) and, for a question, the chains that begin at some tens of people
ProofSet generate_chains(const ChainOptions& options, std::uint64_t seed);

/// Trees of classes <c12 --> c3>, individuals <{i7} --> c12>, and what classes are like <c3 --> [p5]>; of
/// some 25 statements each, and at least one tree. Up to twenty properties stand in all trees: the same is
/// told of other classes, and denied (%0;0.9%) of some of the same tree; some individuals are in a second
/// class, of any tree.
///   question   <{i7} --> [p5]>, of individuals that are in no class, however far above, that is denied it
///   proof      1 to 4 inheritances, in turn, to a class of which the property is told. Shortest: fewest
///              statements. Questions with several shortest proofs are passed over
/// Shapes   size statements exactly; where the seed has fewer such questions, fewer, but at least one
/// Errors   std::invalid_argument if size is below 10
/// Cost     O(size log size)
ProofSet generate_taxonomies(std::size_t size, std::uint64_t seed, std::size_t questions = 40);
/// Statements of a tree, and of a group of events, when a size is made of a number of them.
inline constexpr std::size_t tree_size = 25, event_group_size = 20, theory_size = 18;

/// Chains of events <e1 =/> e2>, three links in ten by an operation <(&/, e1, ^o3) =/> e2>, with confidences
/// of 0.45 to 0.9. A chain has 6 to 8 events, of which one may be another chain's; as many links again, and
/// more, lead from it to where nothing follows, to it from where nothing leads, or around a link by two.
///   question   <e1 =/> e5>, or <(&/, e1, ^o3) =/> e5> where one of the links is by an operation; ways with
///              more operations are not asked for
///   proof      the 2 to 5 links between, in turn. Shortest: fewest links, of whatever confidence and
///   operation.
///              Questions with several shortest proofs are passed over
/// Shapes, Errors, Cost   as generate_taxonomies; groups of some 20 statements
ProofSet generate_events(std::size_t size, std::uint64_t seed, std::size_t questions = 40);

/// Theories about four individuals {p1} and two things t1, with attributes [a1] and relations r1: facts, and
/// rules of one to four conditions such as
/// <(&&, <(*, $1, $2) --> r1>, <$2 --> [a2]>) ==> <(*, $1, {p18}) --> r4>>. About one rule in five has no
/// variable. Each theory has at least two distractors. One is a fact that states of a name what proofs state of
/// other names; the other is a rule that shares the theory's words and that no facts of the theory satisfy.
///   shared_words   the theories draw their words from one pool of two attributes and one relation for each
///                  theory, so that a word belongs to some six theories, and rules of one may apply to the
///                  individuals of another. By default each theory has its own words
///   question       <{p1} --> [a1]> or <(*, {p1}, {p2}) --> r1>, which no statement tells
///   proof          of depth 1 to 5, in turn if there are such; the depth is the longest chain of rule uses. From
///                  depth 2 on, some rule has at least two conditions that are themselves derived. Shortest: fewest
///                  distinct statements, at most 20, over all statements of the set. Questions with several
///                  shortest proofs are passed over
/// Shapes   15 to 20 statements for each of options.groups theories, except that a rule of two theories is said
///          once; 0 groups: size / 18 theories, at least one. Fewer questions if the set has fewer
/// Cost     O(size log size); for each question, searches for the proofs of some candidates (ProofGraph)
ProofSet generate_theories(const ChainOptions& options, std::uint64_t seed);

/// Stories of 18 persons and 17 facts <(*, p1, p2) --> r1>, and 60 rules that all stories share:
/// <(&&, <(*, $1, $2) --> a>, <(*, $2, $3) --> b>) ==> <(*, $1, $3) --> c>>. Of a story's facts, 12 are a chain of
/// 13 persons; the other five are distractors that lead from it or to it.
///   relations  the 11 elements, except the identity, of the dicyclic group of order 12. A rule says c = a b; the 60
///              are drawn from the 110 products that are not the identity. All orders of brackets that the rules
///              permit therefore give the same relation, and two persons have one relation only
///   both_ways  for each fact a(x, y) also the fact b(y, x), with b the inverse of a. Chains then lead along facts
///              in either direction, by the same rules, as inverses are among the relations
///   joined     each story but the first shares one person with an earlier one. The facts are then a tree, otherwise
///              a forest with a tree for each story
///   question   <(*, x, y) --> ?1>, of two persons that a chain of 2 to 10 facts joins, in turn if there are such
///   proof      facts and rules, composed in any order of brackets. Shortest: fewest distinct statements of all
///              proofs, also of those that leave the chain and come back. Questions with several shortest proofs
///              are passed over
/// Shapes   60 rules and 17 facts (34 if told both ways) for each of options.groups stories; 0 groups: as many
///          stories as `size` has room for, at least one. Fewer questions if the set has fewer
/// Cost     O(size log size); for each question, searches for the proofs of some candidates (ProofGraph)
ProofSet generate_compositions(const ChainOptions& options, std::uint64_t seed);

inline const std::vector<std::string> proof_kinds{"families", "chains",   "taxonomies",
                                                  "events",   "theories", "compositions"};
/// A set of one of these kinds. Families, taxonomies and events take of the options the questions, and the size or,
/// above 0, as many groups: families, trees, groups of events. Theories and compositions also take their flags.
ProofSet generate(const std::string& kind, const ChainOptions& options, std::uint64_t seed);

/// As a .nal file: statements, then questions with //expected: and //needed: lines.
void write_nal(std::ostream& out, const ProofSet& set, const std::string& heading);

}  // namespace engram::experiments
