// SPDX-License-Identifier: MIT
#include "core/shards/sharded_memory.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "core/graph/memory_image.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/work.hpp"
#include "core/retrieval/readings.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::core {
namespace {

constexpr std::size_t most_rejected = 100;  // of a text and peer; chosen

std::uint32_t narrow(std::size_t n) {
  if (n > 0xffffffffU)
    throw WorkStopped(WorkStopped::Reason::bytes,
                      "a peer holds at most 2^32 - 1 names, statements or mentions");
  return static_cast<std::uint32_t>(n);
}

template <class T>
std::vector<std::vector<T>> for_each_peer(const Peers& peers) {
  return std::vector<std::vector<T>>(peers.size());
}

// The owner of a concept: by its name, so that it is the same in every run, or, where it has none, by its key.
std::uint32_t owner_of(std::string_view name, const TermKey& key, std::size_t peers) {
  return static_cast<std::uint32_t>((name.empty() ? key.first : narsese::hash_bytes(name)) % peers);
}

// Numbers for what is new, in the order in which the peers' texts mention it. is_first(i): whether the i-th of this
// peer's `count` is; of those number(i, n).
template <class IsFirst, class Number>
std::uint64_t number_first(Peers& peers, std::size_t count, const IsFirst& is_first, const Number& number) {
  std::uint64_t own = 0;
  for (std::size_t i = 0; i < count; ++i) own += is_first(i) ? 1 : 0;
  const Share share = share_of(peers, own);
  std::uint64_t next = share.begin;
  for (std::size_t i = 0; i < count; ++i)
    if (is_first(i)) number(i, next++);
  return share.all;
}

}  // namespace

void agree(Peers& peers, const std::string& trouble) {
  const auto all = gather(peers, std::span<const char>(trouble));
  for (std::size_t r = 0; r < peers.size(); ++r)
    if (const auto said = all.of(r); !said.empty())
      throw std::runtime_error("rank " + std::to_string(r) + ": " + std::string(said.begin(), said.end()));
}

ShardedMemory::ShardedMemory(Peers& peers, std::span<const SharedText> texts, const MemoryOptions& options)
    : peers_(&peers), keys_(gather_one(peers, TermKeys::draw()).front()), thinks_of_(options) {
  require(options.decay == 0, "in a sharded memory nothing decays: decay must be 0", options.decay);
  Slice slice;
  std::string trouble;
  try {
    slice = read_slice(pieces_of(texts, peers.rank(), peers.size()), options, keys_, most_rejected);
  } catch (const std::exception& error) {
    trouble = error.what();
  }
  agree(peers, trouble);
  note_errors(slice);
  const std::vector<Handle> concepts = settle_concepts(slice);
  const std::vector<Handle> mentions = settle_statements(slice, concepts);
  take_evidence(slice, concepts);
  slice = {};
  const MemoryLimits& limits = options.limits;
  require_room("concepts", concepts_, limits.max_concepts);
  require_room("statements", statements_, limits.max_statements);
  statement_sum_ = OrderedSum(peers, statement_numbers_, statements_);
  name_sum_ = OrderedSum(peers, name_numbers_, concepts_);
  lay_rows(mentions);
  lay_mentions();
  agree(peers, bytes() <= limits.max_bytes
                   ? ""
                   : "the memory is full: its shard takes " + std::to_string(bytes()) +
                         " bytes, the limit is " + std::to_string(limits.max_bytes));
}

void ShardedMemory::require_room(const char* what, std::uint64_t there, std::uint64_t most) const {
  if (there > most)
    throw std::length_error("the memory is full: there are " + std::to_string(there) + " " + what +
                            ", the limit is " + std::to_string(most));
}

