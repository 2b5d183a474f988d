// SPDX-License-Identifier: MIT
#include "experiments/imports/rdf.hpp"

#include <serd/serd.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <deque>
#include <exception>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/numbers/work_budget.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "narsese/nal_line.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

constexpr std::string_view blanks = " \t\n\r";

bool is_blank(char c) { return blanks.find(c) != std::string_view::npos; }

}  // namespace

bool TurtleStatements::next() {
  if (std::exchange(is_at_beginning_, false)) {
    constexpr std::string_view mark = narsese::byte_order_mark;
    if (has(mark.size()) && text_.starts_with(mark)) start_ = at_ = mark.size();
  }
  if (!skip_blanks()) return false;
  depth_ = 0;
  for (std::size_t open = 0; has(1);) {
    const char c = text_[at_];
    if (c == '#') {
      skip_comment();
    } else if (c == '<') {
      skip_iri();
    } else if (c == '"' || c == '\'') {
      skip_string(c);
    } else if (c == '\\') {
      at_ += has(2) ? 2 : 1;
    } else {
      if (c == '[' || c == '(') depth_ = std::max(depth_, ++open);
      if ((c == ']' || c == ')') && open > 0) --open;
      ++at_;
      if (c == '.' && ends_statement()) return true;
    }
  }
  return true;
}

// Returns whether at least `bytes` bytes follow the read position. Reads further blocks if necessary.
bool TurtleStatements::has(std::size_t bytes) {
  while (text_.size() - at_ < bytes)
    if (!fill()) return false;
  return true;
}

// Appends a block of the source. If necessary, moves the current statement to a new buffer. This frees the text before
// the statement, and the space that an earlier long statement needed.
bool TurtleStatements::fill() {
  constexpr std::size_t block = SourceBlocks::block_bytes;
  if (start_ > 0 || text_.size() + block > text_.capacity()) {
    const std::size_t room = 2 * (text_.size() - start_) + block;
    auto claim = std::make_unique<core::Reservation>(room);
    std::string moved;
    moved.reserve(room);
    moved.append(text_, start_);
    text_.swap(moved);
    claim_.swap(claim);
    at_ -= std::exchange(start_, 0);
  }
  return blocks_.append_to(text_);
}

// Drops the text before the read position and updates line and column. The next statement begins there or later.
void TurtleStatements::discard() {
  const std::string_view passed = statement();
  const std::size_t line_end = passed.rfind('\n');
  line_ += static_cast<std::uint32_t>(std::ranges::count(passed, '\n'));
  column_ = static_cast<std::uint32_t>(line_end == std::string_view::npos ? column_ + passed.size()
                                                                          : passed.size() - line_end);
  start_ = at_;
}

bool TurtleStatements::skip_blanks() {
  bool is_comment = false;
  for (discard(); has(1); discard()) {
    if (is_comment)
      is_comment = (at_ = std::min(text_.find('\n', at_), text_.size())) == text_.size();
    else if (is_blank(text_[at_]))
      at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
    else if (text_[at_] == '#')
      is_comment = true;
    else
      return true;
  }
  return false;
}

void TurtleStatements::skip_comment() {
  while (has(1) && text_[at_] != '\n') at_ = std::min(text_.find('\n', at_), text_.size());
}

void TurtleStatements::skip_iri() {
  while (has(1) && text_[at_] != '>' && !is_blank(text_[at_])) ++at_;
  if (has(1) && text_[at_] == '>') ++at_;
}

bool TurtleStatements::at_three(char quote) {
  return has(3) && std::string_view(text_).substr(at_, 3) == std::string(3, quote);
}

void TurtleStatements::skip_string(char quote) {
  const bool is_long = at_three(quote);
  for (at_ += is_long ? 3 : 1; has(1); ++at_) {
    if (text_[at_] == '\\') {
      if (has(2)) ++at_;
    } else if (is_long ? text_[at_] == quote && at_three(quote) : text_[at_] == quote || text_[at_] == '\n') {
      at_ += is_long ? 3 : 1;
      return;
    }
  }
}

