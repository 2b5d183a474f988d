// SPDX-License-Identifier: MIT
#include "narsese/sentence_grammar.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace engram::narsese {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool next(Cursor& cursor, char c) {
  cursor.skip_blanks();
  return cursor.take(c);
}

// A number in [0, 1].
bool read_share(Cursor& cursor, double& value, std::string_view what) {
  cursor.skip_blanks();
  const std::size_t start = cursor.offset();
  if (!is_digit(cursor.peek()) && cursor.peek() != '.')
    return cursor.fail(std::string(what) + ", a number in [0, 1]");
  if (cursor.take_number(value) && value >= 0 && value <= 1) return true;
  return cursor.fail_at(start, std::string(what) + " in [0, 1]");
}

bool is_prediction(const SyntaxTree& tree) {
  const SyntaxNode& root = tree.nodes.back();
  return root.kind == TermKind::statement &&
         root.symbol == static_cast<std::uint8_t>(Copula::predictive_implication);
}

// ONA's dt=5.0, in cycles from an implication's first side to its second.
bool read_delay(Cursor& cursor, Sentence& frame) {
  if (!cursor.looking_at("dt=") ||
      (!is_digit(cursor.peek(3)) && cursor.peek(3) != '-' && cursor.peek(3) != '.'))
    return true;
  const std::size_t start = cursor.offset();
  if (!cursor.use(Construct::delay)) return false;
  cursor.advance(3);
  double delay = 0;
  if (!cursor.take_number(delay) || !std::isfinite(delay))
    return cursor.fail_at(start, "a number of cycles after dt=");
  if (!is_blank(cursor.peek())) return cursor.fail("a blank after dt=");
  cursor.skip_blanks();
  frame.delay = delay;
  return true;
}

bool read_budget(Cursor& cursor, std::optional<BudgetValue>& budget) {
  // `$0.8;..$` is a budget, `$x` a variable: a budget's first byte is a digit or a dot, and `$` closes it.
  if (cursor.peek() != '$' || !(is_digit(cursor.peek(1)) || cursor.peek(1) == '.')) return true;
  const std::string_view rest = cursor.rest();
  const std::size_t close = rest.find_first_not_of("0123456789.;eE+- ", 1);
  if (close == std::string_view::npos || rest[close] != '$') return true;
  if (!cursor.use(Construct::budget)) return false;
  cursor.advance();
  BudgetValue value;
  if (!read_share(cursor, value.priority, "a priority")) return false;
  if (next(cursor, ';') && !read_share(cursor, value.durability, "a durability")) return false;
  if (next(cursor, ';') && !read_share(cursor, value.quality, "a quality")) return false;
  if (!next(cursor, '$')) return cursor.fail("'$'");
  const bool extreme = value.durability <= 0 || value.durability >= 1;
  if (extreme && !cursor.use(Construct::extreme_durability)) return false;
  budget = value;
  cursor.skip_blanks();
  return true;
}

bool read_punctuation(Cursor& cursor, Punctuation& punctuation) {
  cursor.skip_blanks();
  for (const auto candidate :
       {Punctuation::judgment, Punctuation::goal, Punctuation::question, Punctuation::quest}) {
    if (cursor.peek() != symbol(candidate)) continue;
    if (candidate == Punctuation::quest && !cursor.use(Construct::quest)) return false;
    cursor.advance();
    punctuation = candidate;
    return true;
  }
  return cursor.fail("punctuation ('.', '!', '?' or '@')");
}

// :!n:, :+n: or :-n:
bool read_numbered_tense(Cursor& cursor, Tense& tense) {
  const std::size_t start = cursor.offset();
  const bool absolute = cursor.peek(1) == '!', later = cursor.peek(1) == '+';
  if (!absolute && !later && cursor.peek(1) != '-')
    return cursor.fail("a tense (:|:, :\\:, :/:, :!n:, :+n: or :-n:)");
  if (!cursor.use(absolute ? Construct::absolute_tense : Construct::offset_tense)) return false;
  cursor.advance(absolute || later ? 2 : 1);
  tense.kind = absolute ? Tense::Kind::at : Tense::Kind::offset;
  if ((later && !is_digit(cursor.peek())) || !cursor.take_number(tense.cycles))
    return cursor.fail_at(start, "a number of cycles in the tense");
  return cursor.take(':') || cursor.fail("':'");
}

// One blank, and no more, has led here.
bool after_one_blank(const Cursor& cursor) { return cursor.before() == ' ' && !is_blank(cursor.before(2)); }