// The first of each text, at all peers.
void ShardedMemory::note_errors(const Slice& slice) {
  struct Head {
    std::size_t text, line, column, bytes;
  };
  std::vector<std::size_t> lines;
  std::vector<Head> heads;
  std::string messages;
  std::size_t in_all = 0;
  for (std::size_t text = 0; text < slice.errors.size(); ++text) {
    lines.push_back(slice.errors[text].lines);
    in_all += slice.errors[text].in_all;
    for (const RejectedLine& line : slice.errors[text].rejected) {
      heads.push_back({text, line.line, line.column, line.message.size()});
      messages += line.message;
    }
  }
  rejected_in_all_ = share_of(*peers_, in_all).all;
  if (rejected_in_all_ == 0) return;
  const auto all_lines = gather(*peers_, std::span<const std::size_t>(lines));
  const auto all_heads = gather(*peers_, std::span<const Head>(heads));
  const auto all_messages = gather(*peers_, std::span<const char>(messages));
  const char* message = all_messages.items.data();
  for (std::size_t r = 0; r < peers_->size(); ++r)
    for (const auto& [text, line, column, bytes] : all_heads.of(r)) {
      std::size_t before = 0;
      for (std::size_t q = 0; q < r; ++q) before += all_lines.of(q)[text];
      rejected_.push_back({text, {before + line, column, std::string(message, bytes)}});
      message += bytes;
    }
  std::ranges::stable_sort(rejected_, {}, &RejectedInText::text);
}

// Where each concept of the slice is, as far as it holds activation; and the names that this peer owns.
std::vector<ShardedMemory::Handle> ShardedMemory::settle_concepts(const Slice& slice) {
  const std::size_t n = peers_->size();
  auto keys_out = for_each_peer<TermKey>(*peers_);
  auto sizes_out = for_each_peer<std::uint32_t>(*peers_);
  auto names_out = for_each_peer<char>(*peers_);
  std::vector<Handle> handles(slice.concepts.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < slice.concepts.size(); ++i) {
    const std::string_view name = std::string_view(slice.names).substr(at, slice.name_bytes[i]);
    at += name.size();
    const std::uint32_t owner = handles[i].owner = owner_of(name, slice.concepts[i], n);
    keys_out[owner].push_back(slice.concepts[i]);
    sizes_out[owner].push_back(slice.name_bytes[i]);
    names_out[owner].insert(names_out[owner].end(), name.begin(), name.end());
  }
  const auto asked = exchange_lists(*peers_, keys_out);
  const auto sizes = exchange_lists(*peers_, sizes_out);
  const auto names = exchange_lists(*peers_, names_out);
  keys_out.clear();
  names_out.clear();

  // Whoever mentions it first has it named here.
  constexpr std::uint32_t first = 0x80000000U;
  auto replies_out = for_each_peer<std::uint32_t>(*peers_);
  std::vector<TermKey> known;
  std::vector<std::uint32_t> name_of;  // by known
  narsese::HashIndex index;
  const char* name = names.items.data();
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t k = asked.starts[r]; k < asked.starts[r + 1]; ++k) {
      const TermKey& key = asked.items[k];
      const std::uint32_t bytes = sizes.items[k];
      std::uint32_t reply = 0;
      const std::uint32_t there = index.find_or_insert(
          key.first, [&](std::uint32_t i) { return known[i] == key; },
          [&] {
            reply = first;
            known.push_back(key);
            name_of.push_back(narrow(name_ends_.size()) & ~first);
            if (bytes > 0) {
              names_.append(name, bytes);
              name_ends_.push_back(names_.size());
              name_keys_.push_back(key);
            }
            return narrow(known.size() - 1);
          });
      replies_out[r].push_back(name_of[there] | reply);
      name += bytes;
    }
  const auto replies = exchange_lists(*peers_, replies_out);
  std::vector<std::size_t> next(replies.starts.begin(), replies.starts.end() - 1);
  std::vector<char> is_first(handles.size());
  for (std::size_t i = 0; i < handles.size(); ++i) {
    const std::uint32_t reply = replies.items[next[handles[i].owner]++];
    is_first[i] = static_cast<char>((reply & first) != 0);
    handles[i].name = reply & ~first;
  }
  auto numbers_out = for_each_peer<std::uint64_t>(*peers_);
  concepts_ = number_first(
      *peers_, handles.size(), [&](std::size_t i) { return is_first[i] != 0; },
      [&](std::size_t i, std::uint64_t number) {
        if (slice.name_bytes[i] > 0) numbers_out[handles[i].owner].push_back(number);
      });
  name_numbers_ = exchange_lists(*peers_, numbers_out).items;  // as they came, peer by peer: ascending
  for (std::size_t i = 0; i < name_keys_.size(); ++i) name_index_.insert(name_keys_[i].first, narrow(i));
  return handles;
}

