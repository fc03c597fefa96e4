#!/usr/bin/env python3
"""Fairness against efficiency: every strategy on random windows, and the bound.

    tradeoff.py [FILE.svg]

Prints the means over ten seeds and draws them to the file: with matplotlib where it is installed, else
as plain SVG.
"""

import math
import statistics
import sys

import weir

POLICIES = ["fair-share", "fcfs", "set-10", "greedy-yield", "greedy-com", "critical-yield", "surplus"]
SEEDS = range(1, 11)
TITLE = f"means of {len(SEEDS)} windows, W = 0.9"
COLOURS = ["#4477aa", "#66ccee", "#228833", "#ccbb44", "#ee6677", "#aa3377", "#777777", "#000000"]


def measure():
    """MinYield and Efficiency by strategy, each the mean over the seeds."""
    points = {policy: [] for policy in [*POLICIES, "bound"]}
    for seed in SEEDS:
        window = weir.generate("synthetic", seed=seed, pressure=0.9, horizon=200000)
        for row in weir.simulate(window, POLICIES):
            points[row["policy"]].append((row["min_yield"], row["efficiency"]))
        bound = weir.bound(window)
        points["bound"].append((bound["min_yield"], bound["efficiency"]))
    return {policy: [statistics.fmean(values) for values in zip(*pairs)]
            for policy, pairs in points.items()}


class Axis:
    """Values to places on the paper, with round numbers as ticks."""

    def __init__(self, values, first, last):
        low, high = min(values), max(values)
        step = 10 ** math.floor(math.log10((high - low) or 1))
        step = next(step / part for part in (1, 2, 5, 10) if (high - low) / (step / part) >= 3)
        begin, end = math.floor(low / step), math.ceil(high / step)
        self.ticks = [round(step * k, 9) for k in range(begin, end + 1)]
        self.low, self.high, self.first, self.last = self.ticks[0], self.ticks[-1], first, last

    def place(self, value):
        part = (value - self.low) / (self.high - self.low)
        return round(self.first + part * (self.last - self.first), 1)


def draw_plain(means, path):
    """A scatter plot as SVG, without a library."""
    left, right, top, bottom = 70, 430, 40, 330
    across = Axis([x for x, _ in means.values()], left, right)
    up = Axis([y for _, y in means.values()], bottom, top)
    svg = ['<svg xmlns="http://www.w3.org/2000/svg" width="580" height="390" '
           'font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>',
           f'<text x="{left}" y="24" font-size="14">{TITLE}</text>']
    for tick in across.ticks:
        x = across.place(tick)
        svg += [f'<path d="M{x} {top}V{bottom}" stroke="#ddd"/>',
                f'<text x="{x}" y="{bottom + 18}" text-anchor="middle">{tick:g}</text>']
    for tick in up.ticks:
        y = up.place(tick)
        svg += [f'<path d="M{left} {y}H{right}" stroke="#ddd"/>',
                f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{tick:g}</text>']
    svg += [f'<text x="{(left + right) / 2}" y="{bottom + 42}" text-anchor="middle">MinYield</text>',
            f'<text transform="translate(20 {(top + bottom) / 2}) rotate(-90)" '
            'text-anchor="middle">Efficiency</text>']
    for index, (policy, (x, y)) in enumerate(means.items()):
        line = top + 8 + 20 * index
        for place in ((across.place(x), up.place(y)), (right + 24, line)):
            svg.append(f'<circle cx="{place[0]}" cy="{place[1]}" r="5" fill="{COLOURS[index]}"/>')
        svg.append(f'<text x="{right + 36}" y="{line + 4}">{policy}</text>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([*svg, "</svg>\n"]))


def draw(means, path):
    try:
        from matplotlib import pyplot
    except ImportError:
        draw_plain(means, path)
        return
    figure, axes = pyplot.subplots(figsize=(5, 4))
    for (policy, (min_yield, efficiency)), colour in zip(means.items(), COLOURS):
        axes.plot(min_yield, efficiency, "*" if policy == "bound" else "o", color=colour, label=policy)
    axes.set(xlabel="MinYield", ylabel="Efficiency", title=TITLE)
    axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(path, bbox_inches="tight")


def main():
    means = measure()
    print(f"{'strategy':16} MinYield Efficiency")
    for policy, (min_yield, efficiency) in means.items():
        print(f"{policy:16} {min_yield:8.4f} {efficiency:10.4f}")
    if len(sys.argv) > 1:
        draw(means, sys.argv[1])


if __name__ == "__main__":
    main()
