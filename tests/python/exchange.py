"""The programs of examples/python against `hindsight run`: the same answer for each of 10,000 words.

    python3 exchange.py HINDSIGHT EXAMPLES    # 77: there is no PyTorch here, and nothing was tested

One process for all, since PyTorch takes seconds to load.
"""
import contextlib
import io
import itertools
import os
import random
import runpy
import subprocess
import sys
import tempfile

try:
    import torch
except ImportError:
    print(f"skipped: {sys.executable} has no torch (Debian: python3-torch)")
    sys.exit(77)

program, examples = sys.argv[1:]
sys.path.insert(0, examples)
sys.dont_write_bytecode = True
import hindsight_model
import train

torch.set_num_threads(1)
folder = tempfile.TemporaryDirectory()
failures = 0


def path(name):
    return os.path.join(folder.name, name)


def hindsight(*arguments):
    """Standard output; status 1 is an answer, too."""
    outcome = subprocess.run([program, *arguments], stdout=subprocess.PIPE, universal_newlines=True)
    if outcome.returncode not in (0, 1):
        sys.exit(f"hindsight {' '.join(arguments)}: exit status {outcome.returncode}")
    return outcome.stdout


def python(script, *arguments):
    """Standard output of the script, run as a program in this process."""
    sys.argv = [script, *arguments]
    with contextlib.redirect_stdout(io.StringIO()) as out:
        runpy.run_path(os.path.join(examples, script), run_name="__main__")
    return out.getvalue()


def compare(what, expected, found):
    """Both are lists of lines."""
    global failures
    different = [f"{x} / {y}" for x, y in zip(expected, found) if x != y]
    if len(expected) != len(found):
        different.append(f"{len(expected)} / {len(found)} lines")
    accepted = sum(line.startswith("accept") for line in expected)
    print(f"{what}: {len(expected)} words, {accepted} accepted, {len(different)} differences")
    print(*different[:3], sep="\n", end="\n" if different else "")
    failures += bool(different)


def words_over(alphabet, count, longest, seed):
    """All short words, long regular ones, then random ones up to `longest` letters."""
    words = []
    for length in itertools.count():
        if len(words) + len(alphabet) ** length > count * 0.85:
            break
        words += ["".join(word) for word in itertools.product(alphabet, repeat=length)]
    draw = random.Random(seed)
    for length in range(10, 200, 2):  # (ab)*, and near misses
        word = "ab" * (length // 2)
        at = draw.randrange(length)
        words += [word, word[:at] + draw.choice(alphabet) + word[at + 1:]]
    while len(words) < count:
        words.append("".join(draw.choice(alphabet) for _ in range(draw.randrange(longest + 1))))
    return words


def written(words, name):
    with open(path(name), "w") as file:
        file.writelines(word + "\n" for word in words)
    return path(name)


# Compiled networks, in the arithmetic they declare.
two = written(words_over("ab", 10_000, 60, 1), "two")
for name, *language in [("alternating", "--regex", "(ab)*"),
                        ("modulo", "--formula", "P(b & MOD(3,1)) & !Y b", "--alphabet", "ab"),
                        ("post-norm", "--regex", "(ab)*", "--norm", "post")]:
    weights, script = path(name + ".safetensors"), path(name + ".pt")
    hindsight("compile", *language, "-o", weights, "--no-check", "--quiet")
    hindsight("convert", weights, script, "--quiet")
    expected = hindsight("run", weights, "--words", two).splitlines()
    compare(name + ".safetensors", expected, python("hindsight_model.py", weights, "--words", two).splitlines())
    compare(name + ".pt", expected, python("load_pt.py", script, "--words", two).splitlines())

# A network trained here.
three = written(words_over("abc", 10_000, 16, 2), "three")
weights, script = path("trained.safetensors"), path("trained.pt")
print(python("train.py", weights), end="")
hindsight("convert", weights, script, "--quiet")
expected = hindsight("run", weights, "--engine", "torch", "--words", three).splitlines()
compare("trained.safetensors", expected, python("hindsight_model.py", weights, "--words", three).splitlines())
compare("trained.pt", expected, python("load_pt.py", script, "--words", three).splitlines())
language = ["accept" if "ab" in word else "reject" for word in open(three).read().splitlines()]
compare("trained, against its language", language, [line.split()[0] for line in expected])

# Networks of every kind with random weights, in 64 bits, where no logit is near zero by chance.
for seed, (masks, position, norm) in enumerate([([["global", "local-3"], []], "learned", "pre"),
                                                ([["local-1"], ["local-2", "global", "local-2"]], "periodic", "post")]):
    torch.manual_seed(seed)
    model = train.new_model(["a", "b"], masks, 7, 3, 5 * seed, position, 13, norm)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.3 * torch.randn_like(parameter)
    train.save(model, path("random.safetensors"))
    some = [word for word in words_over("ab", 400, 12, seed) if len(word) <= 12]
    expected = hindsight("run", path("random.safetensors"), "--engine", "torch", "--dtype", "fp64", "--words",
                         written(some, "some")).splitlines()
    accepted = hindsight_model.load(path("random.safetensors")).double().accepts(some)
    compare(f"random, {norm}-norm", expected,
            [("accept " if yes else "reject ") + (word or "ε") for word, yes in zip(some, accepted)])

sys.exit(failures > 0)