// The statements that this peer owns, and the concepts of each, one statement's behind the other's.
std::vector<ShardedMemory::Handle> ShardedMemory::settle_statements(const Slice& slice,
                                                                    std::span<const Handle> concepts) {
  const std::size_t n = peers_->size();
  auto heads_out = for_each_peer<SaidSentence>(*peers_);
  auto texts_out = for_each_peer<char>(*peers_);
  auto handles_out = for_each_peer<Handle>(*peers_);
  std::vector<std::uint32_t> owners;
  std::size_t text_at = 0, active_at = 0;
  for (const SaidSentence& said : slice.sentences) {
    const std::uint32_t owner = said.active > 0 ? concepts[slice.active[active_at]].owner
                                                : static_cast<std::uint32_t>(said.term.first % n);
    owners.push_back(owner);
    heads_out[owner].push_back(said);
    const std::string_view text = std::string_view(slice.texts).substr(text_at, said.text_bytes);
    texts_out[owner].insert(texts_out[owner].end(), text.begin(), text.end());
    for (std::size_t k = 0; k < said.active; ++k)
      handles_out[owner].push_back(concepts[slice.active[active_at + k]]);
    text_at += said.text_bytes;
    active_at += said.active;
  }
  const auto heads = exchange_lists(*peers_, heads_out);
  const auto texts = exchange_lists(*peers_, texts_out);
  const auto handles = exchange_lists(*peers_, handles_out);
  heads_out.clear();
  texts_out.clear();
  handles_out.clear();

  std::vector<Handle> mentions;
  std::vector<TermKey> terms;
  std::vector<narsese::Punctuation> punctuations;
  narsese::HashIndex index;
  auto replies_out = for_each_peer<char>(*peers_);
  const char* text = texts.items.data();
  std::size_t active = 0;
  for (std::size_t r = 0; r < n; ++r)
    for (const SaidSentence& said : heads.of(r)) {
      bool is_new = false;
      const std::uint32_t there = index.find_or_insert(
          narsese::hash_combine(said.term.first, static_cast<std::uint64_t>(said.punctuation)),
          [&](std::uint32_t i) { return terms[i] == said.term && punctuations[i] == said.punctuation; },
          [&] {
            is_new = true;
            terms.push_back(said.term);
            punctuations.push_back(said.punctuation);
            mentions.insert(mentions.end(), handles.items.begin() + static_cast<std::ptrdiff_t>(active),
                            handles.items.begin() + static_cast<std::ptrdiff_t>(active + said.active));
            held_.push_back({});
            return narrow(held_.size() - 1);
          });
      Held& held = held_[there];
      held.is_revised = !is_new && held.is_eternal && said.is_eternal;
      held.truth = held.is_revised ? narsese::revise(held.truth, said.truth) : said.truth;
      held.is_eternal = said.is_eternal;
      // As Memory::accept has it, where nothing decays.
      const auto [frequency, weight] = said.truth;
      const double denied_before = held.denied;
      held.evidence = added_evidence(held.evidence, weight);
      held.denied = held.is_revised ? (1 - held.truth.frequency) * held.evidence
                                    : added_evidence(denied_before, (1 - frequency) * weight);
      episodes_.push_back({there, said.place, r, weight, held.denied - denied_before});
      held.text_at = texts_.size();
      held.text_bytes = said.text_bytes;
      if (is_new) held.concepts_end = narrow(mentions.size());
      texts_.append(text, said.text_bytes);
      text += said.text_bytes;
      active += said.active;
      replies_out[r].push_back(static_cast<char>(is_new));
    }
  const auto replies = exchange_lists(*peers_, replies_out);
  std::vector<std::size_t> next(replies.starts.begin(), replies.starts.end() - 1);
  std::vector<char> is_first;
  for (const std::uint32_t owner : owners) is_first.push_back(replies.items[next[owner]++]);
  auto numbers_out = for_each_peer<std::uint64_t>(*peers_);
  statements_ = number_first(
      *peers_, owners.size(), [&](std::size_t i) { return is_first[i] != 0; },
      [&](std::size_t i, std::uint64_t number) { numbers_out[owners[i]].push_back(number); });
  statement_numbers_ = exchange_lists(*peers_, numbers_out).items;
  return mentions;
}

