// SPDX-License-Identifier: MIT
// A memory on several peers is the memory of one process, which the tests have beside it.
#include "core/shards/sharded_memory.hpp"

#include <algorithm>
#include <sstream>

#include "core/methods/methods.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/rank.hpp"
#include "core/session/session.hpp"
#include "core/shards/sharded_recall.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "tests/core/shards/thread_peers.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

// Statements that come again, are revised and denied; compounds, variables, questions, goals, events, what is told of
// links, and lines that are none.
std::string some_narsese(Rng& rng, int lines) {
  std::string text;
  const auto name = [&] { return "n" + std::to_string(rng.below(40)); };
  for (int i = 0; i < lines; ++i) {
    switch (rng.below(12)) {
      case 0:
        text += "<(" + name() + " * " + name() + ") --> r" + std::to_string(rng.below(3)) + ">.";
        break;
      case 1:
        text += "<" + name() + " --> " + name() + ">. %0.2;0.7%";
        break;
      case 2:
        text += "<" + name() + " <-> " + name() + ">. %1.0;0.45%";
        break;
      case 3:
        text += "<<$1 --> " + name() + "> ==> <$1 --> " + name() + ">>.";
        break;
      case 4:
        text += "<" + name() + " --> " + name() + ">?";
        break;
      case 5:
        text += "<{" + name() + "} --> [" + name() + "]>! :|:";
        break;
      case 6:
        text += "<" + name() + " --> " + name() + ">. :|: %0.9;0.8%";
        break;
      case 7:
        text += "//engram: links\n<(*," + name() + ", " + name() + ") --> associated>. %0.7;0.2%" +
                (rng.below(2) == 0 ? "\n//engram: statements" : "");
        break;
      case 8:
        text += "this is no Narsese <";
        break;
      case 9:
        text += "10";
        break;
      case 10:
        text += name() + ".";
        break;
      default:
        text += "<" + name() + " --> " + name() + ">.";
    }
    text += '\n';
  }
  return text;
}

Session whole_of(const std::vector<std::string>& texts, std::vector<RejectedInText>* rejected = nullptr) {
  Session session;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::istringstream stream(texts[i]);
    for (const RejectedLine& line : session.input(stream).rejected)
      if (rejected != nullptr) rejected->push_back({i, line});
  }
  return session;
}

std::vector<SharedText> shared(const std::vector<std::string>& texts) {
  std::vector<SharedText> all;
  for (const std::string& text : texts) all.push_back({"text", text});
  return all;
}

// What is wrong, told by the peer's thread, which may not use Catch2.
class Found {
 public:
  void require(bool holds, const std::string& what) {
    if (holds) return;
    const std::lock_guard lock(lock_);
    wrong_ += what + "; ";
  }
  const std::string& wrong() const { return wrong_; }

 private:
  std::mutex lock_;
  std::string wrong_;
};

TEST_CASE("a sharded memory owns what one process has, once", "[core][shards]") {
  Rng rng(1, "sharded_memory_test");
  for (int trial = 0; trial < 6; ++trial) {
    const std::vector<std::string> texts{some_narsese(rng, 150), "", some_narsese(rng, 30)};
    std::vector<RejectedInText> rejected;
    Session session = whole_of(texts, &rejected);
    const Readings& readings = session.readings();
    for (const std::size_t size : {1U, 2U, 3U, 4U, 7U}) {
      Found found;
      std::vector<int> owners_of_statements(static_cast<std::size_t>(readings.statements()), 0);
      std::mutex lock;
      ThreadedPeers::run(size, [&](Peers& peers) {
        ShardedMemory memory(peers, shared(texts));
        memory.lay_links();
        found.require(memory.concepts() == session.memory().graph().size(), "concepts");
        found.require(memory.statements() == session.memory().statements().size(), "statements");
        found.require(memory.total() == readings.total(), "evidence");
        for (std::size_t i = 0; i < memory.own_names(); ++i) {
          const auto id = static_cast<ConceptId>(memory.name_numbers()[i]);
          found.require(memory.name(i) == narsese::print(readings.term(id)), "name");
          std::vector<SparseVector::Entry> links;
          for (const auto& [other, weight] : memory.links(i))
            links.emplace_back(static_cast<std::uint32_t>(other), weight);
          found.require(links == readings.links_of(id), "links of " + memory.name(i));
          found.require(memory.activity(i) == readings.activity(id), "activity of " + memory.name(i));
          found.require(memory.rarity(i) == readings.rarity(id), "rarity of " + memory.name(i));
        }
        for (std::size_t s = 0; s < memory.own_statements(); ++s) {
          const auto e = static_cast<StatementId>(memory.statement_numbers()[s]);
          found.require(memory.statement(s) == narsese::print(session.memory().statements()[e].sentence),
                        "statement " + memory.statement(s));
          found.require(std::ranges::equal(memory.key(s), readings.key(e)), "key");
          found.require(memory.expectation(s) == readings.expectation(e), "expectation");
          const std::lock_guard guard(lock);
          ++owners_of_statements[e];
        }
        found.require(memory.rejected_in_all() == rejected.size(), "refused");
        for (std::size_t i = 0; i < std::min(rejected.size(), memory.rejected().size()); ++i) {
          const auto& [text, line] = memory.rejected()[i];
          found.require(text == rejected[i].text && line.line == rejected[i].line.line &&
                            line.column == rejected[i].line.column &&
                            line.message == rejected[i].line.message,
                        "what is refused");
        }
      });
      CHECK(found.wrong() == "");
      CHECK(std::ranges::all_of(owners_of_statements, [](int owners) { return owners == 1; }));
    }
  }
}

