#!/usr/bin/env python3
"""Reads a .safetensors model of hindsight and computes with it in plain PyTorch.

    python3 hindsight_model.py model.safetensors abab aab       # `accept` or `reject` for each word
    python3 hindsight_model.py model.safetensors --words FILE   # a word a line

As a module: `load(path)` is a torch.nn.Module whose state_dict() has the names of the file (docs/model-files.md)
and which maps words, int64 (batch, length), to logits (batch).  Letters with longer names are separated by spaces.
"""
import json
import struct
import sys

import torch
from torch.nn import functional


class Model(torch.nn.Module):
    """The network of transformer/model.hpp; `document` is the JSON document of the file."""

    def __init__(self, document, tensors):
        super().__init__()
        self.document = document
        for name, tensor in tensors.items():
            module, (*path, last) = self, name.split(".")
            for part in path:
                if part not in module._modules:
                    module.add_module(part, torch.nn.Module())
                module = module._modules[part]
            module.register_parameter(last, torch.nn.Parameter(tensor))

    def forward(self, words, record=None):
        """The logits.  A dictionary `record` gets the attention weights and the vectors after each layer."""
        document, w = self.document, dict(self.named_parameters())
        linear = lambda x, name: functional.linear(x, w[name + ".weight"], w[name + ".bias"])
        norm = lambda x, name, epsilon: functional.layer_norm(
            x, x.shape[-1:], w[name + ".weight"], w[name + ".bias"], epsilon)
        pre, post = document["norm"] == "pre", document["norm"] == "post"
        n = words.shape[1] + 1  # positions 1, ..., n; the end marker stands at the last
        x = w["embedding"][functional.pad(words, (0, 1), value=len(document["alphabet"]))]  # (batch, n, width)
        if document["position"] == "periodic":
            x = x + w["positions"][torch.arange(1, n + 1) % len(w["positions"])]
        if document["position"] == "learned":
            x = x + w["positions"][:n]
        distance = torch.arange(n)[:, None] - torch.arange(n)
        for i, layer in enumerate(document["layers"]):
            name, masks, d = f"layers.{i}.", layer["masks"], layer["head_width"]
            y = norm(x, name + "attention_norm", layer["attention_norm_epsilon"]) if pre else x
            q, k, v = (linear(y, name + which).reshape(len(x), n, len(masks), d).transpose(1, 2)
                       for which in ("query", "key", "value"))  # (batch, heads, n, d)
            reach = torch.tensor([n if mask == "global" else int(mask[len("local-"):]) for mask in masks])
            sees = (distance > 0) & (distance <= reach[:, None, None])  # (heads, n, n)
            # Position 1 sees nothing: its row of the soft-max is wiped out, so it gets zeros.
            weights = torch.softmax((q @ k.transpose(2, 3)).masked_fill(~sees, -1e30), -1) * sees
            x = x + linear((weights @ v).transpose(1, 2).flatten(2), name + "output")
            x = norm(x, name + "attention_norm", layer["attention_norm_epsilon"]) if post else x
            y = norm(x, name + "feed_forward_norm", layer["feed_forward_norm_epsilon"]) if pre else x
            x = x + linear(torch.relu(linear(y, name + "expand")), name + "contract")
            x = norm(x, name + "feed_forward_norm", layer["feed_forward_norm_epsilon"]) if post else x
            if record is not None:
                record[name + "weights"], record[f"layers.{i}"] = weights, x
        x = norm(x, "final_norm", document["final_norm_epsilon"]) if pre else x
        return x[:, -1] @ w["readout.weight"] + w["readout.bias"]

    def accepts(self, words):
        """Whether each of `words`, texts, is accepted: its logit is positive."""
        number = {name: i for i, name in enumerate(self.document["alphabet"])}
        single = all(len(name) == 1 for name in number)
        by_length, accepted = {}, [False] * len(words)
        for i, word in enumerate(words):
            names = [] if word == "ε" and word not in number else word if single else word.split()
            if not set(names) <= number.keys():
                raise ValueError(f"{word!r} has a letter outside the alphabet {' '.join(number)}")
            letters = [number[name] for name in names]
            by_length.setdefault(len(letters), []).append((i, letters))
        for group in by_length.values():
            with torch.no_grad():
                logits = self(torch.tensor([letters for _, letters in group], dtype=torch.int64))
            for (i, _), logit in zip(group, logits.tolist()):
                accepted[i] = logit > 0
        return accepted


def load(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    document = json.loads(header.pop("__metadata__")["hindsight"])
    entries = lambda begin, end: [x for x, in struct.iter_unpack("<f", data[begin:end])]
    return Model(document, {name: torch.tensor(entries(*t["data_offsets"]), dtype=torch.float32).reshape(t["shape"])
                            for name, t in header.items()})


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    given = open(sys.argv[3]).read().splitlines() if sys.argv[2:3] == ["--words"] else sys.argv[2:]
    for word, yes in zip(given, load(sys.argv[1]).accepts(given)):
        print("accept" if yes else "reject", word or "ε")
