#!/bin/sh
# Tests the report on a user's file: questions and their answers are first, a picture shows agreement, and empty parts
# are omitted. The file may name the expected answers and the needed statements, and then methods are measured by
# them; otherwise the run explains how to add them.
. "$(dirname "$0")/lib.sh"
cat >coffee.nal <<'NAL'
<espresso --> coffee>.
<latte --> coffee>.
<coffee --> [hot]>. %0.9;0.9%
<coffee --> drink>.
<tea --> drink>.
<tea --> [hot]>.
<milk --> [white]>.
<sugar --> [sweet]>.
<espresso --> [hot]>?
<?what --> coffee>?
<sugar --> [hot]>?
NAL
expect 0 "$engram" run coffee.nal --out bare
says out "<espresso --> [hot]>?   (coffee.nal:9)"
says out "  <espresso --> [hot]>. %0.9;0.729%"
says out "  no answer"
says out "From the 12 best statements of a method, Engram's reasoner answers"
says out "  //expected: Answer: <espresso --> [hot]>."
says out "  //needed: <espresso --> coffee>."
# If the answer is a denial, the //expected: line in the output has its truth value. A file with this line gets the
# expected answer.
printf '%s\n' '<frog --> animal>.' '<animal --> [scaly]>. %0;0.9%' '<frog --> [scaly]>?' >denied.nal
expect 0 "$engram" run denied.nal --out denied
says out "  //expected: Answer: <frog --> [scaly]>. Truth: frequency=0, confidence=0.4263"
grep -h "//expected: Answer: <frog" out >>denied.nal
sed -i 's,^ *//,//,' denied.nal
expect 0 "$engram" run denied.nal --out denied_expected
says out "<frog --> [scaly]>. %0;0.4263%   as expected"
cp coffee.nal expected.nal
cat >>expected.nal <<'NAL'
//expected: Answer: None.
<latte --> [hot]>?
//expected: Answer: <latte --> [hot]>.
//needed: <latte --> coffee>.
//needed: <coffee --> [hot]>.
NAL
expect 0 "$engram" run expected.nal --out expected
says out "(expected.nal:11; expected: no answer)"
says out "  no answer   as expected"
says out "  <latte --> [hot]>. %0.9;0.729%   as expected"
tr '\n' ' ' <out >line
says line "It answers 2 of 2 questions as expected with"
! grep -q warning err || fail "a warning about valid directives"
cat >look.py <<'PY'
import csv, glob, json, re

def tables(run):
    return {path.rsplit("/", 1)[1][:-4]: list(csv.reader(open(path))) for path in glob.glob(run + "/tables/*.csv")}

for run, measured in (("bare", False), ("expected", True)):
    summary = json.load(open(run + "/summary.json"))
    found = tables(run)
    # Tables have rows, and columns have values other than dashes.
    for name, rows in found.items():
        assert len(rows) > 1, (run, name)
        for column in range(1, len(rows[0])):
            assert any(row[column] not in ("", "-") for row in rows[1:]), (run, name, rows[0][column])
    head = found["methods"][0]
    assert ("kept" in head) == ("as expected" in head) == measured and "answered" in head, head
    assert ("cues" in found) == ("leads" in found and "kept" in head) == measured, list(found)
    # Every question lists every method once.
    methods = [row[0] for row in found["methods"][1:]]
    by_question = {}
    for question, *_, number, names in found["answers"][1:]:
        own = methods if names == f"all {len(methods)} methods" else names.split(", ")
        assert len(own) == float(number), names
        by_question.setdefault(question, []).extend(own)
    assert len(by_question) == (4 if measured else 3)
    for question, own in by_question.items():
        assert sorted(own) == sorted(methods), (question, own)
    # The numbers in the tables and in the conclusion follow from the rows.
    rows = [json.loads(line) for line in open(run + "/results.jsonl")]
    answered = {m: sum(row["answered"] for row in rows if row["method"] == m) for m in methods}
    questions = len(by_question)
    for method, share in zip(methods, (row[1] for row in found["methods"][1:])):
        assert abs(float(share) - answered[method] / questions) < 1e-9, method
    sentence = re.search(r"reasoner answers (\d+) of (\d+) questions with (.+?)(?:, and (\d+), the fewest, with (.+?))?\.", summary["answer"])
    assert sentence and int(sentence[1]) == max(answered.values()) and int(sentence[2]) == questions, summary["answer"]
    assert int(sentence[4] or sentence[1]) == min(answered.values()), summary["answer"]
    # Questions come first, then agreement, then the rest.
    report = open(run + "/report.html").read()
    places = [report.index(part) for part in ("<h2>Questions</h2>", "<h2>Agreement of the methods</h2>", "<h2>Tables</h2>")]
    assert places == sorted(places) and "<figure class=\"plot\">" not in report[:places[1]], places
    assert "<title>" in report[places[1]:places[2]] and report.count("//needed:") == (0 if measured else 1)
    assert "├─" in report  # a proof tree
PY
python3 look.py
# If a file has no questions, the run holds out parts of statements, and writes no table of answers.
head -n 8 coffee.nal >statements.nal
expect 0 "$engram" run statements.nal --out statements
says statements/report.html "<h2>Statements with a part left out</h2>"
[ ! -e statements/tables/answers.csv ] || fail "answers to no question"
