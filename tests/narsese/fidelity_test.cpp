// SPDX-License-Identifier: MIT
#include "narsese/fidelity.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "tests/narsese/parsing.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using namespace engram::narsese::testing;

namespace {

struct Held {
  std::string term;
  std::vector<std::string> changes;
};

Held held_by(Dialect dialect, std::string_view text) {
  TermTable table;
  const auto term = parse_term(text, table);
  REQUIRE(term);
  Held held;
  held.term = print(as_held_by(dialect, *term, table, held.changes));
  return held;
}

/// Rows: a term and the different term that the system stores. The system stores the `unchanged` terms as they are.
void check_held(Dialect dialect, const std::vector<std::array<std::string, 2>>& rows,
                const std::vector<std::string>& unchanged = {}) {
  const auto check = [&](const std::string& text, const std::string& expected, bool is_changed) {
    CAPTURE(text);
    const Held held = held_by(dialect, text);
    CHECK(held.term == read(expected));
    CHECK(held.changes.empty() != is_changed);
  };
  for (const auto& [text, expected] : rows) check(text, expected, true);
  for (const std::string& text : unchanged) check(text, text, false);
}

std::string why_not(Dialect dialect, std::string_view text) {
  TermTable table;
  const auto sentence = parse_sentence(text, table);
  REQUIRE(sentence);
  const std::string why = unsupported_reason(*sentence, dialect);
  return why.empty() ? lost_evidence(*sentence, dialect) : why;
}

/// Rows: a sentence and the reason why the system cannot store it. The system can store the `accepted` sentences.
void check_excess(Dialect dialect, const std::vector<std::array<std::string, 2>>& rows,
                  const std::vector<std::string>& accepted) {
  for (const auto& [text, why] : rows) {
    CAPTURE(text);
    CHECK(why_not(dialect, text) == why);
  }
  for (const std::string& text : accepted) {
    CAPTURE(text);
    CHECK(why_not(dialect, text) == "");
  }
}

}  // namespace

// --- stored terms

TEST_CASE("ONA joins sets on the sides of a whole sentence", "[narsese][fidelity]") {
  check_held(Dialect::ona,
             {
                 {"<({a} | {b}) --> x>", "<{a,b} --> x>"},
                 {"<x --> ({a} | {b})>", "<x --> {a,b}>"},
                 {"<x --> ([a] & [b])>", "<x --> [a,b]>"},
                 {"<([a] & [b]) --> x>", "<[a,b] --> x>"},
             },
             {"<({a} & {b}) --> x>", "<([a] | [b]) --> x>", "<({a} | b) --> x>", "({a} | {b})",
              "<({a} | {b}) <-> x>", "<({a} | {b}) ==> x>", "<<({a} | {b}) --> x> ==> y>", "((a && b) && c)",
              "(--,(--,a))"});
}

TEST_CASE("OpenNARS flattens conjunctions and merges intervals", "[narsese][fidelity]") {
  check_held(Dialect::opennars,
             {
                 {"(&&,(&&,a,b),c)", "(&&,a,b,c)"},
                 {"(&|,a,(&|,b,c))", "(&|,a,b,c)"},
                 {"(&/,a,(&/,b,c))", "(&/,a,b,c)"},
                 {"(&&,a,(&&,b,(&&,c,d)))", "(&&,a,b,c,d)"},
                 {"<(&&,(&&,a,b),c) --> d>", "<(&&,a,b,c) --> d>"},
                 {"<(&/,a,+1,+2,b) =/> c>", "<(&/,a,+3,b) =/> c>"},
                 {"<(&/,a,+1,(&/,+2,b)) =/> c>", "<(&/,a,+3,b) =/> c>"},
                 {"(&/,+1,+2)", "+3"},
                 {"(&&,a,+2)", "a"},
                 {"(&&,a,+2,b)", "(&&,a,b)"},
                 {"{(&|,a,+1)}", "{a}"},
             },
             {"(&&,(&|,a,b),c)", "(||,(||,a,b),c)", "(&,(&,a,b),c)", "(|,(|,a,b),c)", "(*,(*,a,b),c)",
              "(#,(#,a,b),c)", "{{a},b}", "<(&/,a,+1,b,+2) =/> c>", "(*,a,+2)"});
}

