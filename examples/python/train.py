#!/usr/bin/env python3
"""Trains a small Transformer in plain PyTorch and saves it in a file that hindsight reads.

    python3 train.py contains-ab.safetensors          # the words over a, b, c with an a just before a b
    hindsight run contains-ab.safetensors --engine torch cab acb
"""
import json
import random
import struct
import sys

import torch
from torch.nn import functional

from hindsight_model import Model


def new_model(alphabet, masks, width=16, head_width=8, hidden=32, position="none", rows=0, norm="none"):
    """Random weights; `masks` has a list for each layer, such as ["local-1", "global"]."""
    epsilon = None if norm == "none" else 1e-5
    document = {"format": 1, "alphabet": alphabet, "position": position, "norm": norm,
                "final_norm_epsilon": 1e-5 if norm == "pre" else None,
                "layers": [{"masks": of_layer, "head_width": head_width if of_layer else 0,
                            "attention_norm_epsilon": epsilon, "feed_forward_norm_epsilon": epsilon}
                           for of_layer in masks],
                "arithmetic": {"kind": "fixed-point", "fraction_bits": 12, "integer_bits": 8},
                "max_length": None, "coordinates": [], "source": ""}
    tensors = {"embedding": torch.randn(len(alphabet) + 1, width)}

    def affine(name, outputs, inputs):
        tensors[name + ".weight"] = torch.randn(outputs, inputs) / max(inputs, 1) ** 0.5
        tensors[name + ".bias"] = torch.zeros(outputs)

    def norms(name):
        tensors[name + ".weight"], tensors[name + ".bias"] = torch.ones(width), torch.zeros(width)

    if position != "none":
        tensors["positions"] = torch.randn(rows, width)
    for i, of_layer in enumerate(masks):
        name, size = f"layers.{i}.", len(of_layer) * head_width
        for which in ("query", "key", "value"):
            affine(name + which, size, width)
        affine(name + "output", width, size)
        affine(name + "expand", hidden, width)
        affine(name + "contract", width, hidden)
        if norm != "none":
            norms(name + "attention_norm")
            norms(name + "feed_forward_norm")
    if norm == "pre":
        norms("final_norm")
    tensors["readout.weight"], tensors["readout.bias"] = torch.randn(width) / width ** 0.5, torch.zeros(1)
    return Model(document, tensors)


def save(model, path):
    """In the schema of docs/model-files.md."""
    header, data = {"__metadata__": {"hindsight": json.dumps(model.document)}}, b""
    for name, tensor in model.named_parameters():
        entries = tensor.detach().flatten().tolist()
        added = struct.pack(f"<{len(entries)}f", *entries)
        header[name] = {"dtype": "F32", "shape": list(tensor.shape),
                        "data_offsets": [len(data), len(data) + len(added)]}
        data += added
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def train(model, in_language, steps=200, batch=64, longest=16, rate=0.01):
    """Fits the logits to `in_language`, a function of texts, on random words; returns the mean of 50 last losses."""
    draw = random.Random(1)
    losses = []
    alphabet = model.document["alphabet"]
    optimiser = torch.optim.Adam(model.parameters(), rate)
    for _ in range(steps):
        length = draw.randrange(longest + 1)
        words = [[draw.randrange(len(alphabet)) for _ in range(length)] for _ in range(batch)]
        answers = [float(in_language("".join(alphabet[a] for a in word))) for word in words]
        loss = functional.binary_cross_entropy_with_logits(
            model(torch.tensor(words, dtype=torch.int64).reshape(batch, length)), torch.tensor(answers))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return sum(losses[-50:]) / len(losses[-50:])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    torch.manual_seed(1)
    trained = new_model(["a", "b", "c"], [["local-1", "global"], ["local-1", "global"]])
    print(f"loss {train(trained, lambda word: 'ab' in word):.4f}")
    save(trained, sys.argv[1])
