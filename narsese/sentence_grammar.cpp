// SPDX-License-Identifier: MIT
#include "narsese/sentence_grammar.hpp"

#include <cmath>
#include <string>
#include <string_view>

#include "narsese/byte_scan.hpp"

namespace engram::narsese {
namespace {

// A number in [0, 1].
Place read_share(Scanner& scanner, Place at, double& value, std::string_view what) {
  at = skip_blanks(at);
  if (!is_digit(*at) && *at != '.') return scanner.fail(at, std::string(what) + ", a number in [0, 1]");
  const Place stop = scanner.take_decimal(at, value);
  if (stop != nullptr && value >= 0 && value <= 1) return stop;
  return scanner.fail(at, std::string(what) + " in [0, 1]");
}

bool is_prediction(const SyntaxNode& root) {
  return root.label.kind == TermKind::statement &&
         root.label.symbol == static_cast<std::uint8_t>(Copula::predictive_implication);
}

// ONA's dt=5.0, in cycles from an implication's first side to its second.
Place read_delay(Scanner& scanner, Place at, Sentence& frame) {
  if (!looking_at(at, "dt=") || (!is_digit(at[3]) && at[3] != '-' && at[3] != '.')) return at;
  if (!scanner.use(at, Construct::delay)) return nullptr;
  double delay = 0;
  const Place stop = scanner.take_number(at + 3, delay);
  if (stop == nullptr || !std::isfinite(delay)) return scanner.fail(at, "a number of cycles after dt=");
  if (!is_blank(*stop)) return scanner.fail(stop, "a blank after dt=");
  frame.delay = delay;
  return skip_blanks(stop);
}

// `$0.8;..$` is a budget, `$x` a variable: a budget's first byte is a digit or a dot, and `$` closes it.
bool looks_like_budget(const Scanner& scanner, Place at) {
  if (*at != '$' || !(is_digit(at[1]) || at[1] == '.')) return false;
  const std::string_view rest(at, static_cast<std::size_t>(scanner.end() - at));
  const std::size_t close = rest.find_first_not_of("0123456789.;eE+- ", 1);
  return close != std::string_view::npos && rest[close] == '$';
}

constexpr double unset = -1;

// OpenNARS's and PyNARS's durability where it is left out.
void complete(std::optional<BudgetValue>& budget, Punctuation punctuation) {
  if (budget && budget->durability == unset)
    budget->durability = punctuation == Punctuation::judgment ? BudgetValue{}.durability : 0.9;
}

Place read_budget(Scanner& scanner, Place at, std::optional<BudgetValue>& budget) {
  if (!looks_like_budget(scanner, at)) return at;
  if (!scanner.use(at, Construct::budget)) return nullptr;
  BudgetValue value{.durability = unset};
  const auto next_share = [&](double& share, std::string_view what) {  // after a `;`, if there is one
    at = skip_blanks(at);
    if (*at == ';') at = read_share(scanner, at + 1, share, what);
    return at != nullptr;
  };
  at = read_share(scanner, at + 1, value.priority, "a priority");
  if (at == nullptr || !next_share(value.durability, "a durability") ||
      !next_share(value.quality, "a quality"))
    return nullptr;
  at = skip_blanks(at);
  if (*at != '$') return scanner.fail(at, "'$'");
  ++at;
  const bool extreme = value.durability == 0 || value.durability >= 1;
  if (extreme && !scanner.use(at, Construct::extreme_durability)) return nullptr;
  budget = value;
  return skip_blanks(at);
}

Place read_punctuation(Scanner& scanner, Place at, Punctuation& punctuation) {
  at = skip_blanks(at);
  switch (*at) {
    case '.':
      punctuation = Punctuation::judgment;
      return at + 1;
    case '!':
      punctuation = Punctuation::goal;
      return at + 1;
    case '?':
      punctuation = Punctuation::question;
      return at + 1;
    case '@':
      punctuation = Punctuation::quest;
      return scanner.use(at, Construct::quest) ? at + 1 : nullptr;
    default:
      return scanner.fail(at, "punctuation ('.', '!', '?' or '@')");
  }
}

// :!n:, :+n: or :-n:
Place read_numbered_tense(Scanner& scanner, Place start, Tense& tense) {
  const bool absolute = start[1] == '!', later = start[1] == '+';
  if (!absolute && !later && start[1] != '-')
    return scanner.fail(start, "a tense (:|:, :\\:, :/:, :!n:, :+n: or :-n:)");
  if (!scanner.use(start, absolute ? Construct::absolute_tense : Construct::offset_tense)) return nullptr;
  tense.kind = absolute ? Tense::Kind::at : Tense::Kind::offset;
  const Place number = start + (absolute || later ? 2 : 1);
  const Place at = later && !is_digit(*number) ? nullptr : scanner.take_number(number, tense.cycles);
  if (at == nullptr) return scanner.fail(start, "a number of cycles in the tense");
  return *at == ':' ? at + 1 : scanner.fail(at, "':'");
}

// One blank, and no more, has led here.
bool after_one_blank(const Scanner& scanner, Place at) {
  return scanner.before(at) == ' ' && !is_blank(scanner.before(at - 1));
}

Place read_tense(Scanner& scanner, Place at, const SyntaxNode& root, Sentence& frame) {
  at = skip_blanks(at);
  if (*at != ':') {
    const bool goal = frame.punctuation == Punctuation::goal;
    return !goal || scanner.use(at, Construct::eternal_goal) ? at : nullptr;
  }
  if (!after_one_blank(scanner, at) && !scanner.use(at, Construct::uneven_blanks)) return nullptr;
  const bool goal = frame.punctuation == Punctuation::goal;
  if (at[2] == ':' && at[1] == '|') {
    frame.tense.kind = Tense::Kind::present;
    const bool predicts = frame.punctuation == Punctuation::judgment && is_prediction(root);
    return !predicts || scanner.use(at, Construct::present_prediction) ? at + 3 : nullptr;
  }
  if (at[2] == ':' && (at[1] == '\\' || at[1] == '/')) {
    frame.tense.kind = at[1] == '/' ? Tense::Kind::future : Tense::Kind::past;
    const Construct construct = goal ? Construct::tensed_goal : Construct::tensed_judgment;
    return frame.asks() || scanner.use(at, construct) ? at + 3 : nullptr;
  }
  return read_numbered_tense(scanner, at, frame.tense);
}

// PyNARS's third number, the evidential horizon k of c = w/(w+k): the confidence that w has with ours.
Place read_horizon(Scanner& scanner, Place at, TruthValue& truth) {
  at = skip_blanks(at);
  double horizon = 0;
  if (!scanner.use(at, Construct::horizon_in_truth)) return nullptr;
  const Place stop = is_digit(*at) ? scanner.take_number(at, horizon) : nullptr;
  if (stop == nullptr || !(horizon > 0) || horizon > 1e6)
    return scanner.fail(at, "an evidential horizon in (0, 1000000]");
  if (horizon != evidential_horizon)
    truth.confidence = horizon * truth.confidence /
                       (horizon * truth.confidence + evidential_horizon * (1 - truth.confidence));
  return stop;
}

Place read_confidence(Scanner& scanner, Place at, double& confidence) {
  at = skip_blanks(at);
  const Place stop = read_share(scanner, at, confidence, "a confidence");
  if (stop == nullptr) return nullptr;
  if (confidence <= 0 && !scanner.use(at, Construct::no_confidence)) return nullptr;
  if (confidence >= 1 && !scanner.use(at, Construct::full_confidence)) return nullptr;
  return stop;
}

// Between the `%`: f, f;c or PyNARS's f;c;k
Place read_percent_truth(Scanner& scanner, Place at, TruthValue& truth) {
  at = read_share(scanner, at, truth.frequency, "a frequency");
  if (at == nullptr) return nullptr;
  at = skip_blanks(at);
  if (*at == '%') return at + 1;
  if (*at != ';') return scanner.fail(at, "'%' or ';'");
  at = read_confidence(scanner, at + 1, truth.confidence);
  if (at == nullptr) return nullptr;
  at = skip_blanks(at);
  if (*at == ';') {
    at = read_horizon(scanner, at + 1, truth);
    if (at == nullptr) return nullptr;
    at = skip_blanks(at);
  }
  return *at == '%' ? at + 1 : scanner.fail(at, "'%'");
}

// Hundredths, written as 0.9 or 0.95: most numbers are. nullptr for any other number, or a greater one
// than 1.
Place read_hundredths(Place at, int& hundredths) {
  const bool two_decimals = is_digit(at[3]);
  hundredths = 100 * (at[0] - '0') + 10 * (at[2] - '0') + two_decimals * (at[3] - '0');
  const bool is_share = is_digit(at[0]) && at[1] == '.' && is_digit(at[2]) && hundredths <= 100;
  return is_share ? at + 3 + two_decimals : nullptr;
}

// %0.9;0.95%, what most truth values look like, with a confidence that needs no second thought. Else nullptr,
// without an error.
Place read_usual_truth(Place at, TruthValue& truth) {
  int frequency = 0, confidence = 0;
  const Place between = *at == '%' ? read_hundredths(at + 1, frequency) : nullptr;
  if (between == nullptr || *between != ';') return nullptr;
  const Place end = read_hundredths(between + 1, confidence);
  if (end == nullptr || *end != '%' || confidence == 0 || confidence == 100) return nullptr;
  truth = {frequency / 100.0, confidence / 100.0};
  return end + 1;
}

// Between braces: ONA's f c
Place read_braced_truth(Scanner& scanner, Place at, TruthValue& truth) {
  at = read_share(scanner, at, truth.frequency, "a frequency");
  if (at == nullptr) return nullptr;
  if (*at == ',' && !scanner.use(at, Construct::comma_in_braces)) return nullptr;
  const bool blank = is_blank(*at);
  at = skip_blanks(at);
  if (!blank && *at != ',') return scanner.fail(at, "a blank or ',' and a confidence");
  at += *at == ',' ? 1 : 0;
  at = read_confidence(scanner, at, truth.confidence);
  if (at == nullptr) return nullptr;
  at = skip_blanks(at);
  return *at == '}' ? at + 1 : scanner.fail(at, "'}'");
}

Place read_truth(Scanner& scanner, Place at, Sentence& frame) {
  at = skip_blanks(at);
  if (*at != '%' && *at != '{') return at;
  if (frame.asks()) return scanner.fail(at, "end of line (a question or quest has no truth value)");
  if (!after_one_blank(scanner, at) && !scanner.use(at, Construct::uneven_blanks)) return nullptr;
  TruthValue& truth = frame.truth.emplace();
  if (const Place end = read_usual_truth(at, truth); end != nullptr) return end;
  if (*at == '{')
    return scanner.use(at, Construct::truth_in_braces) ? read_braced_truth(scanner, at + 1, truth) : nullptr;
  const Place end = read_percent_truth(scanner, at + 1, truth);
  const bool blanks = end != nullptr && has_blank(at, static_cast<std::size_t>(end - at));
  return !blanks || scanner.use(at, Construct::blank_in_truth) ? end : nullptr;
}

}  // namespace

bool read_end(Scanner& scanner, Place at) {
  at = skip_blanks(at);
  return at == scanner.end() || scanner.fail(at, "end of line") != nullptr;
}

bool read_sentence(Scanner& scanner, Place at, TermGrammar& terms, Sentence& frame, SyntaxNodes& nodes) {
  const bool read =
      (at = read_delay(scanner, skip_blanks(at), frame)) != nullptr &&
      (at = read_budget(scanner, at, frame.budget)) != nullptr && (at = terms.read(at, nodes)) != nullptr &&
      (at = read_punctuation(scanner, at, frame.punctuation)) != nullptr &&
      (at = read_tense(scanner, at, nodes.back(), frame)) != nullptr &&
      (at = read_truth(scanner, at, frame)) != nullptr && read_end(scanner, at) &&
      (!frame.delay || is_prediction(nodes.back()) || scanner.use(scanner.begin(), Construct::idle_delay));
  complete(frame.budget, frame.punctuation);
  return read;
}

}  // namespace engram::narsese
