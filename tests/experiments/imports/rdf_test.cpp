// SPDX-License-Identifier: MIT
#include "experiments/imports/rdf.hpp"

#include <sstream>

#include "tests/experiments/imports/gathered.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::testing;
using Lines = std::vector<std::string>;

namespace {

const std::string prefixes =
    "@prefix : <http://e.org/> .\n"
    "@prefix ex: <http://example.org/ns#> .\n"
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    "PREFIX owl: <http://www.w3.org/2002/07/owl#>\n";

RdfRead read_turtle(Gathered& gathered, const std::string& text, const RdfOptions& options = {},
                    const std::string& name = "f.ttl") {
  std::istringstream file(text);
  return read_rdf(name, file, *rdf_syntax(name), options, gathered.knowledge, unwatched);
}

Lines statements_of(const std::string& text, const RdfOptions& options = {},
                    narsese::Dialect to = narsese::Dialect::any) {
  Gathered gathered;
  read_turtle(gathered, prefixes + text, options);
  CHECK(gathered.told.empty());
  const auto written = gathered.written(to);
  CHECK(statements_read(written.text) == written.statements);
  return lines_of(written.text);
}

}  // namespace

TEST_CASE("RDF's own predicates become copulas, other predicates products", "[experiments][imports]") {
  CHECK(statements_of(":Cat rdfs:subClassOf :Animal , [ a :Thing ] .\n"
                      ":tim a :Cat ; owl:sameAs ex:timothy ; ex:likes :fish , ex:milk .\n") ==
        Lines{"<Cat --> Animal>.", "<Cat --> b1>.", "<{b1} --> Thing>.", "<{tim} --> Cat>.",
              "<timothy <-> {tim}>.", "<(*,{tim},fish) --> likes>.", "<(*,{tim},milk) --> likes>."});
  RdfOptions skos;
  skos.inheritance = {"http://www.w3.org/2004/02/skos/core#broader"};
  CHECK(statements_of("@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
                      ":Cat skos:broader :Animal ; rdfs:subClassOf :Animal .",
                      skos) == Lines{"<Cat --> Animal>.", "<(*,Cat,Animal) --> subClassOf>."});
}

TEST_CASE("a name is shortened by the longest matching prefix", "[experiments][imports]") {
  RdfOptions options;
  options.names = RdfNames::prefixed;
  const std::string nested =
      "@prefix e: <http://e/> .\n"
      "@prefix ea: <http://e/a> .\n"
      "@prefix eab: <http://e/ab/> .\n"
      "@prefix z: <http://e/ab/z/> .\n"
      "@prefix : <http://e/none/> .\n";
  CHECK(statements_of(nested + "<http://e/x> <http://e/ax> <http://e/ab/y> .\n"
                               "<http://e/abc> <http://e/ab/> <http://e/ab/z/> .\n"
                               "<http://e/none/n> <http://e/ab/zz> <http://f/q> .\n",
                      options) ==
        Lines{"<(*,e_x,eab_y) --> ea_x>.", "<(*,ea_bc,eab_z_) --> ea_b_>.", "<(*,e_none_n,q) --> eab_zz>."});
}

TEST_CASE("a blank node's label is local to its file", "[experiments][imports]") {
  Gathered gathered;
  read_turtle(gathered, "_:x <http://e.org/r> [ <http://e.org/r> _:x ] , _:b1 .");
  read_turtle(gathered, "_:x <http://e.org/r> _:x .", {}, "g.ttl");
  const Lines lines = lines_of(gathered.written().text);
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == "<(*,x,b1) --> r>.");
  CHECK(lines[1] == "<(*,b1,x) --> r>.");
  // libserd renames the label b1, which could collide with its own label for [ ].
  CHECK(lines[2] == "<(*,x,B1) --> r>.");
  CHECK(lines[3] == "<(*,f2_x,f2_x) --> r>.");
  CHECK(gathered.told.empty());
}

