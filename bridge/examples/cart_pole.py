#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A cart with a pole for a NARS, which pushes the cart to the left or to the right so that the pole stays up.

    cart_pole.py [STEPS [COMMAND]]      COMMAND runs the stream (default: engram stream --system engram ..)

Cart, pole, time step and boxes are those of Barto, Sutton and Anderson 1983, "Neuronlike adaptive elements that can solve
difficult learning control problems", without friction. The NARS perceives the box of each variable, among irrelevant
lights. The right push depends on two boxes together: those of the pole's angle and of its angular velocity.
"""
import json, math, random, shlex, subprocess, sys

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
command = sys.argv[2] if len(sys.argv) > 2 else "engram stream --system engram --operations ^left,^right"
pushes = {"^left": -10.0, "^right": 10.0}  # N
gravity, pole_mass, all_mass, half_length, tau = 9.8, 0.1, 1.1, 0.5, 0.02
degree = math.pi / 180
edges = {"position": (-0.8, 0.8), "velocity": (-0.5, 0.5), "angle": (-6 * degree, -degree, 0, degree, 6 * degree),
         "turning": (-50 * degree, 50 * degree)}


def moved(state, force):
    x, speed, angle, turning = state
    push = (force + pole_mass * half_length * turning ** 2 * math.sin(angle)) / all_mass
    turn = (gravity * math.sin(angle) - math.cos(angle) * push) / (
        half_length * (4 / 3 - pole_mass * math.cos(angle) ** 2 / all_mass))
    speed_up = push - pole_mass * half_length * turn * math.cos(angle) / all_mass
    return x + tau * speed, speed + tau * speed_up, angle + tau * turning, turning + tau * turn


def fallen(state):
    return abs(state[0]) > 2.4 or abs(state[2]) > 12 * degree


def lean(state):
    """How far the pole is from falling neither way: angle + angular velocity / rate of the fall."""
    return state[2] + state[3] / math.sqrt(gravity / (4 / 3 * half_length))


def seen(state, rng):
    boxes = ["%s_%d" % (name, sum(value >= edge for edge in edges[name])) for name, value in zip(edges, state)]
    return rng.sample(boxes + ["light_%d" % rng.randrange(100) for _ in range(10)], len(boxes) + 10)


def live(push_of):
    """Mean number of steps until the pole falls, in each half of the life. A step calls push_of(state, steadier)."""
    rng, state, since, lengths = random.Random(1), None, 0, ([], [])
    for step in range(steps):
        if state is None:
            state, since = tuple(rng.uniform(-0.05, 0.05) for _ in range(4)), step
        before = state
        state = moved(state, push_of(state, rng, lambda force: abs(lean(moved(before, force))) < abs(lean(before))))
        if fallen(state) or step in (steps // 2 - 1, steps - 1):
            lengths[step >= steps // 2].append(step + 1 - since)
            state = None
    return tuple(sum(own) / len(own) for own in lengths)


stream = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def say(**line):
    print(json.dumps(line), file=stream.stdin, flush=True)


def push_by_nars(state, rng, steadier):
    for thing in seen(state, rng):
        say(narsese="<{%s} --> [seen]>. :|:" % thing)
    say(narsese="steadier! :|:")
    say(ask="operations", goal="steadier", id="step")
    operation = None  # the stream reports operations before it answers a question
    for line in stream.stdout:
        told = json.loads(line)
        if told.get("id") == "step":
            break
        if told.get("event") == "executed" and not told.get("unknown"):
            operation = operation or told["term"]
    force = pushes[operation] if operation else 0.0
    if operation and steadier(force):
        say(narsese="steadier. :|:")
    say(cycles=30)
    return force


print("steps until the pole falls, in the first and the second half of %d steps" % steps)
print("  by the NARS: %.0f, %.0f" % live(push_by_nars))
print("  at random: %.0f, %.0f" % live(lambda state, rng, steadier: rng.choice(list(pushes.values()))))
print("  by the angle alone: %.0f, %.0f" % live(lambda state, rng, steadier: math.copysign(10.0, state[2])))
stream.stdin.close()
sys.exit(stream.wait())