TEST_CASE("OpenNARS drops the intervals at one end of a whole sequence", "[narsese][fidelity]") {
  check_held(Dialect::opennars,
             {
                 {"(&/,a,+2)", "a"},
                 {"(&/,+1,a)", "a"},
                 {"(&/,a,b,+2)", "(&/,a,b)"},
                 {"(&/,+1,a,b)", "(&/,a,b)"},
                 {"(&/,+1,a,+2)", "(&/,a,+2)"},  // only the interval at the start is dropped
                 {"(#,+1,a,b,+2)", "(#,a,b,+2)"},
             },
             {"(#,a,+1,b)", "(&/,a,+1,b)", "{(&/,a,+2)}"});
}

TEST_CASE("OpenNARS subtracts sets and cancels double negations", "[narsese][fidelity]") {
  check_held(Dialect::opennars,
             {
                 {"(-,{a,b},{b,c})", "{a}"},
                 {"(~,[a,b],[b])", "[a]"},
                 {"(--,(--,a))", "a"},
                 {"(--,(--,(--,a)))", "(--,a)"},
                 {"<(--,(--,a)) --> b>", "<a --> b>"},
                 {"(#,a)", "a"},
             },
             {"(-,[a,b],[b])", "(~,{a,b},{b})", "(-,{a,b},c)", "(|,{a},{b})", "(&,{a,b},{b,c})"});
}

TEST_CASE("OpenNARS merges an implication of an implication", "[narsese][fidelity]") {
  check_held(Dialect::opennars,
             {
                 {"<a ==> <b ==> c>>", "<(&&,a,b) ==> c>"},
                 {"<a =/> <b =/> c>>", "<(&/,a,b) =/> c>"},
                 {"<a =|> <b =|> c>>", "<(&|,a,b) =|> c>"},
                 {"<a =\\> <b =\\> c>>", "<(&&,a,b) =\\> c>"},
                 {"<a ==> <b =/> c>>", "<(&&,a,b) ==> c>"},
                 {"<a =/> <b ==> c>>", "<(&/,a,b) =/> c>"},
                 {"<(&&,x,a) =/> <b ==> c>>", "<(&&,a,b,x) =/> c>"},
                 {"<(&/,x,a) ==> <b ==> c>>", "<(&/,x,a,b) ==> c>"},
                 {"<(#,x,a) ==> <b ==> c>>", "<(#,x,a,b) ==> c>"},
                 {"<(&&,x,a) ==> <a ==> c>>", "<(&&,a,x) ==> c>"},
                 {"<(&|,x,a) =/> <(&|,b,c) ==> d>>", "<(&|,a,b,c,x) =/> d>"},
                 {"<a =/> <(&/,+5,b) =/> c>>", "<(&/,a,+5,b) =/> c>"},
                 {"<(&/,a,+3) =/> <(&/,+5,b) =/> c>>", "<(&/,a,+8,b) =/> c>"},
                 {"<(&/,x,a) ==> <(#,b,c) ==> d>>", "<(&/,x,a,(#,b,c)) ==> d>"},
                 {"<a =/> <(#,b,c) =/> d>>", "<(&/,a,b,c) =/> d>"},
                 {"<(#,x,a) =/> <(&/,b,c) =/> d>>", "<(#,x,a,(&/,b,c)) =/> d>"},
                 {"<(&&,x,a) =/> <(&/,b,c) =/> d>>", "<(&&,a,b,c,x) =/> d>"},
                 {"<a ==> <(#,b,c) ==> d>>", "<(&&,a,b,c) ==> d>"},
                 {"<a ==> <b ==> <c ==> d>>>", "<(&&,a,b,c) ==> d>"},
             },
             {"<a ==> <b --> c>>"});
  CHECK(held_by(Dialect::opennars, "<a ==> <b ==> c>>").changes ==
        std::vector<std::string>{"OpenNARS makes '<(&&,a,b) ==> c>' of '<a ==> <b ==> c>>'"});
}

