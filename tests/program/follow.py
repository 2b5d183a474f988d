# SPDX-License-Identifier: MIT
"""follow.py SOURCE PAGE...: runs the console blocks of pages in the current folder, as a newcomer would type them.

Every command must succeed and print the lines below it. There "..." as a line, or after a space or a comma, matches
anything. Blocks of sh are not run, because they need something that a test lacks. A block after a line that ends with
`FILE`: must be part of that file. A page must be short and have no dead links. Prints the number of commands.
"""
import os
import re
import subprocess
import sys


def commands(text):
    """Yields the commands of a page, each with the lines below it."""
    for block in re.findall(r"```console\n(.*?)```", text, re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, expected = part.partition("\n")
            yield command, expected


def run(page, command, expected):
    # The quickstart mostly builds, so only its last step is checked here.
    command = command.replace("./experiments/quickstart", "echo == engram run drowning; "
                              "engram run drowning; echo")
    done = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    # Long runs print their progress.
    printed = re.sub(r"^\w+: \d+ of \d+ trials.*\n", "", done.stdout, flags=re.M)
    pattern = "".join("(?s:.*)" if line == "..." else
                      ".*".join(re.escape(piece) for piece in re.split(r"(?<=[ ,])\.\.\.", line)) + "\n"
                      for line in expected.splitlines())
    # A command shown with an error must fail: with exit code 1 for wrong input, FILE:LINE:COLUMN: error: ...
    wanted = (0,) if " error: " not in expected else (1, 2, 3) if re.match(r"\w+: error: ", expected) else (1,)
    assert done.returncode in wanted, (page, command, done.returncode, done.stdout)
    assert re.fullmatch(pattern, printed), f"$ {command}\nprinted\n{printed}\n{page} shows\n{expected}"


def check_words(source, page, text):
    assert text.count("\n") <= 250, (page, "has more than 250 lines")
    for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
        assert os.path.exists(os.path.join(source, os.path.dirname(page), link)), (page, link)
    for name, block in re.findall(r"`([^`\n]+)`:\n\n?```\w+\n(.*?)```", text, re.S):
        with open(os.path.join(source, name), encoding="utf-8") as file:
            assert block in file.read(), f"{page}: {name} does not contain this block:\n{block}"


def main(source, *pages):
    checked = 0
    for page in pages:
        with open(os.path.join(source, page), encoding="utf-8") as file:
            text = file.read()
        check_words(source, page, text)
        for command, expected in commands(text):
            if command == "./tests/run":
                continue  # this test is one of them
            run(page, command, expected)
            checked += 1
    print(checked)


main(*sys.argv[1:])