TEST_CASE("literals are omitted, become names, or become quoted names", "[experiments][imports]") {
  const std::string text =
      ":tim rdfs:label \"Tim \\\"the\\u0020cat\\\"\"@en , \"New York\" , 'x', \"x\"@fr ; ex:age 7 ; ex:knows "
      ":x .\n";
  CHECK(statements_of(text) == Lines{"<(*,tim,x) --> knows>."});
  Gathered gathered;
  CHECK(read_turtle(gathered, prefixes + text).literals == 5);

  RdfOptions names;
  names.literals = RdfLiterals::names;
  const auto read = [&](const RdfOptions& options, narsese::Dialect to) {
    Gathered all;
    read_turtle(all, prefixes + text, options);
    return all.written(to).text;
  };
  const std::string named = read(names, narsese::Dialect::any);
  CHECK(lines_of(named).at(0) == "<(*,tim,Tim__the_cat_) --> label>.");
  CHECK(lines_of(named).at(1) == "<(*,tim,New_York) --> label>.");
  CHECK(lines_of(named).at(2) == "<(*,tim,x) --> label>.");
  CHECK(lines_of(named).at(4) == "<(*,tim,n7) --> age>.");
  CHECK(lines_of(named, "//name: Tim__the_cat_ ") ==
        Lines{"//name: Tim__the_cat_ is \"\\\"Tim \\\"the cat\\\"\\\"@en\""});
  CHECK(lines_of(named, "//name: n7 ") ==
        Lines{"//name: n7 is \"\\\"7\\\"^^<http://www.w3.org/2001/XMLSchema#integer>\""});

  RdfOptions quoted;
  quoted.literals = RdfLiterals::quoted;
  CHECK(lines_of(read(quoted, narsese::Dialect::pynars)).at(1) == "<(*,tim,\"New York\") --> label>.");
  CHECK(lines_of(read(quoted, narsese::Dialect::pynars)).at(2) == "<(*,tim,\"x\") --> label>.");
  // Another literal with the text x gets a distinct name.
  CHECK(lines_of(read(quoted, narsese::Dialect::pynars)).at(3).starts_with("<(*,tim,n_x__"));
  CHECK(lines_of(read(quoted, narsese::Dialect::ona)).at(1) == "<(tim * n_New_York_) --> label>.");
}

TEST_CASE("IRIs become local names, prefixed names or full names", "[experiments][imports]") {
  const std::string text = ":a <urn:isbn:12> <http://e.org/long/path/> . ex:a ex:r :a .";
  RdfOptions options;
  Gathered local;
  read_turtle(local, prefixes + text, options);
  CHECK(lines_of(local.written().text).at(0) == "<(*,a,path) --> n12>.");
  CHECK(local.told.size() == 1);  // one warning: two IRIs have the local name a
  options.names = RdfNames::prefixed;
  CHECK(statements_of(text, options) == Lines{"<(*,a,path) --> n12>.", "<(*,ex_a,a) --> ex_r>."});
  options.names = RdfNames::full;
  CHECK(statements_of(text, options).at(1) ==
        "<(*,http___example_org_ns_a,http___e_org_a) --> http___example_org_ns_r>.");
}

TEST_CASE("relative IRIs, escapes, lists and comments are parsed as Turtle defines",
          "[experiments][imports]") {
  CHECK(statements_of("@base <http://b.org/dir/> . # <http://x> . \"\n"
                      "<doc.1> <#p.q> ex:a\\,b ; ex:list ( :one ) . # end\n"
                      "<../up>ex:r<doc.1>.<doc.1>ex:r ex:v1.5.\n"
                      "ex:l ex:r \"\"\"long . \" string\n. \"\"\" , :last .") ==
        Lines{"<(*,doc_1,a_b) --> p_q>.", "<(*,doc_1,b1) --> list>.", "<(*,b1,one) --> first>.",
              "<(*,b1,nil) --> rest>.", "<(*,up,doc_1) --> r>.", "<(*,doc_1,v1_5) --> r>.",
              "<(*,l,last) --> r>."});
}