TEST_CASE("PyNARS flattens commutative compounds and sequences", "[narsese][fidelity]") {
  check_held(Dialect::pynars,
             {
                 {"(&&,(&&,a,b),c)", "(&&,a,b,c)"},
                 {"(||,(||,a,b),c)", "(||,a,b,c)"},
                 {"(&,(&,a,b),c)", "(&,a,b,c)"},
                 {"(|,(|,a,b),c)", "(|,a,b,c)"},
                 {"(&|,(&|,a,b),c)", "(&|,a,b,c)"},
                 {"(&/,(&/,a,b),c)", "(&/,a,b,c)"},
                 {"{{a},b}", "{a,b}"},
                 {"{{a}}", "{a}"},
                 {"[[a],b]", "[a,b]"},
                 {"<(&&,(&&,a,b),c) --> d>", "<(&&,a,b,c) --> d>"},
             },
             {"(*,(*,a,b),c)", "(-,(-,a,b),c)", "{[a],b}"});
}

TEST_CASE("PyNARS joins and intersects sets", "[narsese][fidelity]") {
  check_held(Dialect::pynars,
             {
                 {"(|,{a},{b})", "{a,b}"},
                 {"(&,[a],[b])", "[a,b]"},
                 {"(&,{a,b},{b,c})", "{b}"},
                 {"(|,[a,b],[b,c])", "[b]"},
                 {"(&,{a,b},{b,c},{b,d})", "{b}"},
                 {"(|,{a},{b},c)", "(|,{a,b},c)"},
                 {"(&,{a,b},{b,c},[x],[y],d)", "(&,{b},[x,y],d)"},
             },
             {"(|,{a},b)", "(|,{a},[b])", "(-,{a,b},{b})", "(~,[a,b],[b])", "(&&,{a},{b})",
              "<a ==> <b ==> c>>", "(&/,a,+1,+2,b)"});
}

TEST_CASE("dialects without a system change nothing", "[narsese][fidelity]") {
  for (const Dialect dialect : {Dialect::any, Dialect::common})
    check_held(dialect, {}, {"(&&,(&&,a,b),c)", "(--,(--,a))", "(|,{a},{b})"});
}

TEST_CASE("as_held_by is idempotent", "[narsese][fidelity][law]") {
  Random random(71);
  std::string counterexample;
  for (int block = 0; block < 10; ++block) {
    TermTable table;
    RandomTerms terms(random, table);
    for (int i = 0; i < 200; ++i)
      for (const Dialect dialect : {Dialect::ona, Dialect::opennars, Dialect::pynars}) {
        Sentence sentence{number_variables(table, terms.term()), Punctuation::question, {}, {}, {}};
        std::vector<std::string> changes, more;
        Term held = as_held_by(dialect, sentence.term, table, changes);
        CHECK((held == sentence.term) == changes.empty());
        while (as_held_by(dialect, held, table, more) != held) held = as_held_by(dialect, held, table, more);
        more.clear();
        as_held_by(dialect, held, table, more);
        if (!more.empty()) counterexample = print(sentence.term);
      }
  }
  CHECK(counterexample == "");
}

// --- terms that cannot be stored

TEST_CASE("ONA stores five levels of nesting", "[narsese][fidelity]") {
  std::string term = "a";
  for (int i = 0; i < 5; ++i) term = "<" + term + " --> x" + std::to_string(i) + ">";
  CHECK(why_not(Dialect::ona, term + ".") == "");
  CHECK(why_not(Dialect::ona, "{" + term + "}.") ==
        "ONA nests terms 5 deep, and '{" + term + "}' is nested 6 deep");
  CHECK(why_not(Dialect::ona, "{{{{{a}}}}}.") == "");
  CHECK(why_not(Dialect::ona, "{{{{{{a}}}}}}.") ==
        "ONA nests terms 5 deep, and '{{{{{{a}}}}}}' is nested 6 deep");
  CHECK(why_not(Dialect::opennars, "{" + term + "}.") == "");
}

