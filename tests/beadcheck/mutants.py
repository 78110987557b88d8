"""Breaks the checker on purpose, one rule at a time, and expects claims_test or cut_claims_test to notice:
mutants.py CXX SOURCES FOLDER

Not part of the default run (a compilation each): cmake --build build --target beadcheck_mutants
A mutant is a line of the source replaced by a wrong one. All but those marked `slower` make false claims pass or true ones
fail; a mutant marked `slower` only weakens the bound: no test of verdicts can tell, and none must.
"""
import concurrent.futures
import os
import shutil
import subprocess
import sys

MUTANTS = [
    # the bound
    ('share[k] = (b - weight[k]) / r;', 'share[k] = (b - weight[k]);', 'all of d_k for each feature'),
    ('share[k] = (b - weight[k]) / r;', 'share[k] = (b - weight[k] + r - 1) / r;', 'd_k / r rounded up'),
    ('std::min({n - b, s - least1, n - s - least0})', 'std::min({n - b, s - least1, n - s - least0}) / 2', 'half the cap'),
    ('n - s - least0})', 'n - s - least0 - 1})', 'one off on side 0'),
    ('s - least1, n', 's - most1, n', 'the largest class of a side counted as lost to none'),
    ('least1 = std::min(least1, one + share[k]);', 'least1 = one + share[k];', 'only the last class may be the answer'),
    ('r == 1 ? most0 + most1 - b', 'r == 1 ? most0 + most1 - b - 1', 'the last split gains one less'),
    ('r == 1 ? most0', 'r == 1 ? most1', 'the last split forgets a side'),
    ('r == 1 ? most0', 'false ? most0', 'the last split is bounded, not counted'),
    # the search
    ('(sum[u + r - 1] - sum[u])', '(r > 1 ? sum[u + r - 1] - sum[u + 1] : 0)', 'the rule forgets W(u)'),
    ('(sum[u + r - 1] - sum[u])', '(r > 1 ? sum[u + 1] - sum[u] : 0)', 'the rule forgets the others'),
    ('spare - others >=', 'spare - others + 1 >=', 'the rule is one off'),
    ('return cap[f] > cap[g];', 'return cap[f] < cap[g];', 'candidates by rising W'),
    ('return cap[f] > cap[g];', 'return f < g;', 'candidates are not sorted by W'),
    ('if (keep.size() < u + r) break;', 'if (keep.size() <= u + r) break;', 'the last set of a node is skipped'),
    ('u + r <= keep.size() && !found', 'u + r < keep.size() && !found', 'the last first feature is skipped'),
    ('if (n == b) continue;', 'if (n <= b + 1) continue;', 'cells that err by one are dropped'),
    ('descend(*child, u, keep.size(), r - 1,', 'descend(*child, u + 1, keep.size(), r - 1,', 'another feature is split by'),
    # counting
    ('std::popcount(bits[f] & rows)} << block.shift', 'std::popcount(bits[f] & rows)} << 0', 'weights are not counted'),
    ('bits[f] & rows', 'bits[f]', 'the sides are not counted apart'),
    ('from.bits[keep[j]]', 'from.bits[j]', 'bits of another candidate'),
    ('part.empty() || part.front().k == part.back().k', 'part.size() <= 2', 'small cells are dropped'),
    ('if (block.k != last) ++k;', '', 'all classes of a cell are one'),
    ('num_classes = cell.back().k + 1', 'num_classes = std::max<std::size_t>(cell.back().k, 2)', 'the last class is not counted'),
    # the rest
    ('cells[values_of(table.bits[i], c.required)]', 'cells[""]', 'required columns do not split'),
    ('require(covered[f] || forbidden[f] || known.contains(pattern(f))', 'require(true', 'the order is not checked'),
    ("bits[f] == table.bits[0][f] ? '0' : '1'", 'bits[f]', 'complements are different columns'),
    ('{c.required, c.order}', '{c.order, c.order}', 'required columns cover nothing'),
    ('check_names(model, table, c);', '', 'names are not compared'),
    ('classes.items[k], table', 'classes.items[0], table', 'the first class name stands for all'),
    ('require(done[i].first == at &&', 'require(done[i].first <= at &&', 'ranges may overlap'),
    ('require(at.empty() && !done.empty()', 'require(!done.empty()', 'the last range may be missing'),
    ('require(error == c.claim,', 'require(error >= c.claim,', 'the diagram may err by more'),
    ('check_diagram(model, table, c);', '', 'the model is not evaluated'),
    ("== '1' ? 2 : 1", "== '0' ? 2 : 1", 'low and high are swapped'),
    ('error += table.weight[i];', 'error += 1;', 'the diagram is judged without weights'),
    ('const bool same = table.sha256 == c.data_sha256;', 'const bool same = true;', 'any data will do'),
    ('if (r == 0 && spare < 0) found = path;', '', 'sets of required columns only go unchecked'),
    ('std::min(depth - required.size(), order.size())', 'std::min(depth - required.size(), order.size()) / 2', 'smaller sets only'),
    # sound, only slower
    ('share[k] = (b - weight[k]) / r;', 'share[k] = 0;', 'slower'),
    ('std::min({n - b, s - least1, n - s - least0})', 'n - b', 'slower'),
    # the search over cuts, judged by cut_claims_test
    ("split(nodes[level], f, cuts[i].rows_left, cuts[j].rows_left,", "split(nodes[level], f, cuts[i].rows_left, cuts[i].rows_left,",
     'cuts: a box is its first cut'),
    ("split(nodes[level], f, cuts[i].rows_left, cuts[j].rows_left,", "split(nodes[level], f, cuts[j].rows_left, cuts[j].rows_left,",
     'cuts: a box is its last cut'),
    ("child.first[f] = cuts[i].cut;", "child.first[f] = cuts[i].cut + 2;", 'cuts: the next cut is left out'),
    ("box_alive(level, f, cuts, middle + 1, j, r, grain);", "box_alive(level, f, cuts, middle + 2, j, r, grain);", 'cuts: a gap between halves'),
    ("|| box_alive(level, f, cuts, middle + 1, j, r, grain);", ";", 'cuts: one half alone'),
    ("if (i == j || !open ||", "if (true ||", 'cuts: a live box is not halved'),
    ("if (node.error < target || r == 0) return", "if (r == 0) return", 'cuts: smaller sets are not looked at'),
    ("node.columns.erase(at);", "node.columns.clear();", 'cuts: one column alone'),
    ("const Weight needed = node.error - target;", "const Weight needed = node.error - target + 1;", 'cuts: the sweep is one off'),
    ("const Weight needed = node.error - target;", "const Weight needed = node.error - target - 1;", 'cuts: the sweep is one off, the other way'),
    ("i + 1 < rows.size(); ++i) {\n      const Row& row", "i + 2 < rows.size(); ++i) {\n      const Row& row", 'cuts: the sweep lacks the last cut'),
    ("return cut < after ? cut : kNone;", "return cut;", 'cuts: between equal values'),
    ("if (errs == 0) continue;", "if (errs <= 1) continue;", 'cuts: cells that err by one are dropped'),
    ("next[cuts.column][k] = kNone;", "next[cuts.column][k] = next[cuts.column][k];", 'cuts: forbidden ones are used'),
    ("for (const Interval& cut : c.required_cuts) {\n", "for (const Interval& cut : c.model_cuts) {\n", 'cuts: required ones do not split'),
    ("return test ? 1 - row[f] : row[f];", "return row[f];", 'cuts: a test is turned round'),
    ("(table.values[i][f] <= most) != inverted", "(table.values[i][f] < most) != inverted", 'cuts: thresholds exclude their value'),
    ("passed > 0 && std::ranges::count(c.model_cuts, cut) > 0;", "true;", 'cuts: the model may test any'),
    ("== table.columns.end(),\n            \"model, \"", "== table.columns.end() || true,\n            \"model, \"", 'cuts: any column will do'),
    ("require(cut.last < ranks.num_cuts(cut.column),", "require(true,", 'cuts: those that there are not'),
    ("cut.last < never.first || cut.first > never.last,", "true,", 'cuts: forbidden ones in the model'),
    # sound, only slower
    ("(grain > 0 && dropped <= grain)", "false", 'slower'),
    ("child.first[f] = cuts[i].cut;", "child.first[f] = cuts[j].cut;", 'slower'),  # cuts of the box part its node like the box
    ("auto at = std::find(node.columns.begin(), node.columns.end(), hot[level]);", "auto at = node.columns.begin();", 'slower'),
]