// Evidence is added in the order in which it was said, as in one process.
void ShardedMemory::take_evidence(const Slice& slice, std::span<const Handle> concepts) {
  struct More {
    std::uint32_t name = 0;
    double evidence = 0;
  };
  const auto added = [&](const std::vector<std::vector<More>>& out) {
    std::vector<double> sums(own_names(), 0.0);
    for (const auto& [name, evidence] : exchange_lists(*peers_, out).items)
      sums[name] = added_evidence(sums[name], evidence);
    return sums;
  };
  auto active = for_each_peer<More>(*peers_), told = active;
  std::size_t at = 0;
  for (const SaidSentence& said : slice.sentences)
    for (std::size_t k = 0; k < said.active; ++k) {
      const Handle& handle = concepts[slice.active[at++]];
      active[handle.owner].push_back({handle.name, said.truth.confidence});
    }
  for (const Slice::Told& link : slice.told) {
    told_.push_back({concepts[link.ends[0]], concepts[link.ends[1]], link.truth});
    const narsese::Evidence more = narsese::to_evidence(link.truth, narsese::greatest_confidence);
    for (const std::uint32_t end : link.ends)
      told[concepts[end].owner].push_back(
          {concepts[end].name, more.positive + (more.total - more.positive) / 2});
  }
  activity_ = added(active);
  const std::vector<double> of_told = added(told);
  for (std::size_t i = 0; i < own_names(); ++i) activity_[i] += of_told[i];
  total_ = in_turn(*peers_, 0.0, [&](double& total) {
    for (const double more : slice.evidence) total = added_evidence(total, more);
  });
  for (const double activity : activity_) rarity_.push_back(rarity_of(activity, total_));
}

// Statements as rows of keys, and which values of names they need.
void ShardedMemory::lay_rows(std::span<const Handle> mentions) {
  auto asks = for_each_peer<std::uint32_t>(*peers_);
  std::vector<Handle> met;         // each once
  std::vector<std::uint32_t> nth;  // of those of its owner
  narsese::HashIndex index;
  std::vector<std::uint32_t> met_at;  // by mention
  for (const Handle& handle : mentions) {
    const std::uint64_t hash = narsese::mix(std::uint64_t{handle.owner} << 32 | handle.name);
    met_at.push_back(index.find_or_insert(
        hash, [&](std::uint32_t i) { return met[i].owner == handle.owner && met[i].name == handle.name; },
        [&] {
          met.push_back(handle);
          nth.push_back(narrow(asks[handle.owner].size()));
          asks[handle.owner].push_back(handle.name);
          return narrow(met.size() - 1);
        }));
  }
  to_statements_ = ValueRoutes::asking(*peers_, asks);
  std::vector<std::uint32_t> starts;  // of each owner's, in what the route brings
  for (std::size_t owner = 0; owner < asks.size(); ++owner) {
    starts.push_back(narrow(column_names_.size()));
    for (const std::uint32_t name : asks[owner])
      column_names_.push_back({static_cast<std::uint32_t>(owner), name});
  }
  const auto numbers = to_statements_(*peers_, std::span<const std::uint64_t>(name_numbers_));
  const auto rarities = to_statements_(*peers_, std::span<const double>(rarity_));

  row_starts_.assign(1, 0);
  std::size_t at = 0;
  std::vector<double> key;
  for (const Held& held : held_) {
    for (; at < held.concepts_end; ++at) columns_.push_back(starts[met[met_at[at]].owner] + nth[met_at[at]]);
    const auto row = std::span(columns_).subspan(row_starts_.back());
    std::ranges::sort(row, {}, [&](std::uint32_t column) { return numbers[column]; });
    key.clear();
    for (const std::uint32_t column : row) key.push_back(rarities[column]);
    make_unit_length(key);
    row_keys_.insert(row_keys_.end(), key.begin(), key.end());
    row_starts_.push_back(columns_.size());
  }
}