TEST_CASE("ONA cannot store some sentences", "[narsese][fidelity]") {
  const std::string long_name(32, 'x');
  check_excess(Dialect::ona,
               {
                   {"<a --> a>.", "ONA silently drops '<a --> a>'"},
                   {"<a <-> a>! :|:", "ONA silently drops '<a <-> a>'"},
                   {"<(*,a,b) --> (*,a,b)>.", "ONA silently drops '<(*,a,b) --> (*,a,b)>'"},
                   {"a. %1;0.009%", "ONA silently drops a sentence with a confidence below 0.01"},
                   {"{a,b,c}.", "ONA holds at most two components, and '{a,b,c}' has 3"},
                   {"<[a,b,c] --> d>.", "ONA holds at most two components, and '[a,b,c]' has 3"},
                   {"(/,R,_,a,b).", "ONA holds at most two components, and '(/,R,_,a,b)' has 3"},
                   {"(/,R,_).", "ONA's images are of a relation and one argument, not as '(/,R,_)'"},
                   {"<(*,$1,$2,$3) --> a>?", "ONA holds at most two components, and '(*,$1,$2,$3)' has 3"},
                   {long_name + ".", "the name '" + long_name + "' has 32 bytes, but ONA keeps only 31"},
                   {"<-a --> b>.", "ONA garbles '<-' at the start of '<-a --> b>'"},
                   {"<a --> x/1y>.", "ONA garbles '/1' in the name 'x/1y'"},
                   {"<(&/,a,<(*,{x},b) --> ^go>) =/> c>.",
                    "ONA silently drops a prediction with '<(*,{x},b) --> ^go>': it plans for {SELF} alone"},
               },
               {"<a --> a>?", "<a ==> a>.", "<a <=> a>.", "a. %1;0.01%", "<b --> -a>.",
                "<(*,{SELF},a) --> ^go>.", "<(&/,a,<(*,{SELF},b) --> ^go>) =/> c>.",
                "<(&/,a,<(*,{x},b) --> ^go>) =/> c>?", "<(&/,a,<(*,{x},b) --> ^go>) =/> c>! :|:",
                "<(&/,a,<(*,{$1},b) --> ^go>) =/> c>.", "<(&/,a,<(*,x,b) --> ^go>) =/> c>."});
}

TEST_CASE("ONA has nine variables of a kind", "[narsese][fidelity]") {
  const auto with_variables = [](int n) {
    std::string text = "$1";
    for (int i = 2; i <= n; ++i) text = "(" + text + " * $" + std::to_string(i) + ")";
    return text + "?";
  };
  CHECK(why_not(Dialect::ona, with_variables(6)) == "");
  // Ten variables do not fit into a chain of five levels, but they fit into a tree.
  const std::string nine = "((($1 * $2) * ($3 * $4)) * (($5 * $6) * ($7 * ($8 * $9))))";
  CHECK(why_not(Dialect::ona, nine + "?") == "");
  CHECK(why_not(Dialect::ona, "(" + nine + " * #1)?") == "");
  CHECK(why_not(Dialect::ona, "(" + nine + " * $10)?") ==
        "ONA knows 9 variables of a kind, and '$10' is one more");
}

