#!/bin/sh
# The console blocks of the README and of each other page, as a newcomer would type them: each command must succeed and
# print what stands below it, where "..." as a line or after a blank stands for anything. The C++ is what is compiled.
. "$(dirname "$0")/lib.sh"
cp -r "$source/experiments" .
cat >follow.py <<'PY'
import glob, os, re, subprocess, sys

source, example = sys.argv[1:]
names = sorted(glob.glob("**/*.md", root_dir=source, recursive=True))
names = [name for name in names if not name.startswith("build/")]
pages = {page: open(f"{source}/{page}", encoding="utf-8").read() for page in names}
assert "experiments/answering/README.md" in pages and len(pages) >= 12, names
for page, text in pages.items():
    assert text.count("\n") <= 250, page
checked = 0
for page, block in [(page, block) for page, text in pages.items() for block in re.findall(r"```console\n(.*?)```", text, re.S)]:
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, expected = part.partition("\n")
        if command == "./tests/run":
            continue  # this is one of its tests
        # The quickstart's own work is building: its last step is what is checked here.
        command = command.replace("./experiments/quickstart", "echo == engram run drowning; "
                                  "engram run drowning --out $PWD/engram-runs/drowning; echo")
        run = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        pattern = "".join("(?s:.*)" if line == "..." else
                          ".*".join(re.escape(piece) for piece in re.split(r"(?<= )\.\.\.", line)) + "\n"
                          for line in expected.splitlines())
        # A command shown with an error message is expected to fail, any other to succeed.
        wanted = 1 if " error: " in expected else 0
        assert run.returncode == wanted, (command, run.returncode, run.stdout)
        assert re.fullmatch(pattern, run.stdout), f"$ {command}\nprinted\n{run.stdout}\n{page} shows\n{expected}"
        checked += 1
assert checked >= 18, checked
# No link leads nowhere.
for page, text in pages.items():
    for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
        assert os.path.exists(os.path.join(source, os.path.dirname(page), link)), (page, link)
# The example in C++, and what it prints.
code = open(f"{source}/core/examples/budget.cpp", encoding="utf-8").read()
printed = subprocess.run([example], stdout=subprocess.PIPE, text=True, check=True).stdout
assert f"```cpp\n{code[code.index('#include'):]}```\n\n```\n{printed}```" in pages["README.md"], printed
PY
PATH=$(dirname "$engram"):$PATH expect 0 python3 follow.py "$source" "$(dirname "$engram")/../tests/budget_example"
# Tables of results are the program's own; the others take minutes: `tests/results --check`.
ENGRAM=$engram expect 0 "$source/tests/results" --check comparison
# The picture is what the program draws today.
expect 0 "$engram" run experiments/specs/icons.json --out icons
cmp icons/plots/film.svg experiments/icons/icons.svg