// The same by name, statements ascending: the columns of the keys.
void ShardedMemory::lay_mentions() {
  const std::size_t n = peers_->size();
  auto gives = for_each_peer<std::uint32_t>(*peers_);
  auto entries_out = for_each_peer<Mention>(*peers_);
  for (std::size_t s = 0; s < own_statements(); ++s)
    for (std::uint64_t k = row_starts_[s]; k < row_starts_[s + 1]; ++k) {
      const auto [owner, name] = column_names_[columns_[k]];
      auto& given = gives[owner];
      if (given.empty() || given.back() != s) given.push_back(narrow(s));
      entries_out[owner].push_back({name, narrow(given.size() - 1), row_keys_[k]});
    }
  to_names_ = ValueRoutes::giving(*peers_, gives);
  const auto entries = exchange_lists(*peers_, entries_out);
  const auto numbers = to_names_(*peers_, std::span<const std::uint64_t>(statement_numbers_));

  mention_starts_.assign(own_names() + 1, 0);
  for (const Mention& mention : entries.items) ++mention_starts_[mention.name + 1];
  std::partial_sum(mention_starts_.begin(), mention_starts_.end(), mention_starts_.begin());
  std::vector<std::uint64_t> next(mention_starts_.begin(), mention_starts_.end() - 1);
  std::vector<Mention> sorted(entries.items.size());
  std::uint32_t before = 0;  // of the peers before
  for (std::size_t r = 0; r < n; ++r) {
    for (Mention mention : entries.of(r)) {
      mention.at += before;
      sorted[next[mention.name]++] = mention;
    }
    before += narrow(to_names_.sizes_in()[r]);
  }
  for (std::size_t i = 0; i < own_names(); ++i)
    std::ranges::sort(
        std::span(sorted).subspan(mention_starts_[i], mention_starts_[i + 1] - mention_starts_[i]), {},
        [&](const Mention& mention) { return numbers[mention.at]; });
  for (const Mention& mention : sorted) {
    mention_places_.push_back(mention.at);
    mention_keys_.push_back(mention.key);
  }
}

