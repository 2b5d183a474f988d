#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs attention, or a step of a modern Hopfield network, with torch on one thread. Prints the median CPU seconds of a run.

    torch_peer.py attention KEYS COLUMNS QUERIES | top KEYS COLUMNS K | modern PATTERNS COLUMNS
"""
import sys, time

import torch

torch.set_num_threads(1)
torch.manual_seed(1)
what, rows, columns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
keys = torch.rand(rows, columns) * 2 - 1
scale = 8 / columns**0.5
if what == "modern":
    state = keys[0] + 0.6 * torch.rand(columns) - 0.3

    def work():
        return torch.softmax(scale * (keys @ state), 0) @ keys
elif what == "top":
    query, best = torch.rand(columns) * 2 - 1, int(sys.argv[4])

    def work():
        return torch.topk(keys @ query, best)
else:
    values, queries = torch.rand(rows, columns) * 2 - 1, torch.rand(int(sys.argv[4]), columns) * 2 - 1

    def work():
        return torch.softmax(scale * (queries @ keys.T), 1) @ values


def seconds():
    begin = time.process_time()
    work()
    return time.process_time() - begin


with torch.no_grad():
    seconds()  # warm-up
    print(sorted(seconds() for _ in range(3))[1])