TEST_CASE("OpenNARS rejects meaningless statements", "[narsese][fidelity]") {
  const auto meaningless = [](const std::string& term) {
    return "OpenNARS finds '" + term + "' meaningless: one side repeats or contains the other";
  };
  for (const std::string term :
       {"<a --> a>", "<a ==> a>", "<a =/> a>", "<a <-> a>", "<a </> a>", "<a --> (&&,a,b)>", "<{a} --> a>",
        "<a ==> (&&,a,b)>", "<a =\\> (&&,a,b)>", "<a <=> (&&,a,b)>", "<<a --> b> ==> <b --> a>>",
        "<<a --> b> =/> <b --> a>>", "<<a --> b> --> <b --> a>>", "<a ==> <a ==> c>>",
        "<<(*,a,b) --> R> ==> <a --> (/,R,_,b)>>", "<<a --> (/,R,_,b)> ==> <(*,a,b) --> R>>",
        "<(/,a,_,b) --> (/,b,a,_)>", "<(&&,x,<(*,a,b) --> R>) --> (&&,x,<a --> (/,R,_,b)>)>",
        "<(\\,R,_,a) --> (\\,a,R,_)>"}) {
    TermTable table;
    CHECK(why_not(Dialect::opennars, term + ".") == meaningless(print(*parse_term(term, table))));
  }
  for (const std::string term :
       {"<a =/> (&&,a,b)>", "<a =|> (&&,a,b)>", "<a </> (&&,a,b)>", "<a <|> (&&,a,b)>",
        "<<a --> b> </> <b --> a>>", "<<a --> b> <|> <b --> a>>", "<a --> (/,a,_,b)>",
        "<(/,a,_,b) --> (/,b,_,a)>", "<<a --> (/,R,_,b)> ==> <b --> (/,R,a,_)>>",
        "<<a --> (/,R,_,b)> ==> <c --> (/,R,_,b)>>", "<<a --> b> ==> <c --> a>>"})
    CHECK(why_not(Dialect::opennars, term + ".") == "");
}

TEST_CASE("OpenNARS cannot store some sentences", "[narsese][fidelity]") {
  const auto confidence = [](const std::string& term) {
    return "OpenNARS gives '" + term + "' a confidence of 0: an interval or a $-variable is alone on a side";
  };
  const auto implication = [](const std::string& term) {
    return "OpenNARS rejects '" + term + "': it allows no implication there";
  };
  check_excess(Dialect::opennars,
               {
                   {"<<a ==> b> ==> c>.", implication("<<a ==> b> ==> c>")},
                   {"<<a <=> b> ==> c>.", implication("<<a <=> b> ==> c>")},
                   {"<a ==> <b <=> c>>.", implication("<a ==> <b <=> c>>")},
                   {"<a <=> <b ==> c>>.", implication("<a <=> <b ==> c>>")},
                   {"<a ==> +5>?", "OpenNARS rejects '<a ==> +5>': an interval implies nothing"},
                   {"<a <=> +5>?", "OpenNARS rejects '<a <=> +5>': an interval implies nothing"},
                   {"<a ==> <(&&,a,b) ==> c>>.",
                    "OpenNARS rejects '<a ==> <(&&,a,b) ==> c>>': as one implication it would repeat a side"},
                   {"<(&&,c,x) ==> <b ==> c>>.",
                    "OpenNARS rejects '<(&&,c,x) ==> <b ==> c>>': as one implication it would repeat a side"},
                   {"(&&,+1,+2).", "OpenNARS drops the intervals of '(&&,+1,+2)', which leaves nothing"},
                   {"(#,+1,+2).", "OpenNARS drops the intervals of '(#,+1,+2)', which leaves nothing"},
                   {"(-,a,a).", "OpenNARS finds that '(-,a,a)' leaves nothing"},
                   {"(~,[a],[a,b]).", "OpenNARS finds that '(~,[a],[a,b])' leaves nothing"},
                   {"$x.", "OpenNARS takes the $ of '$1' for a budget's"},
                   {"$x?", "OpenNARS takes the $ of '$1' for a budget's"},
                   {"+5.", confidence("+5")},
                   {"<$x --> b>.", confidence("<$1 --> b>")},
                   {"<b <-> $x>!", confidence("<b <-> $1>")},
                   {"<<$x --> a> ==> b>.", confidence("<<$1 --> a> ==> b>")},
                   {"<b <=> <$x --> a>>.", confidence("<b <=> <$1 --> a>>")},
                   {"<a%b --> c>.", "OpenNARS garbles '%' in the name 'a%b'"},
                   {"<a:b --> c>.", "OpenNARS garbles ':' in the name 'a:b'"},
               },
               {"<<a ==> b> --> c>.", "<a ==> <b ==> c>>.", "<+5 --> a>.", "{(#,+1,+2)}.", "(-,[a],[a,b]).",
                "$0.5;0.5;0.5$ $x.", "#x.", "+5?", "<$x --> b>?", "<#x --> b>.",
                "<<$x --> a> ==> <$x --> b>>.", "<<$x --> a> --> b>.", "<(*,$x) --> a>."});
}

