// SPDX-License-Identifier: MIT
#include "narsese/grammar.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "narsese/byte_scan.hpp"
#include "narsese/text.hpp"

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

// ONA's dt=5.0: cycles from an implication's antecedent to its consequent.
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

// CommonNarsese omits numbers of a budget or truth value and may keep their `;`. Returns the place of `close` if only
// blanks and `;` are before it, otherwise `at`.
Place skip_left_out(const Scanner& scanner, Place at, char close) {
  if (scanner.dialect() != Dialect::common) return at;
  Place end = at;
  while (is_blank(*end) || *end == ';') ++end;
  return *end == close ? end : at;
}

// Reads CommonNarsese's `$$` or `%%`, a budget or truth value without numbers. Returns the place after it, or nullptr
// without an error if the text has none.
Place read_empty_value(const Scanner& scanner, Place at, char mark) {
  if (scanner.dialect() != Dialect::common || *at != mark) return nullptr;
  const Place end = skip_blanks(at + 1);
  return *end == mark ? end + 1 : nullptr;
}

// `$0.8;..$` is a budget, `$x` a variable. A budget begins with a digit or dot, and another `$` closes it.
bool looks_like_budget(const Scanner& scanner, Place at) {
  if (*at != '$' || !(is_digit(at[1]) || at[1] == '.')) return false;
  const std::string_view rest(at, static_cast<std::size_t>(scanner.end() - at));
  const std::size_t close = rest.find_first_not_of("0123456789.;eE+- \t\x1F", 1);
  return close != std::string_view::npos && rest[close] == '$';
}

constexpr double unset = -1;

// Sets an omitted durability to the default of OpenNARS and PyNARS.
void complete(std::optional<BudgetValue>& budget, Punctuation punctuation) {
  if (budget && budget->durability == unset)
    budget->durability = punctuation == Punctuation::judgment ? BudgetValue{}.durability : 0.9;
}

