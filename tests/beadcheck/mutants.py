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
    ('search.hpp', 'share = (b - weight[k]) / r;', 'share = (b - weight[k]);', 'all of d_k for each feature'),
    ('search.hpp', 'share = (b - weight[k]) / r;', 'share = (b - weight[k] + r - 1) / r;', 'd_k / r rounded up'),
    ('search.hpp', 'std::min({n - b, s[i] - least1[i], n - s[i] - least0[i]})', 'std::min({n - b, s[i] - least1[i], n - s[i] - least0[i]}) / 2', 'half the cap'),
    ('search.hpp', 'n - s[i] - least0[i]})', 'n - s[i] - least0[i] - 1})', 'one off on side 0'),
    ('search.hpp', 's[i] - least1[i], n', 's[i] - most1[i], n', 'the largest class of a side counted as lost to none'),
    ('search.hpp', 'least1[i] = std::min(least1[i], one[i] + share);', 'least1[i] = one[i] + share;', 'only the last class may be the answer'),
    ('search.hpp', 'r == 1 ? most0[i] + most1[i] - b', 'r == 1 ? most0[i] + most1[i] - b - 1', 'the last split gains one less'),
    ('search.hpp', 'r == 1 ? most0[i]', 'r == 1 ? most1[i]', 'the last split forgets a side'),
    ('search.hpp', 'r == 1 ? most0[i]', 'false ? most0[i]', 'the last split is bounded, not counted'),
    # the search
    ('search.hpp', 'if (child.error - (sum[u + r] - sum[u]) >= target_) break;', 'if (child.error - (sum[u + r - 1] - sum[u]) >= target_) break;', 'one feature too few in the break'),
    ('search.hpp', '(sum[u + r - 1] - sum[u]) - target_;', '(sum[u + r - 1] - sum[u + 1]) - target_;', 'the pair rule forgets W(u)'),
    ('search.hpp', '(sum[u + r - 1] - sum[u]) - target_;', '(sum[u + 1] - sum[u]) - target_;', 'the pair rule forgets the others'),
    ('search.hpp', 'rest >= child.cap[last - 1]', 'rest + 1 >= child.cap[last - 1]', 'the pair rule is one off'),
    ('search.hpp', 'if (rest < child.cap[j]) keep.push_back(j);', 'if (rest + 1 < child.cap[j]) keep.push_back(j);', 'prune is one off'),
    ('search.hpp', 'std::vector<Weight> largest(r - 1);', 'std::vector<Weight> largest(r > 1 ? r - 2 : 0);', 'prune forgets a feature'),
    ('search.hpp', 'std::greater<>());', 'std::less<>());', 'prune takes the smallest W'),
    ('search.hpp', 'if (!by_position && child.cap[i] != child.cap[j]) return child.cap[i] > child.cap[j];', '', 'candidates are not sorted by W'),
    ('search.hpp', 'if (last - u < r ||', 'if (last - u <= r ||', 'the last set of a node is skipped'),
    ('search.hpp', 'u + r <= child.size()', 'u + r < child.size()', 'the last first feature is skipped'),
    ('search.hpp', 'if (error == 0) continue;', 'if (error <= 1) continue;', 'cells that err by one are dropped'),
    ('search.hpp', '(low && p < from_[depth])', '(low && p <= from_[depth])', 'a range loses its beginning'),
    ('search.hpp', '(p == to_[depth] && depth + 1 == to_.size())', 'p == to_[depth]', 'a range loses what begins like its end'),
    ('search.hpp', 'if (low || high) {', 'if (false) {', 'ranges are ignored'),
    ('search.hpp', 'prune(child, t, r, low || high)', 'prune(child, t, r, false)', 'ranges of sets in another order'),
    # counting
    ('search.hpp', '<< r->shift', '<< 0', 'weights are not counted'),
    ('search.hpp', 'side ? both_[k * m + j] :', 'side ? node.ones[(c * k_ + k) * n + first + j] :', 'side 1 is not split'),
    ('search.hpp', 'child.column.push_back(t + 1 + j);', 'child.column.push_back(t + j);', 'bits of the neighbour'),
    # merging and the rest
    ('beadcheck.cpp', 'least * static_cast<Weight>(c.classes - 1)', 'least * static_cast<Weight>(c.classes)', 'too much cancelled'),
    ('beadcheck.cpp', 'least * static_cast<Weight>(c.classes - 1)', 'least', 'two classes assumed'),
    ('beadcheck.cpp', 'const Weight least = *std::min_element(', 'const Weight least = *std::max_element(', 'more cancelled than there is'),
    ('beadcheck.cpp', 'end->first.substr(0, skip) == begin->first.substr(0, skip)', 'true', 'required columns do not split'),
    ('beadcheck.cpp', 'else require(known.contains(pattern(f))', 'else require(true', 'the order is not checked'),
    ('beadcheck.cpp', "bits[f] == table.bits[0][f] ? '0' : '1'", 'bits[f]', 'complements are different columns'),
    ('beadcheck.cpp', 'for (std::size_t f : c.required) known.insert(pattern(f));', '', 'required columns cover nothing'),
    ('beadcheck.cpp', 'require(error == c.claim,', 'require(error >= c.claim,', 'the diagram may err by more'),
    ('beadcheck.cpp', 'require(error(c.model) == c.claim,', 'require(true,', 'the model is not evaluated'),
    ('beadcheck.cpp', "== '1' ? tests[at].high : tests[at].low", "== '0' ? tests[at].high : tests[at].low", 'low and high are swapped'),
    ('beadcheck.cpp', 'error += table.weight[i];\n  }\n  require', 'error += 1;\n  }\n  require', 'the diagram is judged without weights'),
    ('beadcheck.cpp', 'require(table.sha256 == c.data_sha256', 'require(true', 'any data will do'),
    ('beadcheck.cpp', 'if (c.choices() == 0 && error(c.required) < c.claim)', 'if (false)', 'sets of required columns only go unchecked'),
    ('files.hpp', 'std::min(depth - required.size(), order.size())', 'std::min(depth - required.size(), order.size()) / 2', 'smaller sets only'),
    # sound, only slower; the last packs rows that are not there, which are 0 in every column and so never counted
    ('search.hpp', 'share = (b - weight[k]) / r;', 'share = 0;', 'slower'),
    ('search.hpp', 'std::min({n - b, s[i] - least1[i], n - s[i] - least0[i]})', 'n - b', 'slower'),
    ('search.hpp', 'cell.side ? ones : node.valid[w] & ~ones', 'cell.side ? ones : ~ones', 'slower'),
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
    subprocess.run([compiler, '-std=c++20', '-O1', '-w', '-pthread', f'-DBEADCHECK_SOURCE="{place}/beadcheck.cpp"',
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