TEST_CASE("an error has its place, its statement is skipped, and parsing continues",
          "[experiments][imports]") {
  Gathered gathered;
  read_turtle(gathered,
              prefixes +  // the prefixes are the first four lines
                  ":a :r :b .\n"
                  ":a :r :c ; ;; :d .\n"
                  ":a nope:r :f .\n"
                  ":a :r :g ,\n   \"bad \\q\" .\n"
                  ":a :r :\xFFh .\n"
                  ":a :r \"half\n"
                  ":a :r :i .\n"
                  ":a :r :j");
  // The positions of errors are libserd's. An unclosed string also consumes the statement after it.
  CHECK(gathered.told ==
        Lines{"f.ttl:6:19: error: expected digit", "f.ttl:7:4: error: no prefix is known for 'nope:r'",
              "f.ttl:9:9: error: invalid escape `\\q'",
              "f.ttl:10:8: error: expected UTF-8 text, found an invalid byte",
              "f.ttl:11:12: error: line end in short string", "f.ttl:13:9: error: unexpected end of file"});
  CHECK(lines_of(gathered.written().text) == Lines{"<(*,a,b) --> r>."});
}

TEST_CASE("N-Triples are parsed line by line", "[experiments][imports]") {
  Gathered gathered;
  read_turtle(gathered,
              "<http://e.org/a> <http://e.org/r> <http://e.org/b> . # so\n"
              "\n"
              "# a comment\n"
              "<http://e.org/a> <http://e.org/r> .\n"
              "_:x <http://e.org/r> \"a\\tliteral\" .\n"
              "_:x <http://e.org/r> _:y .",
              {}, "f.nt");
  REQUIRE(gathered.told.size() == 1);
  CHECK(gathered.told[0].starts_with("f.nt:4:"));
  CHECK(lines_of(gathered.written().text) == Lines{"<(*,a,b) --> r>.", "<(*,x,y) --> r>."});
}

TEST_CASE("a byte order mark is skipped at the start of RDF and an error elsewhere",
          "[experiments][imports]") {
  const std::string mark = "\xEF\xBB\xBF", fact = "<http://e.org/a> <http://e.org/r> <http://e.org/b> .\n",
                    found =
                        "error: expected a statement, found a byte order mark (U+FEFF), which is allowed "
                        "only at the start of a file";
  for (const char* name : {"f.nt", "f.ttl"}) {
    Gathered gathered;
    read_turtle(gathered, mark + fact + mark + fact, {}, name);
    CHECK(gathered.told == Lines{std::string(name) + ":2:1: " + found});
    CHECK(lines_of(gathered.written().text) == Lines{"<(*,a,b) --> r>."});
  }
}

TEST_CASE("deep brackets are refused because libserd parses them recursively", "[experiments][imports]") {
  Gathered gathered;
  std::string deep = "<http://e.org/a> <http://e.org/r> ";
  for (int i = 0; i < 100'000; ++i) deep += "[ <http://e.org/r> ";
  read_turtle(gathered, deep + ".\n<http://e.org/a> <http://e.org/r> <http://e.org/b> .");
  CHECK(gathered.told == Lines{"f.ttl:1:1: error: expected at most 256 levels of brackets, found 100000"});
  CHECK(lines_of(gathered.written().text) == Lines{"<(*,a,b) --> r>."});
}

TEST_CASE("other RDF syntaxes are recognised and refused by name", "[experiments][imports]") {
  CHECK(!rdf_syntax("a.owl"));
  CHECK(foreign_syntax("a.owl", "\xEF\xBB\xBF<?xml version=\"1.0\"?>").find("found RDF/XML:") !=
        std::string::npos);
  CHECK(foreign_syntax("a.jsonld", " {\"@id\": 1}").find("found JSON-LD:") != std::string::npos);
  CHECK(foreign_syntax("a.trig", "").find("found named graphs:") != std::string::npos);
  CHECK(foreign_syntax("a.txt", "x").find("found an unknown syntax:") != std::string::npos);
}

TEST_CASE("Turtle is split at ends of statements, not within names, numbers, strings and IRIs",
          "[experiments][imports]") {
  const std::vector<std::string> parts{
      "a:b a:c 1.5 .",          "a:b a:c a:d.e.",  "<http://x.y/z.> a \"q. \\\" .\" .",
      "a:b a:c '''x.'y. ''' .", "a:b a:c 'x.y' .", "a:b a:c a:d\\.e ."};
  std::string text;
  for (const std::string& part : parts) text += "# . comment\n " + part + "\n";
  std::istringstream file(text);
  TurtleStatements statements(file, unwatched);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    REQUIRE(statements.next());
    CHECK(statements.statement() == parts[i]);
    CHECK(statements.line() == 2 * (i + 1));
    CHECK(statements.column() == 2);
  }
  CHECK(!statements.next());
}