Place read_budget(Scanner& scanner, Place at, std::optional<BudgetValue>& budget) {
  if (const Place end = read_empty_value(scanner, at, '$'); end != nullptr)
    return scanner.use(at, Construct::budget) ? skip_blanks(end) : nullptr;
  if (!looks_like_budget(scanner, at)) return at;
  if (!scanner.use(at, Construct::budget)) return nullptr;
  BudgetValue value{.durability = unset};
  const auto next_share = [&](double& share, std::string_view what) {  // after an optional `;`
    at = skip_left_out(scanner, skip_blanks(at), '$');
    if (*at == ';') at = read_share(scanner, at + 1, share, what);
    return at != nullptr;
  };
  at = read_share(scanner, at + 1, value.priority, "a priority");
  if (at == nullptr || !next_share(value.durability, "a durability") ||
      !next_share(value.quality, "a quality"))
    return nullptr;
  at = skip_left_out(scanner, skip_blanks(at), '$');
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

// Whether exactly one blank is before this place.
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

// PyNARS's third number, the evidential horizon k of c = w/(w+k). The confidence is converted to our horizon for the
// same w.
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

// The numbers between `%` signs: f, f;c or PyNARS's f;c;k.
Place read_percent_truth(Scanner& scanner, Place at, TruthValue& truth) {
  at = read_share(scanner, at, truth.frequency, "a frequency");
  if (at == nullptr) return nullptr;
  at = skip_left_out(scanner, skip_blanks(at), '%');
  if (*at == '%') return at + 1;
  if (*at != ';') return scanner.fail(at, "'%' or ';'");
  at = read_confidence(scanner, at + 1, truth.confidence);
  if (at == nullptr) return nullptr;
  at = skip_left_out(scanner, skip_blanks(at), '%');
  if (*at == ';') {
    at = read_horizon(scanner, at + 1, truth);
    if (at == nullptr) return nullptr;
    at = skip_blanks(at);
  }
  return *at == '%' ? at + 1 : scanner.fail(at, "'%'");
}

// A number in [0, 1] written with one or two decimals, such as 0.9 or 0.95, in hundredths. nullptr for any other
// number. Most numbers have this form.
Place read_hundredths(Place at, int& hundredths) {
  const bool two_decimals = is_digit(at[3]);
  hundredths = 100 * (at[0] - '0') + 10 * (at[2] - '0') + two_decimals * (at[3] - '0');
  const bool is_share = is_digit(at[0]) && at[1] == '.' && is_digit(at[2]) && hundredths <= 100;
  return is_share ? at + 3 + two_decimals : nullptr;
}

// The most frequent form of a truth value, %0.9;0.95%, with a confidence above 0 and below 1. nullptr, without an
// error, for any other form.
Place read_usual_truth(Place at, TruthValue& truth) {
  int frequency = 0, confidence = 0;
  const Place between = *at == '%' ? read_hundredths(at + 1, frequency) : nullptr;
  if (between == nullptr || *between != ';') return nullptr;
  const Place end = read_hundredths(between + 1, confidence);
  if (end == nullptr || *end != '%' || confidence == 0 || confidence == 100) return nullptr;
  truth = {frequency / 100.0, confidence / 100.0};
  return end + 1;
}

// ONA's f c between braces.
Place read_braced_truth(Scanner& scanner, Place at, TruthValue& truth) {
  at = read_share(scanner, at, truth.frequency, "a frequency");
  if (at == nullptr) return nullptr;
  if (*at == ',' && !scanner.use(at, Construct::comma_in_braces)) return nullptr;
  const bool blank = is_blank(*at);
  at = skip_blanks(at);
  if (!blank && *at != ',') return scanner.fail(at, "a blank or ',' and a confidence");
  if (*at == ',' && scanner.dialect() == Dialect::ona && !scanner.use(at, Construct::comma_in_braces))
    return nullptr;
  at += *at == ',' ? 1 : 0;
  at = read_confidence(scanner, at, truth.confidence);
  if (at == nullptr) return nullptr;
  at = skip_blanks(at);
  return *at == '}' ? at + 1 : scanner.fail(at, "'}'");
}

Place read_truth(Scanner& scanner, Place at, Sentence& frame) {
  at = skip_blanks(at);
  if (*at != '%' && *at != '{') return at;
  if (const Place end = read_empty_value(scanner, at, '%'); end != nullptr) return end;
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

// Headings of lines that a NARS prints.
constexpr std::array<std::string_view, 17> output_headings{
    "IN",     "OUT",   "EXE",     "ERR",     "ERROR",    "INFO",   "COMMENT",    "Comment",   "ANSWER",
    "Answer", "Input", "Derived", "Revised", "Selected", "Solved", "ANTICIPATE", "DISAPPOINT"};
// Text that ONA and Engram's reasoner print after a sentence.
constexpr std::array<std::string_view, 6> output_tails{
    "Priority=", "Stamp=", "Truth:", "creationTime=", "occurrenceTime=", "executed with args"};

// The heading of a line of NARS output, with its colon; empty if the line has none. PyNARS prints a budget before the
// heading.
std::string_view output_heading(std::string_view line) {
  const std::size_t start = std::min(line.find_first_not_of(" \t.0123456789"), line.size());
  const std::string_view text = line.substr(start);
  const std::size_t letters = std::min(text.find_first_of(" \t:"), text.size());
  const std::string_view word = text.substr(0, letters);
  if (std::ranges::find(output_headings, word) == output_headings.end()) return {};
  const std::size_t colon = text.find_first_not_of(" \t", letters);
  if (colon == std::string_view::npos) return {};
  if (text[colon] == ':') return text.substr(0, colon + 1);
  return word == "Solved" || word == "Answer" ? word : std::string_view{};
}

// OpenNARS's stamp {12 : 1;2}: a time and input numbers.
bool is_stamp(std::string_view text) {
  const std::size_t time = text.find_first_not_of("{ -0123456789");
  return text.starts_with('{') && time != std::string_view::npos && text[time] == ':';
}

// Extends the error if the text is output of a NARS, or a comment, rather than input.
void explain_error(Scanner& scanner) {
  const std::string_view line(scanner.begin(), static_cast<std::size_t>(scanner.end() - scanner.begin()));
  const std::size_t offset = std::min(scanner.error().offset, line.size());
  const std::string_view rest = line.substr(offset);
  const auto quoted = [](std::string_view text) { return "'" + std::string(text) + "'"; };
  const auto say = [&](std::string_view found, std::string_view expected, const std::string& what) {
    scanner.fail(found.data(), expected, what);
  };
  if (const std::string_view heading = output_heading(line); !heading.empty())
    return say(heading, "a sentence alone", quoted(heading) + ", which begins a line of NARS output");
  const std::size_t brace = line.rfind('{', offset);
  const std::string_view before = brace == std::string_view::npos ? "" : trim(line.substr(0, brace));
  if (!before.empty() && before.find_last_of(".!?@%:") == before.size() - 1 && is_stamp(line.substr(brace)))
    return say(line.substr(brace), "end of line",
               "a stamp such as {12 : 1;2}, which a NARS prints after a sentence");
  if (!scanner.error().refusal.empty()) return;
  for (const std::string_view tail : output_tails)
    if (rest.starts_with(tail))
      return say(rest, "end of line", quoted(tail) + ", which a NARS prints after a sentence");
  if (rest.starts_with("//"))
    return say(rest, scanner.error().expected + " (a comment needs a line of its own)", "'//'");
  const bool looks_open =
      line.starts_with('$') && line.substr(0, line.find_first_of(" <(")).find('.') != line.npos;
  if (looks_open && !scanner.uses(Construct::budget))
    say(rest, scanner.error().expected + ", or '$' behind the numbers of a budget such as $0.5$", "");
}

bool read_parts(Scanner& scanner, Place at, TermGrammar& terms, Sentence& frame, SyntaxNodes& nodes) {
  return (at = read_delay(scanner, skip_blanks(at), frame)) != nullptr &&
         (at = read_budget(scanner, at, frame.budget)) != nullptr &&
         (at = terms.read(at, nodes)) != nullptr &&
         (at = read_punctuation(scanner, at, frame.punctuation)) != nullptr &&
         (at = read_tense(scanner, at, nodes.back(), frame)) != nullptr &&
         (at = read_truth(scanner, at, frame)) != nullptr && read_end(scanner, at) &&
         (!frame.delay || is_prediction(nodes.back()) || scanner.use(scanner.begin(), Construct::idle_delay));
}

}  // namespace

bool read_end(Scanner& scanner, Place at) {
  at = skip_blanks(at);
  return at == scanner.end() || scanner.fail(at, "end of line") != nullptr;
}

bool read_sentence(Scanner& scanner, Place at, TermGrammar& terms, Sentence& frame, SyntaxNodes& nodes) {
  const bool read = read_parts(scanner, at, terms, frame, nodes);
  if (!read) explain_error(scanner);
  complete(frame.budget, frame.punctuation);
  return read;
}

}  // namespace engram::narsese