// Each end of a link has it: by the numbers of the other ends, ascending.
void ShardedMemory::lay_links() {
  if (!link_starts_.empty()) return;
  struct Change {
    std::uint32_t name = 0;
    bool tells = false;
    std::uint64_t other = 0, order = 0;
    narsese::TruthValue truth;  // told
    double evidence = 0, denied = 0;
  };
  const auto in_order = [](std::size_t peer, std::size_t place) { return std::uint64_t{peer} << 32 | place; };
  auto changes_out = for_each_peer<Change>(*peers_);
  const auto add = [&](const Handle& end, std::uint64_t other, Change change) {
    change.name = end.name;
    change.other = other;
    changes_out[end.owner].push_back(change);
  };
  const auto numbers = to_statements_(*peers_, std::span<const std::uint64_t>(name_numbers_));
  for (const auto& [statement, place, peer, evidence, denied] : episodes_) {
    const auto row = std::span(columns_).subspan(row_starts_[statement],
                                                 row_starts_[statement + 1] - row_starts_[statement]);
    for (std::size_t i = 0; i < row.size(); ++i)
      for (std::size_t j = i + 1; j < std::min(row.size(), i + 1 + max_partners); ++j) {
        const Change change{0, false, 0, in_order(peer, place), {}, evidence, denied};
        add(column_names_[row[i]], numbers[row[j]], change);
        add(column_names_[row[j]], numbers[row[i]], change);
      }
  }
  // What was told lies where it was read; the ends' numbers do not.
  auto asks = for_each_peer<std::uint32_t>(*peers_);
  for (const Told& told : told_)
    for (const Handle& end : {told.source, told.target}) asks[end.owner].push_back(end.name);
  const auto told_numbers =
      ValueRoutes::asking(*peers_, asks)(*peers_, std::span<const std::uint64_t>(name_numbers_));
  std::vector<std::size_t> next(1, 0);
  for (const auto& of_one : asks) next.push_back(next.back() + of_one.size());
  for (std::size_t i = 0; i < told_.size(); ++i) {
    const auto& [source, target, truth] = told_[i];
    const std::uint64_t of_source = told_numbers[next[source.owner]++],
                        of_target = told_numbers[next[target.owner]++];
    const Change change{0, true, 0, in_order(peers_->rank(), i), truth, 0, 0};
    add(source, of_target, change);
    add(target, of_source, change);
  }

  std::vector<Change> changes = exchange_lists(*peers_, changes_out).items;
  changes_out.clear();
  std::ranges::sort(changes, {}, [](const Change& change) {
    return std::tuple(change.name, change.other, change.tells, change.order);
  });
  const ConceptGraph graph;
  link_starts_.assign(own_names() + 1, 0);
  for (std::size_t k = 0; k < changes.size();) {
    const std::uint32_t name = changes[k].name;
    const std::uint64_t other = changes[k].other;
    HebbianLink link;
    for (; k < changes.size() && changes[k].name == name && changes[k].other == other; ++k) {
      const Change& change = changes[k];
      if (change.tells)
        link.tell(change.truth);
      else
        link.co_activate(change.evidence);
      if (!change.tells && change.denied != 0) link.deny(change.denied);
    }
    if (const double weight = graph.weight(link, 0); weight > 0) {
      links_.push_back({other, weight});
      ++link_starts_[name + 1];
    }
  }
  std::partial_sum(link_starts_.begin(), link_starts_.end(), link_starts_.begin());
}

std::span<const ShardedMemory::Link> ShardedMemory::links(std::size_t own) const {
  return std::span(links_).subspan(link_starts_[own], link_starts_[own + 1] - link_starts_[own]);
}

std::optional<std::size_t> ShardedMemory::own_name(std::uint64_t number) const {
  const auto found = std::ranges::lower_bound(name_numbers_, number);
  if (found == name_numbers_.end() || *found != number) return {};
  return static_cast<std::size_t>(found - name_numbers_.begin());
}

std::string ShardedMemory::name(std::size_t own) const {
  const std::uint64_t begin = own == 0 ? 0 : name_ends_[own - 1];
  return names_.substr(begin, name_ends_[own] - begin);
}

std::string ShardedMemory::statement(std::size_t own) const {
  const Held& held = held_[own];
  std::string text = texts_.substr(held.text_at, held.text_bytes);
  if (!held.is_revised) return text;
  narsese::TermTable table;
  const auto sentence = narsese::parse_sentence(text, table);
  if (!sentence) return text;
  narsese::Sentence revised = *sentence;
  revised.truth = held.truth;
  return narsese::print(revised);
}

std::optional<std::size_t> ShardedMemory::find_name(narsese::Term term) const {
  const TermKey key = keys_.of(term);
  const std::uint32_t own =
      name_index_.find(key.first, [&](std::uint32_t i) { return name_keys_[i] == key; });
  return own == narsese::HashIndex::none ? std::nullopt : std::optional<std::size_t>(own);
}

