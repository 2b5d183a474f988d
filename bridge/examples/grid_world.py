#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A grid world for a NARS. It perceives the smell of food, walls, and irrelevant leaves, and learns to follow the smell.

    grid_world.py [STEPS [COMMAND]]      COMMAND runs the stream (default: engram stream --system engram ..)
"""
import json, random, shlex, subprocess, sys

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 400
command = sys.argv[2] if len(sys.argv) > 2 else "engram stream --system engram --operations ^left,^right,^up,^down"
moves = {"^left": (-1, 0), "^right": (1, 0), "^up": (0, -1), "^down": (0, 1)}
size, rng = 7, random.Random(1)
free = [(x, y) for x in range(size) for y in range(size) if (x, y) not in {(2, 2), (2, 4), (4, 2), (4, 4)}]  # others: walls
me, food, followed, eaten = (0, 0), (1, 3), [], 0
stream = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def say(**line):
    print(json.dumps(line), file=stream.stdin, flush=True)


def did():
    """The operations that the NARS executed since the last call. The stream reports them before it answers a question."""
    say(ask="operations", goal="nearer", id="step")
    operations = []
    for line in stream.stdout:
        told = json.loads(line)
        if told.get("id") == "step":
            return operations
        if told.get("event") == "executed" and not told.get("unknown"):
            operations.append(told["term"])


def to(way):
    return me[0] + moves[way][0], me[1] + moves[way][1]


def far(place):
    return abs(place[0] - food[0]) + abs(place[1] - food[1])


for step in range(steps):
    ways = [way for way in moves if to(way) in free]
    smells = rng.choice([way for way in ways if far(to(way)) < far(me)] or ways)  # direction of the smell
    seen = ["smell_" + smells[1:]] + ["wall_" + way[1:] for way in moves if way not in ways]
    seen += ["leaf_%d" % rng.randrange(100) for _ in range(10)]
    for thing in rng.sample(seen, len(seen)):
        say(narsese="<{%s} --> [seen]>. :|:" % thing)
    say(narsese="nearer! :|:")
    for operation in did()[:1]:
        me = to(operation) if operation in ways else me
        if operation == smells:
            say(narsese="nearer. :|:")
            followed.append(step)
        if me == food:
            eaten += 1
            food = rng.choice([place for place in free if place != me])
    say(cycles=30)
stream.stdin.close()
late = sum(step >= steps // 2 for step in followed)
print("food eaten: %d; after its smell: %d steps of the first %d, %d of the last %d"
      % (eaten, len(followed) - late, steps // 2, late, steps - steps // 2))
sys.exit(stream.wait())