TEST_CASE("a sum over peers has the bits of the sum of one process", "[core][shards]") {
  Rng rng(2, "sharded_memory_test");
  for (const std::size_t size : {1U, 2U, 5U}) {
    Vector all(1003);
    for (double& x : all) x = rng.uniform() - 0.3;
    std::vector<std::size_t> owner;
    for (Index i = 0; i < all.size(); ++i) owner.push_back(rng.below(size));
    Found found;
    ThreadedPeers::run(size, [&](Peers& peers) {
      std::vector<std::uint64_t> numbers;
      std::vector<double> own;
      for (Index i = 0; i < all.size(); ++i)
        if (owner[static_cast<std::size_t>(i)] == peers.rank()) {
          numbers.push_back(static_cast<std::uint64_t>(i));
          own.push_back(all[i]);
        }
      const OrderedSum sum_of(peers, numbers, static_cast<std::uint64_t>(all.size()));
      found.require(sum_of(peers, own) == sum(all), "sum");
    });
    CHECK(found.wrong() == "");
  }
}

TEST_CASE("pieces of texts are whole lines, each in one piece", "[core][shards]") {
  Rng rng(3, "sharded_memory_test");
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<std::string> texts(rng.below(4) + 1);
    for (std::string& text : texts)
      for (std::size_t lines = rng.below(6); lines > 0; --lines)
        text += std::string(rng.below(9), 'x') + (lines > 1 || rng.below(2) == 0 ? "\n" : "");
    const std::size_t size = rng.below(6) + 1;
    std::vector<std::string> joined(texts.size());
    for (std::size_t r = 0; r < size; ++r) {
      const auto pieces = pieces_of(shared(texts), r, size);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        const bool at_begin_of_line = joined[i].empty() || joined[i].back() == '\n';
        CHECK((pieces[i].text.empty() || at_begin_of_line));
        joined[i] += pieces[i].text;
      }
    }
    CHECK(joined == texts);
  }
}

