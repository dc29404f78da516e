#!/usr/bin/env python3
"""Writes docs/windows-table.md: which window logics hold which languages, at what price.

    docs/make_windows_table.py build/release/hindsight > docs/windows-table.md

Every pair of word families that the program gives as a reason is checked here once more, from the definition in
docs/windows.md, with nothing from the program but the minimal automaton.
"""

import json
import subprocess
import sys

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "build/release/hindsight"
MAX_WINDOW = 4

LANGUAGES = [
    # name, options, meaning
    ("ends-a", ["--language", "ends-a"], "the last letter is an a"),
    ("ends-ab", ["--language", "ends-ab"], "the last two letters are ab"),
    ("starts-a", ["--language", "starts-a"], "the first letter is an a"),
    ("a-before-b", ["--language", "a-before-b"], "some a is before some b"),
    ("alternating", ["--language", "alternating"], "(ab)*"),
    ("contains-ab", ["--language", "contains-ab"], "ab occurs; over a, b, c"),
    ("rdp-1", ["--language", "rdp-1"], "(Σ∖{b})* a (Σ∖{a,c})*; over a, b, c, d"),
    ("dyck-2", ["--language", "dyck-2"], "brackets of depth at most 2"),
    ("L_2", ["--formula", "Y<=2 a", "--alphabet", "ab"], "an a within the last 2 letters"),
    ("L_3", ["--formula", "Y<=3 a", "--alphabet", "ab"], "an a within the last 3 letters"),
    ("L_4", ["--formula", "Y<=4 a", "--alphabet", "ab"], "an a within the last 4 letters"),
    ("2-of-3", ["--formula", "Y<=3>=2 a", "--alphabet", "ab"], "at least 2 of the last 3 letters are a"),
    ("2-of-4", ["--formula", "Y<=4>=2 a", "--alphabet", "ab"], "at least 2 of the last 4 letters are a"),
    ("last-but-one", ["--regex", ".*a.", "--alphabet", "ab"], "the last letter but one is an a"),
    ("no-aa", ["--regex", "!(.*aa.*)", "--alphabet", "ab"], "no two a follow each other"),
    ("b-needs-a", ["--formula", "!P(b & !Y<=2 a)", "--alphabet", "ab"],
     "every b has an a within the two letters before it"),
]


def run(arguments, accepted=(0,)):
    result = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
    if result.returncode not in accepted:
        sys.exit(f"{arguments}: status {result.returncode}: {result.stderr}")
    return result.stdout


def automaton(language):
    return json.loads(run(["automaton", *language, "--json"]))


def read(dfa, state, word):
    for letter in word:
        state = dfa["transitions"][state][dfa["alphabet"].index(letter)]
    return state


def check_pair(dfa, row):
    """The three conditions of docs/windows.md."""
    k, counting, past = row["window"], row["counting"], row["previously"]
    looks, ends, pair = {}, [], row["pair"]
    for name in ("in", "out"):
        side = pair[name]
        period, tail = side["period"], side["tail"]
        assert period and len(period) == len(side["period_classes"]) and len(tail) == len(side["tail_classes"])
        state = read(dfa, dfa["initial"], side["access"])
        assert read(dfa, state, period) == state
        assert (read(dfa, state, tail) in dfa["accepting"]) == (name == "in")
        copies = 2 + k // len(period)
        letters = period * copies + tail
        classes = side["period_classes"] * copies + side["tail_classes"]

        def window(end):
            seen = sorted(classes[end - k:end])
            return tuple(seen if counting else sorted(set(seen)))

        for n in range(len(period) * (copies - 1), len(letters)):
            look = (letters[n], window(n))
            assert looks.setdefault(classes[n], look) == look
        ends.append(window(len(letters)))
    assert ends[0] == ends[1]
    if past:
        for key in ("access", "period", "period_classes"):
            assert pair["in"][key] == pair["out"][key]
        for name in ("in", "out"):
            assert set(pair[name]["tail_classes"]) <= set(pair[name]["period_classes"])


def pattern(side):
    return f"{side['access']}({side['period']})^N {side['tail']}".strip()


def cell(row):
    if row["member"] is False:
        return "–" if row["witness"] else "no"
    if row["member"] is None:
        return f"? (≥ {row['depth_at_least']})"
    depth = row["depth"] if row["exact"] else f"≤ {row['depth']}"
    network = row["network"]
    shape = f"{network['layers']}×{network['width']}" if network else "?"
    return f"{depth}, {row['size']}, {shape}"


def reason(row):
    if row["member"]:
        return f"`{row['formula']}`"
    if row["pair"]:
        return f"`{pattern(row['pair']['in'])}` in, `{pattern(row['pair']['out'])}` out"
    return row["note"]


def main():
    answers, pairs = {}, 0
    for name, options, _ in LANGUAGES:
        dfa = automaton(options)
        rows = json.loads(run(["windows", *options, "--max-window", str(MAX_WINDOW), "--json"]))["windows"]
        for row in rows:
            if row["pair"]:
                check_pair(dfa, row)
                pairs += 1
            if row["member"]:
                run(["equivalent", "--formula", row["formula"], "--alphabet", ",".join(dfa["alphabet"]) + ",",
                     "--", *options])
        answers[name] = rows
    logics = [row["name"] for row in answers["ends-a"]]
    print("# Which windows hold which languages\n")
    print(f"Made by `docs/make_windows_table.py`; {pairs} pairs of word families were checked by it a second time, and "
          "every formula\nwas compared with its language. What the answers mean is in [windows.md](windows.md).\n")
    print("A cell with numbers: yes; the depth of a formula (the least, unless ≤ stands before it), its size, and layers ×\n"
          "width of the network that `compile` makes of it. –: not even in the larger logic LTL[Y] or LTL[P,Y]. "
          "no: in that larger\nlogic, but there are words on both sides that no depth tells apart. ? (≥ r): no formula "
          "of depth less than r; more is not known.\n")
    for past in (False, True):
        columns = [i for i, row in enumerate(answers["ends-a"]) if row["previously"] == past]
        print("| language | " + " | ".join(logics[i] for i in columns) + " |")
        print("|---|" + "---|" * len(columns))
        for name, _, _ in LANGUAGES:
            print(f"| {name} | " + " | ".join(cell(answers[name][i]) for i in columns) + " |")
        print()
    print("## Languages\n")
    for name, _, meaning in LANGUAGES:
        print(f"* {name}: {meaning}")
    print("\n## Formulas and pairs\n")
    for name, _, meaning in LANGUAGES:
        rows = [row for row in answers[name] if not row["witness"]]
        if not rows:
            continue
        print(f"### {name}: {meaning}\n")
        for row in rows:
            answer = {True: "yes", False: "no", None: "unknown"}[row["member"]]
            print(f"* {row['name']}: {answer}. {reason(row)}")
        print()


if __name__ == "__main__":
    main()