TEST_CASE("PyNARS cannot store some sentences", "[narsese][fidelity]") {
  check_excess(Dialect::pynars,
               {
                   {"a-b.", "PyNARS reads letters, digits, _ and ' in names, not 'a-b'"},
                   {"<b --> ^go-to>.", "PyNARS reads letters, digits, _ and ' in names, not '^go-to'"},
                   {"$x.", "PyNARS reads no variable alone, as '$1'"},
                   {"?x?", "PyNARS reads no variable alone, as '?1'"},
                   {"(--,(--,a)).", "PyNARS takes the double negation '(--,(--,a))' for a single one"},
                   {"(&,{a},{b}).", "PyNARS finds nothing that the sets of '(&,{a},{b})' share"},
                   {"(|,[a],[b]).", "PyNARS finds nothing that the sets of '(|,[a],[b])' share"},
                   {"(&,{a},{b},c).", "PyNARS finds nothing that the sets of '(&,c,{a},{b})' share"},
                   {"{(&&,a,b)}.", "PyNARS takes '{(&&,a,b)}' for a set of the components of '(&&,a,b)'"},
                   {"[{a}].", "PyNARS takes '[{a}]' for a set of the components of '{a}'"},
               },
               {"\"a-b\".", "a'b_`5ü.", "{$x}.", "(|,{a},{b}).", "(&,{a},c).", "{(&&,a,b),c}.", "{(*,a,b)}.",
                "<a --> a>."});
}

TEST_CASE("is_plain_for_pynars accepts exactly the names that need no quotes", "[narsese][fidelity]") {
  for (const std::string_view name : {"a", "Z9", "_", "don't", "`x`", "ü", "鸟", "5"})
    CHECK(is_plain_for_pynars(name));
  for (const char c : std::string_view("! \"#$%&()*+,-./:;<=>?@[\\]^{|}~"))
    CHECK_FALSE(is_plain_for_pynars(std::string("a") + c));
}

// --- nesting in pairs

TEST_CASE("nested_by_twos nests components in pairs from the left", "[narsese][fidelity]") {
  TermTable table;
  const auto nested = [&](std::string_view text) {
    return print(nested_by_twos(*parse_term(text, table), table));
  };
  const auto term = [&](std::string_view text) { return print(*parse_term(text, table)); };
  CHECK(nested("(*,a,b,c)") == "(*,(*,a,b),c)");
  CHECK(nested("(*,a,b,c,d)") == "(*,(*,(*,a,b),c),d)");
  CHECK(nested("(&&,a,b,c)") == term("(&&,(&&,a,b),c)"));
  CHECK(nested("<(&/,a,b,c) =/> (||,d,e,f)>") == term("<(&/,(&/,a,b),c) =/> (||,(||,d,e),f)>"));
  CHECK(nested("{(*,a,b,c)}") == "{(*,(*,a,b),c)}");
  for (const std::string_view same :
       {"(*,a,b)", "(*,a)", "{a,b,c}", "[a,b,c]", "(/,R,_,a,b)", "(--,a)", "a", "<a --> b>"})
    CHECK(nested(same) == same);
}
