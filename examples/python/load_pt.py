#!/usr/bin/env python3
"""Runs a model written by `hindsight compile ... -o model.pt` in plain PyTorch.

    python3 load_pt.py model.pt abab aab        # `accept` or `reject` for each word

Letters with longer names are separated by spaces: 'open close'.
"""
import json
import sys

import torch


def main(path, *words):
    extra = {"hindsight": ""}
    model = torch.jit.load(path, _extra_files=extra)
    alphabet = json.loads(extra["hindsight"])["alphabet"]
    number = {name: i for i, name in enumerate(alphabet)}
    single = all(len(name) == 1 for name in alphabet)
    for word in words:
        names = [] if word == "ε" else list(word) if single else word.split()
        unknown = [name for name in names if name not in number]
        if unknown:
            sys.exit(f"load_pt.py: {unknown[0]!r} is not in the alphabet {' '.join(alphabet)}")
        letters = torch.tensor([[number[name] for name in names]], dtype=torch.int64)
        logit = model(letters)  # (1), the end marker is appended inside
        print("accept" if logit.item() > 0 else "reject", word)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