// Returns whether the full stop just read ends a statement: the one in `ex:c.` does, those in 1.5 and ex:a.b do not.
bool TurtleStatements::ends_statement() {
  if (!has(1)) return true;
  const char c = text_[at_];
  return !narsese::is_word_letter(c) && c != '.' && c != '-' && c != ':' && c != '%' && c != '\\';
}

namespace {

// Estimated memory of the entries of a prefix in two tables, without its text.
constexpr std::size_t bytes_a_prefix = 256;
// Limit on nested brackets, because libserd parses them recursively. The same limit as for Narsese.
constexpr std::size_t most_levels = 256;

const std::uint8_t* bytes_of(const std::string& text) {
  return reinterpret_cast<const std::uint8_t*>(text.c_str());
}

// Text of a node. Bytes after n_bytes may exist, but do not belong to it.
std::string text_of(const SerdNode* node) {
  return node == nullptr || node->buf == nullptr
             ? std::string()
             : std::string(reinterpret_cast<const char*>(node->buf), node->n_bytes);
}

// The part after the last # or /, or after the last : if there is neither.
std::string local_name(std::string iri) {
  while (iri.ends_with('/') || iri.ends_with('#')) iri.pop_back();
  std::size_t end = iri.find_last_of("#/");
  if (end == std::string::npos) end = iri.find_last_of(':');
  return end == std::string::npos || end + 1 == iri.size() ? iri : iri.substr(end + 1);
}

// A resource: its full name in the source, and its preferred name.
struct Resource {
  std::string source, wanted;
};

struct Stated {
  std::array<Resource, 3> names;
};

class RdfReader {
 public:
  RdfReader(Knowledge& knowledge, std::uint32_t file, RdfSyntax syntax, const RdfOptions& options)
      : knowledge_(knowledge),
        options_(options),
        file_(file),
        env_(serd_env_new(nullptr), serd_env_free),
        reader_(serd_reader_new(syntax == RdfSyntax::turtle ? SERD_TURTLE : SERD_NTRIPLES, this, nullptr,
                                &RdfReader::take_base, &RdfReader::take_prefix, &RdfReader::take_statement,
                                nullptr),
                serd_reader_free) {
    if (!env_ || !reader_) throw std::bad_alloc();
    serd_reader_set_error_sink(reader_.get(), &RdfReader::take_error, this);
  }

  // Reads one statement, including its full stop. A statement with an error adds no claims.
  void read(std::string_view statement, Place place) {
    place_ = place;
    is_faulty_ = false;
    literals_ = 0;
    std::string().swap(text_);  // frees the memory; an assignment would keep it
    std::vector<Stated>().swap(stated_);
    claims_.clear();
    claims_.emplace_back(statement.size());
    if (statement.size() > longest_) core::Reservation(statement.size() - longest_).keep();
    longest_ = std::max(longest_, statement.size());
    text_ = statement;
    if (const std::size_t nothing = statement.find('\0'); nothing != std::string_view::npos)
      fault(place_of(nothing), "expected text, found a byte of 0");
    else if (const std::size_t bad = narsese::find_invalid_utf8(statement); bad < statement.size())
      fault(place_of(bad), narsese::invalid_utf8_message);
    else if (statement.starts_with(narsese::byte_order_mark))
      fault(place, std::string("expected a statement, found ") + narsese::misplaced_byte_order_mark);
    else if (serd_reader_read_string(reader_.get(), bytes_of(text_)) > SERD_FAILURE && !is_faulty_ &&
             !trouble_)
      fault(place, "this cannot be read as RDF");
    if (trouble_) std::rethrow_exception(std::exchange(trouble_, nullptr));
    if (is_faulty_) return;
    done_.literals += literals_;
    for (const Stated& stated : stated_) add(stated);
  }

