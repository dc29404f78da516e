#!/usr/bin/env python3
"""Runs a model written by `hindsight compile ... -o model.pt` in plain PyTorch.

    python3 load_pt.py model.pt abab aab        # `accept` or `reject` for each word
    python3 load_pt.py model.pt --words FILE    # a word a line

Letters with longer names are separated by spaces: 'open close'.
"""
import json
import sys

import torch


def main(path, *words):
    if words[:1] == ("--words",):
        with open(words[1]) as file:
            words = file.read().splitlines()
    extra = {"hindsight": ""}
    model = torch.jit.load(path, _extra_files=extra)
    alphabet = json.loads(extra["hindsight"])["alphabet"]
    number = {name: i for i, name in enumerate(alphabet)}
    single = all(len(name) == 1 for name in alphabet)
    by_length = {}  # words of equal length are one tensor
    for i, word in enumerate(words):
        names = [] if word == "ε" and word not in number else list(word) if single else word.split()
        unknown = [name for name in names if name not in number]
        if unknown:
            sys.exit(f"load_pt.py: {unknown[0]!r} is not in the alphabet {' '.join(alphabet)}")
        by_length.setdefault(len(names), []).append((i, [number[name] for name in names]))
    accepted = [False] * len(words)
    for group in by_length.values():
        logits = model(torch.tensor([letters for _, letters in group], dtype=torch.int64))  # (batch)
        for (i, _), logit in zip(group, logits.tolist()):
            accepted[i] = logit > 0
    for word, yes in zip(words, accepted):
        print("accept" if yes else "reject", word or "ε")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