FIRST_OF_CUTS = next(i for i, mutant in enumerate(MUTANTS) if mutant[2].startswith('cuts: '))


def judge(number, compiler, folder):
    old, new, what = MUTANTS[number]
    place = os.path.join(folder, str(number))
    shutil.copytree(os.path.join(folder, 'source'), place)
    path = os.path.join(place, 'beadcheck.cpp')
    text = open(path).read()
    if text.count(old) != 1:
        return f'{what}: the line to break occurs {text.count(old)} times: {old}', False
    open(path, 'w').write(text.replace(old, new))
    program, about = os.path.join(place, 'claims_test'), 'cut_claims' if number >= FIRST_OF_CUTS else 'claims'
    subprocess.run([compiler, '-std=c++20', '-O1', '-w', f'-DBEADCHECK_SOURCE="{place}/beadcheck.cpp"',
                    os.path.join(folder, about + '_test.cpp'), '-o', program], check=True)
    try:
        run = subprocess.run([program, '30000' if about == 'claims' else '10000'], capture_output=True, text=True, timeout=1800)
        caught, how = run.returncode != 0, run.stdout.split('\n')[0][:60] if run.returncode == 1 else f'exit {run.returncode}'
    except subprocess.TimeoutExpired:
        caught, how = True, 'timeout'
    right = caught != (what == 'slower')
    return f"{'' if right else 'MISSED '}{what}: {how}", right


def main():
    compiler, sources, folder = sys.argv[1:4]
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(os.path.join(sources, 'apps/beadcheck'), os.path.join(folder, 'source'))
    for about in ('claims', 'cut_claims'):
        shutil.copy(os.path.join(sources, f'tests/beadcheck/{about}_test.cpp'), folder)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        missed = 0
        for line, right in pool.map(lambda i: judge(i, compiler, folder), range(len(MUTANTS))):
            print(line, flush=True)
            missed += not right
    print(f'{len(MUTANTS)} mutants, {missed} judged wrongly')
    return missed > 0


if __name__ == '__main__':
    sys.exit(main())