std::span<const double> ShardedMemory::key(std::size_t own) const {
  return std::span(row_keys_).subspan(row_starts_[own], row_starts_[own + 1] - row_starts_[own]);
}

namespace {

// Row by row the sum of the values at the row's places, each times its factor, or as it is where there are no factors.
std::vector<double> row_sums(std::span<const std::uint64_t> starts, std::span<const std::uint32_t> places,
                             std::span<const double> factors, std::span<const double> values) {
  spend(places.size());
  std::vector<double> sums;
  sums.reserve(starts.size());
  for (std::size_t row = 0; row + 1 < starts.size(); ++row) {
    double total = 0;
    for (std::uint64_t k = starts[row]; k < starts[row + 1]; ++k)
      total += (factors.empty() ? 1.0 : factors[k]) * values[places[k]];
    sums.push_back(total);
  }
  return sums;
}

}  // namespace

std::vector<double> ShardedMemory::similarity(std::span<const double> state) const {
  return row_sums(row_starts_, columns_, row_keys_, to_statements_(*peers_, state));
}

std::vector<double> ShardedMemory::mentioned(std::span<const double> weights,
                                             std::span<const double> keys) const {
  return row_sums(mention_starts_, mention_places_, keys, to_names_(*peers_, weights));
}

std::vector<std::uint32_t> ShardedMemory::statements_with(std::span<const std::uint32_t> names) const {
  // Places in what the route brings are those of what its peer gives, peer by peer.
  auto reached = for_each_peer<std::uint32_t>(*peers_);
  std::vector<std::size_t> ends;
  for (const std::size_t size : to_names_.sizes_in()) ends.push_back((ends.empty() ? 0 : ends.back()) + size);
  for (const std::uint32_t name : names)
    for (std::uint64_t k = mention_starts_[name]; k < mention_starts_[name + 1]; ++k) {
      const std::uint32_t place = mention_places_[k];
      const auto peer =
          static_cast<std::size_t>(std::ranges::upper_bound(ends, std::size_t{place}) - ends.begin());
      reached[peer].push_back(place - narrow(ends[peer] - to_names_.sizes_in()[peer]));
    }
  const auto told = exchange_lists(*peers_, reached);
  std::vector<std::uint32_t> statements;
  for (std::size_t r = 0; r < peers_->size(); ++r)
    for (const std::uint32_t place : told.of(r)) statements.push_back(to_names_.given_to(r)[place]);
  std::ranges::sort(statements);
  statements.erase(std::unique(statements.begin(), statements.end()), statements.end());
  return statements;
}

std::vector<std::uint32_t> ShardedMemory::names_in(std::span<const std::uint32_t> statements) const {
  auto reached = for_each_peer<std::uint32_t>(*peers_);
  for (const std::uint32_t s : statements)
    for (std::uint64_t k = row_starts_[s]; k < row_starts_[s + 1]; ++k) {
      const auto [owner, name] = column_names_[columns_[k]];
      reached[owner].push_back(name);
    }
  std::vector<std::uint32_t> names = exchange_lists(*peers_, reached).items;
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

double ShardedMemory::dot_over_names(std::span<const double> x, std::span<const double> y) const {
  std::vector<double> products(own_names());
  for (std::size_t i = 0; i < products.size(); ++i) products[i] = x[i] * y[i];
  return sum_over_names(products);
}

std::size_t ShardedMemory::bytes() const {
  const auto of = [](const auto& numbers) { return numbers.capacity() * sizeof(numbers[0]); };
  return of(name_numbers_) + of(name_keys_) + name_index_.bytes() + names_.capacity() + of(name_ends_) +
         of(activity_) + of(rarity_) + of(mention_starts_) + of(mention_places_) + of(mention_keys_) +
         of(statement_numbers_) + of(held_) + texts_.capacity() + of(row_starts_) + of(columns_) +
         of(column_names_) + of(row_keys_) + of(episodes_) + of(told_) + of(links_) + of(link_starts_);
}

}  // namespace engram::core