  const RdfRead& done() const { return done_; }

 private:
  // Runs a callback of libserd. Exceptions must not pass through its C frames, so they are stored and rethrown later.
  template <class Work>
  static SerdStatus guarded(void* self, Work work) {
    auto& reader = *static_cast<RdfReader*>(self);
    try {
      return work(reader);
    } catch (...) {
      reader.trouble_ = std::current_exception();
      return SERD_ERR_INTERNAL;
    }
  }
  static SerdStatus take_base(void* self, const SerdNode* iri) {
    return guarded(self, [&](RdfReader& reader) { return serd_env_set_base_uri(reader.env_.get(), iri); });
  }
  static SerdStatus take_prefix(void* self, const SerdNode* name, const SerdNode* iri) {
    return guarded(self, [&](RdfReader& reader) {
      SerdNode full = serd_env_expand_node(reader.env_.get(), iri);
      const std::string text = text_of(&full), prefix = text_of(name);
      serd_node_free(&full);
      if (!reader.iris_.contains(prefix) || !reader.prefixes_.contains(text))
        core::Reservation(bytes_a_prefix + 2 * (text.size() + prefix.size())).keep();
      reader.iris_[prefix] = text;
      reader.prefixes_[text] = prefix;
      return SERD_SUCCESS;
    });
  }
  static SerdStatus take_statement(void* self, SerdStatementFlags, const SerdNode*, const SerdNode* subject,
                                   const SerdNode* predicate, const SerdNode* object,
                                   const SerdNode* datatype, const SerdNode* language) {
    return guarded(self, [&](RdfReader& reader) {
      if (object->type == SERD_LITERAL && reader.options_.literals == RdfLiterals::omit)
        ++reader.literals_;
      else
        reader.keep({{reader.resource(*subject), reader.resource(*predicate),
                      object->type == SERD_LITERAL ? reader.literal(*object, datatype, language)
                                                   : reader.resource(*object)}});
      return SERD_SUCCESS;
    });
  }
  static SerdStatus take_error(void* self, const SerdError* error) {
    return guarded(self, [&](RdfReader& reader) {
      std::array<char, 256> message{};
      va_list arguments;
      va_copy(arguments, *error->args);
      std::vsnprintf(message.data(), message.size(), error->fmt, arguments);
      va_end(arguments);
      std::string text(message.data());
      while (text.ends_with('\n')) text.pop_back();
      Place place = reader.place_;
      const std::uint32_t line = std::max(error->line, 1U);
      place.line += line - 1;
      place.column = line == 1 ? place.column + std::max(error->col, 1U) - 1 : std::max(error->col, 1U);
      reader.fault(place, legible(text));
      return SERD_SUCCESS;
    });
  }

  // Stores a claim until the whole statement is known to be valid.
  void keep(Stated stated) {
    std::size_t bytes = 2 * sizeof(Stated);  // a vector may hold twice its size
    for (const Resource& name : stated.names) bytes += name.source.capacity() + name.wanted.capacity();
    claims_.emplace_back(bytes);
    stated_.push_back(std::move(stated));
  }

  void fault(Place place, const std::string& message) {
    if (!std::exchange(is_faulty_, true)) knowledge_.error(place, message);
  }

  Place place_of(std::size_t offset) const {
    const std::string_view before = std::string_view(text_).substr(0, offset);
    const std::size_t line_start = before.rfind('\n') + 1;  // 0 without a line feed, because npos + 1 is 0
    Place place = place_;
    place.line += static_cast<std::uint32_t>(std::ranges::count(before, '\n'));
    place.column = static_cast<std::uint32_t>((line_start == 0 ? place_.column : 1) + offset - line_start);
    return place;
  }