bool read_tense(Cursor& cursor, const SyntaxTree& tree, Sentence& frame) {
  cursor.skip_blanks();
  const std::size_t start = cursor.offset();
  if (cursor.peek() != ':')
    return frame.punctuation != Punctuation::goal || cursor.use_at(start, Construct::eternal_goal);
  if (!after_one_blank(cursor) && !cursor.use(Construct::uneven_blanks)) return false;
  if (cursor.take(":|:")) {
    frame.tense.kind = Tense::Kind::present;
    const bool predicts = frame.punctuation == Punctuation::judgment && is_prediction(tree);
    return !predicts || cursor.use_at(start, Construct::present_prediction);
  }
  for (const auto kind : {Tense::Kind::past, Tense::Kind::future})
    if (cursor.take(kind == Tense::Kind::past ? ":\\:" : ":/:")) {
      frame.tense.kind = kind;
      return frame.asks() ||
             cursor.use_at(start, frame.punctuation == Punctuation::goal ? Construct::tensed_goal
                                                                         : Construct::tensed_judgment);
    }
  return read_numbered_tense(cursor, frame.tense);
}

// PyNARS's third number, the evidential horizon k of c = w/(w+k): the confidence that w has with ours.
bool read_horizon(Cursor& cursor, TruthValue& truth) {
  cursor.skip_blanks();
  const std::size_t start = cursor.offset();
  double horizon = 0;
  if (!cursor.use(Construct::horizon_in_truth)) return false;
  if (!is_digit(cursor.peek()) || !cursor.take_number(horizon) || !(horizon > 0) || horizon > 1e6)
    return cursor.fail_at(start, "an evidential horizon in (0, 1000000]");
  if (horizon != evidential_horizon)
    truth.confidence = horizon * truth.confidence /
                       (horizon * truth.confidence + evidential_horizon * (1 - truth.confidence));
  return true;
}

// %f%, %f;c%, PyNARS's %f;c;k%, or ONA's {f c}
bool read_truth(Cursor& cursor, Sentence& frame) {
  if (cursor.peek() != '%' && cursor.peek() != '{') return true;
  if (frame.asks()) return cursor.fail("end of line (a question or quest has no truth value)");
  if (!after_one_blank(cursor) && !cursor.use(Construct::uneven_blanks)) return false;
  const std::size_t start = cursor.offset();
  const bool braces = cursor.peek() == '{';
  if (braces && !cursor.use(Construct::truth_in_braces)) return false;
  cursor.advance();
  TruthValue truth;
  if (!read_share(cursor, truth.frequency, "a frequency")) return false;
  const bool blank = is_blank(cursor.peek());
  if (braces && cursor.peek() == ',' && !cursor.use(Construct::comma_in_braces)) return false;
  const bool more = next(cursor, braces ? ',' : ';') || (braces && blank);
  if (braces && !more) return cursor.fail("a blank or ',' and a confidence");
  if (more) {
    cursor.skip_blanks();
    const std::size_t at = cursor.offset();
    if (!read_share(cursor, truth.confidence, "a confidence")) return false;
    if (truth.confidence <= 0 && !cursor.use_at(at, Construct::no_confidence)) return false;
    if (truth.confidence >= 1 && !cursor.use_at(at, Construct::full_confidence)) return false;
  }
  if (more && !braces && next(cursor, ';') && !read_horizon(cursor, truth)) return false;
  if (!next(cursor, braces ? '}' : '%')) return cursor.fail(braces ? "'}'" : more ? "'%'" : "'%' or ';'");
  frame.truth = truth;
  const std::string_view text = cursor.since(start);
  return braces || text.find_first_of(" \t") == std::string_view::npos ||
         cursor.use_at(start, Construct::blank_in_truth);
}

}  // namespace

bool read_end(Cursor& cursor) {
  cursor.skip_blanks();
  return cursor.at_end() || cursor.fail("end of line");
}

bool read_sentence(Cursor& cursor, TermGrammar& terms, SyntaxTree& tree) {
  cursor.skip_blanks();
  if (!read_delay(cursor, tree.frame) || !read_budget(cursor, tree.frame.budget) || !terms.read(tree) ||
      !read_punctuation(cursor, tree.frame.punctuation) || !read_tense(cursor, tree, tree.frame))
    return false;
  cursor.skip_blanks();
  return read_truth(cursor, tree.frame) && read_end(cursor) &&

         (!tree.frame.delay || is_prediction(tree) || cursor.use_at(0, Construct::idle_delay));
}

}  // namespace engram::narsese