TEST_CASE("each split method recalls to the last bit what one process does", "[core][shards]") {
  Rng rng(4, "sharded_memory_test");
  struct Asked {
    const char* method;
    Options options;
  };
  const std::vector<Asked> asked{{"attention", {}},
                                 {"attention", {{"beta", 1.0}, {"steps", 1.0}}},
                                 {"attention", {{"map", "normmax"}}},
                                 {"attention", {{"map", "budget"}}},
                                 {"entmax_attention", {}},
                                 {"entmax_attention", {{"alpha", 1.3}}},
                                 {"entmax_attention", {{"alpha", 2.0}, {"beta", 2.0}}},
                                 {"sparsemax_attention", {{"beta", 3.0}}},
                                 {"argmax_attention", {}},
                                 {"modern_hopfield", {}},
                                 {"modern_hopfield", {{"beta", 30.0}, {"map", "sparsemax"}}},
                                 {"hopfield", {}},
                                 {"hopfield", {{"couplings", "covariance"}, {"winners", 2.0}}},
                                 {"spreading_activation", {}},
                                 {"spreading_activation", {{"threshold", 0.01}, {"max_steps", 7.0}}},
                                 {"k_hop", {}},
                                 {"k_hop", {{"hops", 2.0}, {"most", 17.0}}}};
  for (int trial = 0; trial < 4; ++trial) {
    const std::vector<std::string> texts{some_narsese(rng, 200)};
    Session session = whole_of(texts);
    for (const std::string cue_text : {"<n1 --> n2>?", "<(n3 * n4) --> ?1>?", "n5", "unheard_of"}) {
      const Cue cue = *session.cue(cue_text);
      for (const auto& [name, options] : asked) {
        const Method& method = *find_method(name);
        const Recall whole = session.recall(method, options, cue);
        for (const std::size_t size : {1U, 2U, 3U}) {
          Found found;
          ThreadedPeers::run(size, [&, &of = method, &with = options](Peers& peers) {
            narsese::TermTable table;
            const auto sentence = narsese::parse_sentence(cue_text, table);
            const narsese::Term term = sentence ? sentence->term : *narsese::parse_term(cue_text, table);
            constexpr std::size_t top = 25;
            ShardedMemory memory(peers, shared(texts));
            const ShardedRecall split = sharded_recall(memory, of, with, term, top);
            found.require(split.course.energies == whole.energies, "energies");
            found.require(split.course.iterations == whole.iterations, "iterations");
            found.require(split.course.converged == whole.converged, "converged");
            found.require(split.course.certificate.has_value() == whole.certificate.has_value(),
                          "certificate");
            if (whole.certificate && split.course.certificate)
              found.require(split.course.certificate->gap == whole.certificate->gap &&
                                split.course.certificate->exact == whole.certificate->exact,
                            "gap");
            const auto same = [&](const ShardedRecall::Ranked& of_split, const SparseVector& scores,
                                  auto text) {
              const auto best = rank(scores, top);
              bool all = best.size() == of_split.size();
              for (std::size_t k = 0; all && k < best.size(); ++k)
                all = of_split[k].second == scores[best[k]] && of_split[k].first == text(best[k]);
              return all;
            };
            found.require(
                same(split.concepts, whole.concepts,
                     [&](ConceptId id) { return narsese::print(session.memory().graph()[id].term); }),
                "concepts");
            found.require(same(split.statements, whole.statements,
                               [&](StatementId e) {
                                 return narsese::print(session.memory().statements()[e].sentence);
                               }),
                          "statements");
          });
          CAPTURE(trial, cue_text, name, size);
          CHECK(found.wrong() == "");
        }
      }
    }
  }
}

TEST_CASE("peers that own nothing take part in every recall", "[core][shards]") {
  const std::vector<std::string> texts{"<a --> b>.\n"};
  Session session = whole_of(texts);
  for (const std::string& name : split_methods()) {
    const Recall whole = session.recall(*find_method(name), {}, *session.cue("a"));
    Found found;
    ThreadedPeers::run(7, [&](Peers& peers) {
      ShardedMemory memory(peers, shared(texts));
      narsese::TermTable table;
      const ShardedRecall split =
          sharded_recall(memory, *find_method(name), {}, *narsese::parse_term("a", table), 9);
      found.require(split.course.energies == whole.energies, "energies");
      found.require(split.concepts.size() == rank(whole.concepts, 9).size(), "concepts");
      found.require(split.statements.size() == 1 && split.statements[0].second == whole.statements[0],
                    "statements");
    });
    CAPTURE(name);
    CHECK(found.wrong() == "");
  }
}

TEST_CASE("what a sharded memory cannot do is refused at all peers", "[core][shards]") {
  const std::vector<std::string> texts{"<a --> b>.\n<b --> c>.\n<c --> d>.\n"};
  std::vector<std::string> said(3);
  ThreadedPeers::run(3, [&](Peers& peers) {
    try {
      MemoryOptions options;
      options.limits.max_statements = 2;
      const ShardedMemory memory(peers, shared(texts), options);
    } catch (const std::length_error& error) {
      said[peers.rank()] = error.what();
    }
  });
  CHECK(said == std::vector<std::string>(3, "the memory is full: there are 3 statements, the limit is 2"));
  ThreadedPeers::run(2, [&](Peers& peers) {
    ShardedMemory memory(peers, shared(texts));
    narsese::TermTable table;
    try {
      sharded_recall(memory, *find_method("ecan"), {}, *narsese::parse_term("a", table), 3);
    } catch (const OptionError& error) {
      said[peers.rank()] = error.what();
    }
  });
  CHECK(
      said[0].starts_with("'ecan' cannot be split over processes; these can: argmax_attention, attention,"));
  CHECK(said[1] == said[0]);
}

}  // namespace
}  // namespace engram::core
