#!/usr/bin/env python3
"""Formula to minimal automaton, hindsight against MONA: processor time of the whole processes, on growing families.

    bench/mona.py build/release/hindsight [SECONDS]

Both programs print the whole automaton.  MONA's is read back as AT&T text, minimised, and must be byte for byte
hindsight's; a difference ends the run.  (MONA's first two states are there for the Boolean variables, of which
there are none, and for the empty word, which its strings exclude and these languages do not contain.)  A family
ends at the first size for which MONA fails or takes more than SECONDS (default 20) of processor time; times are
the least of three runs.  Each family is written for MONA in the ways below, since it matters.
"""
import itertools
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile

HINDSIGHT = sys.argv[1]
LIMIT = int(sys.argv[2]) if len(sys.argv) > 2 else 20
TIME_UP = -signal.SIGXCPU


def bits(n):
    return max(1, (n - 1).bit_length())


def has_code(p, i, n):
    """Position p carries letter i of n, in as many bits as it takes."""
    return " & ".join(f"{p} {'in' if i >> j & 1 else 'notin'} B{j}" for j in range(bits(n)))


def tracks(n):
    return "m2l-str;\nvar2 " + ", ".join(f"B{j}" for j in range(bits(n))) + ";\n"


def chain_formula(n):
    f = "a0"
    for i in range(1, n):
        f = f"a{i} & P({f})"
    return f"P({f})"


def chain_prenex(n):
    positions = ", ".join(f"p{i}" for i in range(n))
    order = [f"p{i} < p{i + 1}" for i in range(n - 1)]
    letters = [has_code(f"p{i}", i, n) for i in range(n)]
    return tracks(n) + f"ex1 {positions}: " + " & ".join(order + letters) + ";\n"


def chain_nested(n):
    f = has_code("p0", 0, n)
    for i in range(1, n):
        f = f"{has_code(f'p{i}', i, n)} & (ex1 p{i - 1}: p{i - 1} < p{i} & {f})"
    return tracks(n) + f"ex1 p{n - 1}: {f};\n"


def last_sum(n):
    return tracks(2) + f"ex1 p: p notin B0 & p + {n - 1} = max($);\n"


def last_nested(n):
    f = "p1 notin B0"
    for i in range(2, n + 1):
        f = f"ex1 p{i - 1}: p{i - 1} + 1 = p{i} & ({f})"
    return tracks(2) + f"ex1 p{n}: p{n} = max($) & ({f});\n"


def window_sum(n):
    return tracks(2) + f"ex1 p: p notin B0 & p + {n - 1} >= max($);\n"


def window_nested(n):
    """Y<=n a = Y(a | Y(a | ...))."""
    f = "p1 notin B0"
    for i in range(2, n + 1):
        f = f"p{i} notin B0 | (ex1 p{i - 1}: p{i - 1} + 1 = p{i} & ({f}))"
    return tracks(2) + f"ex1 p{n}: p{n} = max($) & ({f});\n"


# name, sizes, how many letters, the formula, MONA's input
FAMILIES = [
    ("chain, one block of quantifiers", [2, 4, 6, 8, 10, 12, 14, 16], lambda n: n, chain_formula, chain_prenex),
    ("chain, quantifiers nested", [2, 4, 8, 16, 32, 64, 128], lambda n: n, chain_formula, chain_nested),
    ("n-th from the end, p+(n-1)=max", [2, 6, 10, 12, 14, 16, 18], lambda n: 2, lambda n: f"Y^{n} a0", last_sum),
    ("n-th from the end, nested", [2, 6, 10, 12, 14, 16, 18], lambda n: 2, lambda n: f"Y^{n} a0", last_nested),
    ("window of n, p+(n-1)>=max", [2, 4, 8, 12, 16, 20, 24], lambda n: 2, lambda n: f"Y<={n} a0", window_sum),
    ("window of n, nested", [2, 4, 8, 16, 64, 256, 1024], lambda n: 2, lambda n: f"Y<={n} a0", window_nested),
]


def run(command, limit=None):
    """Output and processor seconds.  With a limit, the exit status when it is not 0; TIME_UP says what it says."""
    def set_limit():
        if limit:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, preexec_fn=set_limit)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0 and limit:
            return process.returncode
        if process.returncode != 0:
            sys.exit(f"{command[0]}: exit status {process.returncode}")
        output.seek(0)
        return output.read().decode(), usage.ru_utime + usage.ru_stime


def least_of_three(command, limit=None):
    first = run(command, limit)
    if isinstance(first, int) or first[1] > LIMIT / 10:
        return first
    return first[0], min([first[1]] + [run(command)[1] for _ in range(2)])


def att_of_mona(text, letters):
    """The automaton that mona -w prints, from its state 1 on, over the first `letters` codes."""
    accepting = re.search(r"Accepting states: ([\d ]*)", text).group(1).split()
    lines = []
    for source, guard, target in re.findall(r"State (\d+): ([01X]+) -> state (\d+)", text):
        if source == "0":
            continue
        for choice in itertools.product(*("01" if bit == "X" else bit for bit in guard)):
            letter = sum(int(bit) << j for j, bit in enumerate(choice))
            if letter < letters:
                lines.append((int(source), f"{source} {target} a{letter}\n"))
    lines.sort(key=lambda line: line[0] != 1)  # the first source is initial
    return "".join(line for _, line in lines) + "".join(state + "\n" for state in accepting)


def main():
    print(f"{'family':34} {'n':>5} {'states':>8} {'MONA s':>9} {'hindsight s':>11} {'ratio':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for name, sizes, letters_of, formula, mona in FAMILIES:
            for n in sizes:
                letters = letters_of(n)
                alphabet = ",".join(f"a{i}" for i in range(letters))
                path = os.path.join(folder, "input")
                with open(path, "w") as file:
                    file.write(mona(n))
                theirs = least_of_three(["mona", "-q", "-n", "-w", path], LIMIT)
                command = [HINDSIGHT, "automaton", "--alphabet", alphabet, "--to", "json"]
                ours = least_of_three(command + ["--formula", formula(n)])
                states = int(re.search(r'"states": ?(\d+)', ours[0]).group(1))
                if isinstance(theirs, int):
                    what, ratio = (f"> {LIMIT}", f"> {LIMIT / ours[1]:.0f}") if theirs == TIME_UP else ("fails", "")
                    print(f"{name:34} {n:5} {states:8} {what:>9} {ours[1]:11.4f} {ratio:>7}")
                    break
                with open(path, "w") as file:
                    file.write(att_of_mona(theirs[0], letters))
                back = run(command + ["--dfa", path, "--format", "att"])
                if back[0] != ours[0]:
                    sys.exit(f"{name}, n = {n}: the automata differ")
                print(f"{name:34} {n:5} {states:8} {theirs[1]:9.4f} {ours[1]:11.4f} {theirs[1] / ours[1]:7.1f}")


main()
