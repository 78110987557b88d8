"""Breaks the checker on purpose, one rule at a time, and expects claims_test to notice: mutants.py CXX SOURCES FOLDER

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
    ('search.hpp', 'share[k] = (b - weight[k]) / r;', 'share[k] = (b - weight[k]);', 'all of d_k for each feature'),
    ('search.hpp', 'share[k] = (b - weight[k]) / r;', 'share[k] = (b - weight[k] + r - 1) / r;', 'd_k / r rounded up'),
    ('search.hpp', 'std::min({n - b, s - least1, n - s - least0})', 'std::min({n - b, s - least1, n - s - least0}) / 2', 'half the cap'),
    ('search.hpp', 'n - s - least0})', 'n - s - least0 - 1})', 'one off on side 0'),
    ('search.hpp', 's - least1, n', 's - most1, n', 'the largest class of a side counted as lost to none'),
    ('search.hpp', 'least1 = std::min(least1, one + share[k]);', 'least1 = one + share[k];', 'only the last class may be the answer'),
    ('search.hpp', 'r == 1 ? most0 + most1 - b', 'r == 1 ? most0 + most1 - b - 1', 'the last split gains one less'),
    ('search.hpp', 'r == 1 ? most0', 'r == 1 ? most1', 'the last split forgets a side'),
    ('search.hpp', 'r == 1 ? most0', 'false ? most0', 'the last split is bounded, not counted'),
    # the search
    ('search.hpp', '(sum[u + r - 1] - sum[u]) >=', '(r > 1 ? sum[u + r - 1] - sum[u + 1] : 0) >=', 'the rule forgets W(u)'),
    ('search.hpp', '(sum[u + r - 1] - sum[u]) >=', '(r > 1 ? sum[u + 1] - sum[u] : 0) >=', 'the rule forgets the others'),
    ('search.hpp', '(sum[u + r - 1] - sum[u]) >=', '(sum[u + r - 1] - sum[u]) + 1 >=', 'the rule is one off'),
    ('search.hpp', 'return cap[f] > cap[g];', 'return cap[f] < cap[g];', 'candidates by rising W'),
    ('search.hpp', 'return cap[f] > cap[g];', 'return f < g;', 'candidates are not sorted by W'),
    ('search.hpp', 'if (keep.size() < u + r) break;', 'if (keep.size() <= u + r) break;', 'the last set of a node is skipped'),
    ('search.hpp', 'u + r <= keep.size() && !found', 'u + r < keep.size() && !found', 'the last first feature is skipped'),
    ('search.hpp', 'if (n == b) continue;', 'if (n <= b + 1) continue;', 'cells that err by one are dropped'),
    ('search.hpp', 'descend(*child, u, keep.size(), r - 1)', 'descend(*child, u + 1, keep.size(), r - 1)', 'another feature is split by'),
    # counting
    ('search.hpp', 'std::popcount(bits[f] & rows)} << block.shift', 'std::popcount(bits[f] & rows)} << 0', 'weights are not counted'),
    ('search.hpp', 'bits[f] & rows', 'bits[f]', 'the sides are not counted apart'),
    ('search.hpp', 'from.bits[keep[j]]', 'from.bits[j]', 'bits of another candidate'),
    ('search.hpp', 'part.front().k != part.back().k', 'part.size() > 2', 'small cells are dropped'),
    # the rest
    ('beadcheck.cpp', 'cells[values_of(table.bits[i], c.required)]', 'cells[""]', 'required columns do not split'),
    ('beadcheck.cpp', 'require(forbidden || known.contains(pattern(f))', 'require(true', 'the order is not checked'),
    ('beadcheck.cpp', "bits[f] == table.bits[0][f] ? '0' : '1'", 'bits[f]', 'complements are different columns'),
    ('beadcheck.cpp', 'for (std::size_t f : c.required) known.insert(pattern(f));', '', 'required columns cover nothing'),
    ('beadcheck.cpp', 'require(error == c.claim,', 'require(error >= c.claim,', 'the diagram may err by more'),
    ('beadcheck.cpp', 'require(reached == c.claim,', 'require(true,', 'the model is not evaluated'),
    ('beadcheck.cpp', "== '1' ? 2 : 1", "== '0' ? 2 : 1", 'low and high are swapped'),
    ('beadcheck.cpp', 'error += table.weight[i];', 'error += 1;', 'the diagram is judged without weights'),
    ('beadcheck.cpp', 'require(hash == c.data_sha256', 'require(true', 'any data will do'),
    ('beadcheck.cpp', 'if (c.choices() == 0 && error(c.required) < c.claim)', 'if (false)', 'sets of required columns only go unchecked'),
    ('files.hpp', 'std::min(depth - required.size(), order.size())', 'std::min(depth - required.size(), order.size()) / 2', 'smaller sets only'),
    # sound, only slower
    ('search.hpp', 'share[k] = (b - weight[k]) / r;', 'share[k] = 0;', 'slower'),
    ('search.hpp', 'std::min({n - b, s - least1, n - s - least0})', 'n - b', 'slower'),
]


def judge(number, compiler, folder):
    name, old, new, what = MUTANTS[number]
    place = os.path.join(folder, str(number))
    shutil.copytree(os.path.join(folder, 'source'), place)
    path = os.path.join(place, name)
    text = open(path).read()
    if text.count(old) != 1:
        return f'{what}: the line to break occurs {text.count(old)} times: {old}', False
    open(path, 'w').write(text.replace(old, new))
    program = os.path.join(place, 'claims_test')
    subprocess.run([compiler, '-std=c++20', '-O1', '-w', f'-DBEADCHECK_SOURCE="{place}/beadcheck.cpp"',
                    os.path.join(folder, 'claims_test.cpp'), '-o', program], check=True)
    try:
        run = subprocess.run([program, '30000'], capture_output=True, text=True, timeout=300)
        caught, how = run.returncode != 0, run.stdout.split('\n')[0][:60] if run.returncode == 1 else f'exit {run.returncode}'
    except subprocess.TimeoutExpired:
        caught, how = True, 'timeout'
    right = caught != (what == 'slower')
    return f"{'' if right else 'MISSED '}{what}: {how}", right


def main():
    compiler, sources, folder = sys.argv[1:4]
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(os.path.join(sources, 'apps/beadcheck'), os.path.join(folder, 'source'))
    shutil.copy(os.path.join(sources, 'tests/beadcheck/claims_test.cpp'), folder)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        missed = 0
        for line, right in pool.map(lambda i: judge(i, compiler, folder), range(len(MUTANTS))):
            print(line, flush=True)
            missed += not right
    print(f'{len(MUTANTS)} mutants, {missed} judged wrongly')
    return missed > 0


if __name__ == '__main__':
    sys.exit(main())