  Resource resource(const SerdNode& node) {
    if (node.type == SERD_BLANK) {
      const std::string label = text_of(&node);
      return file_ == 0 ? Resource{"_:" + label, label}
                        : Resource{"_:" + label + " in " + knowledge_.files().at(file_).name,
                                   "f" + std::to_string(file_ + 1) + "_" + label};
    }
    const auto iri = node.type == SERD_CURIE ? expanded(text_of(&node)) : resolved(node);
    if (!iri) {
      const std::string curie = text_of(&node);
      fault(place_of(std::min(text_.find(curie), text_.size())),
            "no prefix is known for '" + legible(curie) + "'");
      return {};
    }
    return {"<" + *iri + ">", called(*iri)};
  }

  // Expands a prefixed name with a hash table; libserd would search all prefixes linearly.
  std::optional<std::string> expanded(const std::string& curie) const {
    const std::size_t colon = curie.find(':');
    const auto prefix = iris_.find(curie.substr(0, colon));
    if (colon == std::string::npos || prefix == iris_.end()) return {};
    return prefix->second + curie.substr(colon + 1);
  }

  // Resolves a relative IRI against the base.
  std::optional<std::string> resolved(const SerdNode& node) const {
    SerdNode full = serd_env_expand_node(env_.get(), &node);
    if (full.buf == nullptr) return {};
    std::string iri = text_of(&full);
    serd_node_free(&full);
    return iri;
  }

  std::string called(const std::string& iri) const {
    if (options_.names == RdfNames::full) return iri;
    const auto* const longest = options_.names == RdfNames::prefixed ? longest_prefix_of(iri) : nullptr;
    return longest == nullptr ? local_name(iri) : longest->second + "_" + iri.substr(longest->first.size());
  }

  // Finds the longest IRI in prefixes_ that begins `iri`, is shorter than it, and has a prefix name. prefixes_ is
  // sorted, so all beginnings of `rest` precede `rest`. If the entry just before `rest` does not begin `rest`, the
  // search continues with the common beginning of both.
  const std::pair<const std::string, std::string>* longest_prefix_of(const std::string& iri) const {
    std::string_view rest(iri);
    for (rest.remove_suffix(std::min<std::size_t>(rest.size(), 1));;) {
      const auto next = prefixes_.upper_bound(rest);
      if (next == prefixes_.begin()) return nullptr;
      const auto& found = *std::prev(next);
      const auto common =
          static_cast<std::size_t>(std::ranges::mismatch(rest, found.first).in1 - rest.begin());
      if (common == found.first.size()) {
        if (!found.second.empty()) return &found;
        if (common == 0) return nullptr;
      }
      rest = rest.substr(0, common == found.first.size() ? common - 1 : common);
    }
  }

  Resource literal(const SerdNode& node, const SerdNode* datatype, const SerdNode* language) {
    const core::Reservation making(3 * node.n_bytes);
    const std::string text = text_of(&node);
    std::string source = "\"" + text + "\"";
    if (language != nullptr && language->buf != nullptr) source += "@" + text_of(language);
    if (datatype != nullptr && datatype->buf != nullptr) source += "^^" + resource(*datatype).source;
    return {std::move(source), options_.literals == RdfLiterals::quoted ? "\"" + text + "\"" : text};
  }

  void add(const Stated& stated) {
    const auto& [subject, predicate, object] = stated.names;
    const std::string iri = predicate.source.substr(1, predicate.source.size() - 2);
    done_.predicates.insert(iri);
    Claim claim{ClaimKind::relation, knowledge_.name(subject.source, subject.wanted, place_),
                knowledge_.name(object.source, object.wanted, place_), 0, place_};
    if (options_.inheritance.contains(iri))
      claim.kind = ClaimKind::inheritance;
    else if (options_.instance.contains(iri))
      claim.kind = ClaimKind::instance;
    else if (options_.similarity.contains(iri))
      claim.kind = ClaimKind::similarity;
    else
      claim.relation = knowledge_.name(predicate.source, predicate.wanted, place_);
    knowledge_.add(claim);
  }

