#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A stand-in for a NARS that acts, in ONA's format: at each goal it executes the operation of the last event.

    fake_actor.py [--log FILE] [--slow SECONDS] [--die EVERY SEED] [--unknown EVERY]

After an event `go_NAME` it executes ^NAME at the next goal, otherwise ^left. `--log` records every line it reads,
`--slow` delays each goal, `--die` ends by SIGKILL at random lines, about one in EVERY, `--unknown` executes ^surprise
at each EVERY-th goal. It believes eternal statements and answers questions about them.
"""
import os, random, re, signal, sys, time

arguments = dict(log="", slow="", die=0, seed=0, unknown="")
rest = iter(sys.argv[1:])
for argument in rest:
    if argument == "--die":
        arguments["die"], arguments["seed"] = int(next(rest)), next(rest)
    else:
        arguments[argument[2:]] = next(rest)
dice = random.Random("%s/%d" % (arguments["seed"], time.time_ns() if arguments["die"] else 0))
log = open(arguments["log"], "a") if arguments["log"] else None
operation, goals, believed = "^left", 0, set()


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


for line in sys.stdin:
    text = line.rstrip("\n")
    if log:
        log.write(text + "\n")
        log.flush()
    if arguments["die"] and dice.randrange(arguments["die"]) == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    if text.isdigit():
        say("performing %s inference steps:" % text)
        say("done with %s additional inference steps." % text)
    elif text.endswith("! :|:"):
        goals += 1
        if arguments["slow"]:
            time.sleep(float(arguments["slow"]))
        unknown = arguments["unknown"] and goals % int(arguments["unknown"]) == 0
        say("%s executed with args " % ("^surprise" if unknown else operation))
        operation = "^left"
    elif text.endswith("?"):
        known = text[:-1] in believed
        say("Answer: %s. Truth: frequency=1.000000, confidence=0.900000" % text[:-1] if known else "Answer: None.")
    elif ":|:" in text:
        called = re.match(r"go_(\w+)\. :\|:", text)
        if called:
            operation = "^" + called[1]
    elif not text.startswith("*"):
        believed.add(text[:-1])
