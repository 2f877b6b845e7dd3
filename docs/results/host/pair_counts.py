"""pair_counts.py POINTS EDGES COUNTS - compares the counts of sky.c with those of scikit-learn's KDTree.

Prints a row for each counter: the angles, DD, DR and RR of both, and the correlation w by Landy and Szalay.
"""
import math
import sys

import numpy
from sklearn.neighbors import KDTree

points = numpy.fromfile(sys.argv[1], numpy.float32).reshape(-1, 4)[:, :3].astype(numpy.float64)
edges = numpy.fromfile(sys.argv[2], numpy.float32).astype(numpy.float64)
counts = [[int(word) for word in line.split()] for line in open(sys.argv[3])]
n = len(points) // 2
data, random = points[:n], points[n:]
below = numpy.nextafter(numpy.sqrt(edges), 0)  # a distance that is an edge belongs above it


def counted(tree, other, same):
    """Pairs of each counter."""
    pairs = [int(found) for found in KDTree(tree).two_point_correlation(other, below)] + [len(tree) * len(other)]
    if same:
        pairs = [(found - n) // 2 for found in pairs]
    return [found - before for found, before in zip(pairs, [0, *pairs])]


trees = list(zip(counted(data, data, True), counted(random, data, False), counted(random, random, True)))
print("counter,from_minutes,to_minutes,dd,dr,rr,dd_of_tree,dr_of_tree,rr_of_tree,w")
angles = [f"{math.degrees(2 * math.asin(math.sqrt(edge) / 2)) * 60:.2f}" for edge in edges]
for counter, (own, tree) in enumerate(zip(counts, trees)):
    dd, dr, rr = own[0] / (n * (n - 1) / 2), own[1] / n**2, own[2] / (n * (n - 1) / 2)
    w = f"{(dd - 2 * dr + rr) / rr:.2f}" if rr > 0 else ""
    begin, end = angles[counter - 1] if counter else "0", angles[counter] if counter < len(angles) else "10800"
    print(",".join(map(str, [counter, begin, end, *own, *tree, w])))