  Knowledge& knowledge_;
  const RdfOptions& options_;
  std::uint32_t file_;
  std::unique_ptr<SerdEnv, void (*)(SerdEnv*)> env_;
  std::unique_ptr<SerdReader, void (*)(SerdReader*)> reader_;
  std::map<std::string, std::string, std::less<>> prefixes_;  // prefixes by their IRI
  std::unordered_map<std::string, std::string> iris_;         // IRIs by prefix
  RdfRead done_;
  std::size_t longest_ = 0;  // bytes of the longest statement so far; libserd keeps a buffer of this size

  // State of the current statement:
  std::string text_;
  Place place_;
  std::vector<Stated> stated_;
  std::deque<core::Reservation> claims_;  // memory of the text and of the stored claims
  std::size_t literals_ = 0;
  bool is_faulty_ = false;
  std::exception_ptr trouble_;
};

}  // namespace

std::optional<RdfSyntax> rdf_syntax(std::string_view file) {
  if (file.ends_with(".nt")) return RdfSyntax::ntriples;
  if (file.ends_with(".ttl") || file.ends_with(".turtle")) return RdfSyntax::turtle;
  return {};
}

std::string foreign_syntax(std::string_view file, std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const char begin = first == std::string_view::npos ? ' ' : text[first];
  const std::string_view beginning = text.substr(std::min(first, text.size()), 1024);
  std::string what = "an unknown syntax";
  if (begin == '{' || begin == '[') what = "JSON-LD";
  if (begin == '<' && (beginning.starts_with("<?xml") || beginning.find("rdf:RDF") != std::string_view::npos))
    what = "RDF/XML";
  if (file.ends_with(".trig") || file.ends_with(".nq")) what = "named graphs";
  return "expected Turtle (.ttl) or N-Triples (.nt), found " + what +
         ": use --syntax if it is one of the two; other formats can be converted to Turtle with a tool such "
         "as rapper";
}

namespace {

RdfRead read_ntriples(std::istream& in, RdfReader& reader, std::uint32_t file, Knowledge& knowledge,
                      const Advance& advance) {
  SourceLines lines(in, advance);
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (!lines.flaw().empty())
      knowledge.error({file, lines.number(), 1}, lines.flaw());
    else if (line.find_first_not_of(" \t") != std::string_view::npos)
      reader.read(line, {file, lines.number(), 1});
  }
  knowledge.set_sha256(file, lines.digest());
  return reader.done();
}

RdfRead read_turtle(std::istream& in, RdfReader& reader, std::uint32_t file, Knowledge& knowledge,
                    const Advance& advance) {
  TurtleStatements statements(in, advance);
  const auto place = [&] { return Place{file, statements.line(), statements.column()}; };
  try {
    while (statements.next())
      if (statements.depth() > most_levels)
        knowledge.error(place(), "expected at most " + std::to_string(most_levels) +
                                     " levels of brackets, found " + std::to_string(statements.depth()));
      else
        reader.read(statements.statement(), place());
  } catch (const core::WorkStopped& why) {
    if (why.reason != core::WorkStopped::Reason::bytes) throw;
    throw core::WorkStopped(why.reason, knowledge.files().at(file).name + ":" + std::to_string(place().line) +
                                            ":" + std::to_string(place().column) +
                                            ": no room for this statement: " + why.what());
  }
  knowledge.set_sha256(file, statements.digest());
  return reader.done();
}

}  // namespace

RdfRead read_rdf(const std::string& name, std::istream& in, RdfSyntax syntax, const RdfOptions& options,
                 Knowledge& knowledge, const Advance& advance) {
  const std::uint32_t file = knowledge.add_file(name);
  RdfReader reader(knowledge, file, syntax, options);
  return syntax == RdfSyntax::ntriples ? read_ntriples(in, reader, file, knowledge, advance)
                                       : read_turtle(in, reader, file, knowledge, advance);
}

}  // namespace engram::experiments