TEST_CASE("the split of Turtle does not depend on block boundaries", "[experiments][imports]") {
  const std::string text =
      "a:b a:c 1.5 , a:d.e. <http://x/y.> a '''q\\''. ''' , \"\", \"\\\".\" , 'x\n# no . end\n a:\\. [ ( ) ] "
      ".\n"
      "# \"\n \r\n\"\"\"\"\". \"\"\" a b.";
  struct Cut {
    std::string statement;
    std::uint32_t line, column;
    std::size_t depth;
    bool operator==(const Cut&) const = default;
  };
  const auto cuts = [](const std::string& whole) {
    std::istringstream file(whole);
    TurtleStatements statements(file, unwatched);
    std::vector<Cut> all;
    while (statements.next())
      all.push_back({std::string(statements.statement()), statements.line() - (whole[0] == '#'),
                     statements.column(), statements.depth()});
    CHECK(statements.digest() == bridge::sha256_of_text(whole));
    return all;
  };
  const auto expected = cuts(text);
  REQUIRE(expected.size() == 3);
  CHECK(expected[2] == Cut{"\"\"\"\"\". \"\"\" a b.", 6, 1, 0});
  for (std::size_t before = 0; before <= text.size(); ++before) {
    const std::string comment = "#" + std::string(SourceBlocks::block_bytes - before - 2, '.') + "\n";
    CHECK(cuts(comment + text) == expected);
  }
}

TEST_CASE("Turtle needs memory only for its longest statement", "[experiments][imports]") {
  const std::string fact = "<http://e.org/a> <http://e.org/r> <http://e.org/b> .\n", literal(300'000, 'x');
  std::string text;
  for (int i = 0; i < 20; ++i) {
    text += "#" + std::string(1'000'000, '.') + "\n" + fact;
    text += "<http://e.org/a> <http://e.org/r> \"" + literal + "\" .\n";
  }
  const core::WorkBudget work({.bytes = 5'000'000});
  Gathered gathered;
  CHECK(read_turtle(gathered, text).literals == 20);
  CHECK(lines_of(gathered.written().text) == Lines{"<(*,a,b) --> r>."});
  CHECK(work.peak_reserved() > 2 * literal.size());
  const std::string longer =
      fact + "  <http://e.org/a> <http://e.org/r> \"" + std::string(6'000'000, 'x') + "\" .\n";
  CHECK_THROWS_WITH(read_turtle(gathered, longer),
                    Catch::Matchers::StartsWith("f.ttl:2:3: no room for this statement: this needs ") &&
                        Catch::Matchers::EndsWith("; the limit is 5000000"));
  // A short text that yields many statements also exceeds the limit.
  std::string many = fact + "<http://e.org/a> <http://e.org/r> <b>";
  for (int i = 0; i < 50'000; ++i) many += ",<b>";
  CHECK_THROWS_WITH(read_turtle(gathered, many + "."),
                    Catch::Matchers::StartsWith("f.ttl:2:1: no room for this statement: "));
  std::string prefixes;
  for (int i = 0; i < 50'000; ++i) prefixes += "@prefix p" + std::to_string(i) + ": <http://e.org/> .\n";
  CHECK_THROWS_AS(read_turtle(gathered, prefixes), core::WorkStopped);
}
