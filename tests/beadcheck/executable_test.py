"""Runs the beadcheck program on good and on spoilt files: executable_test.py BEADCHECK

Verdicts and exit codes; files cut and altered at every byte; each rule of the formats broken once.
"""
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

import certificates as c

BEADCHECK = sys.argv[1]
FOLDER = tempfile.TemporaryDirectory()
RUNS = 0


def path(name):
    return os.path.join(FOLDER.name, name)


def write(name, text):
    with open(path(name), 'wb') as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return path(name)


def run(*arguments):
    global RUNS
    RUNS += 1
    done = subprocess.run([BEADCHECK, *arguments], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def check(data, model, certificate, *options):
    return run(write('data', data), '-' if model is None else write('model', model), write('certificate', certificate), *options)


def accepted(what, data, model, certificate, *options, says='VERIFIED\n'):
    code, out, err = check(data, model, certificate, *options)
    assert code == 0 and out.startswith(says) and not err, (what, code, out, err)
    return out


def rejected(what, data, model, certificate, *options, reason=''):
    code, out, err = check(data, model, certificate, *options)
    one_line = out.startswith('REJECTED: ') and out.count('\n') == 1
    assert code == 1 and one_line and reason in out and not err, (what, code, out, err)


def random_table(rng, rows, columns, classes):
    labels = [rng.randrange(classes) for _ in range(rows)]
    bits = [''.join(rng.choice('01') for _ in range(columns)) for _ in range(rows)]
    return labels, bits


def best_set(labels, bits, weights, classes, depth, order):
    size = min(depth, len(order))
    return min((c.error(labels, bits, weights, classes, s), s) for s in itertools.combinations(order, size))


def verdicts():
    """A few hundred small tables through the program: the optimum accepted, one error more rejected."""
    rng = random.Random(5)
    for i in range(60):
        classes, depth = rng.randint(2, 4), rng.randint(1, 4)
        labels, bits = random_table(rng, rng.randint(2, 90), rng.randint(1, 6), classes)
        weights = [rng.randint(0, 5) for _ in labels] if i % 2 else [1] * len(labels)
        data, order = c.table_text(labels, bits, weights if i % 2 else None), c.distinct_columns(bits)
        error, best = best_set(labels, bits, weights, classes, depth, order)
        model = c.model_json(labels, bits, weights, classes, best)
        table = labels, bits, weights, classes, depth
        accepted('optimum', data, model, c.certificate(*table, error, best, order))
        accepted('bound', data, None, c.certificate(*table, error, [], order), says='VERIFIED lower bound\n')
        rejected('bound + 1', data, None, c.certificate(*table, error + 1, [], order), reason='less than the claim')
        worse = order[:min(depth, len(order))]
        worse_error = c.error(labels, bits, weights, classes, worse)
        if worse and worse_error > error:
            worse_model = c.model_json(labels, bits, weights, classes, worse)
            rejected('worse', data, worse_model, c.certificate(*table, worse_error, worse, order), reason='less than the claim')


LABELS, BITS = [0, 1, 1, 0, 1, 0, 0], ['0010', '0110', '1011', '1100', '0110', '1110', '0011']
ONES = [1] * 7
DATA = c.table_text(LABELS, BITS)
ORDER = [0, 1, 2, 3]
ERROR, BEST = best_set(LABELS, BITS, ONES, 2, 2, ORDER)
CERTIFICATE = c.certificate(LABELS, BITS, ONES, 2, 2, ERROR, BEST, ORDER)
MODEL = c.model_json(LABELS, BITS, ONES, 2, BEST)


def usage():
    for arguments in [], ['a'], ['a', 'b'], ['a', 'b', 'c', 'd'], ['a', 'b', 'c', '--nonsense'], ['--help']:
        code, out, err = run(*arguments)
        assert code == 2 and not out and err.count('\n') == 1, (arguments, code, out, err)
    code, out, _ = run('/nonexistent', '-', '/nonexistent')
    assert code == 1 and out.startswith('REJECTED: cannot read'), out
    code, out, _ = run(FOLDER.name, '-', FOLDER.name)
    assert code == 1 and out.startswith('REJECTED: cannot read'), out


def spoilt_bytes():
    accepted('as made', DATA, MODEL, CERTIFICATE)
    for i in range(len(CERTIFICATE)):
        rejected('truncated', DATA, MODEL, CERTIFICATE[:i])
    raw = CERTIFICATE.encode()
    for i in range(len(raw)):
        rejected('flipped', DATA, MODEL, raw[:i] + bytes([raw[i] ^ (1 << i % 8)]) + raw[i + 1:])
    for i in range(0, len(MODEL), 7):
        rejected('truncated', DATA, MODEL[:i], CERTIFICATE)
    for i in range(0, len(DATA), 5):
        if DATA[i] in '01':
            rejected('other data', DATA[:i] + '10'[int(DATA[i])] + DATA[i + 1:], MODEL, CERTIFICATE)


def broken_certificates():
    body = CERTIFICATE[:CERTIFICATE.rindex('sha256 ')]

    def changed(old, new, reason):
        assert body.count(old) == 1, old
        rejected(f'{old!r} -> {new!r}', DATA, MODEL, c.seal(body.replace(old, new)), reason=reason)

    changed('certificate 1', 'certificate 2', 'version 2, and this checker reads version 1')
    changed('certificate 1', 'certificate 99999999999999999999', 'not a number')
    changed('rows 7', 'rows 8', 'not of the size')
    changed('rows 7', 'rows 7\nrows 7', "'columns' expected, not 'rows 7'")
    changed('rows 7', 'rows -7', 'not a number')
    changed('rows 7', 'rows 7 7', 'takes one number')
    changed('rows 7\n', '', "'rows' expected")
    changed('columns 4', 'columns 99999999999', 'not a number from 0')
    changed('columns 4', 'columns 5', 'not of the size')
    changed('classes 2', 'classes 1', 'not among those certified')
    changed('classes 2', 'classes 3', 'not as many classes')
    changed('depth 2', 'depth 1', 'than the depth')
    changed('depth 2', 'depth 65', 'not a number from 0 to 64')
    changed(f'claim {ERROR}', f'claim {ERROR + 1}', f'errs by {ERROR}')
    changed(f'claim {ERROR}', 'claim 18446744073709551617', 'not a number')
    changed('forbidden 0', 'forbidden 1 4', 'not a number from 0 to 3')
    changed('forbidden 0', f'forbidden 1 {BEST[0]}', 'is forbidden, and used')
    changed('forbidden 0', 'forbidden 2 0', 'not as long as it says')
    other = [f for f in ORDER if f not in BEST]
    changed('forbidden 0', f'forbidden 0\nrequired 1 {other[0]}', 'lacks the required column')
    changed('forbidden 0', 'forbidden 0\nrequired 3 0 1 2', 'than the depth')
    changed(f'model 2 {BEST[0]}', f'model 2 {BEST[1]}', 'repeats a column')
    changed(f'model 2 {BEST[0]} {BEST[1]}', f'model 1 {BEST[0]}', 'a column not of the model')
    changed('order 4 0 1 2 3', 'order 3 0 1 2', 'does not cover column 3')
    changed('order 4 0 1 2 3', 'order 4 0 1 2 2', 'repeats a column')
    changed('order 4 0 1 2 3', 'order 4 0 1 2', 'not as long as it says')
    changed('ranges 1', 'ranges 2', "'done' expected")
    changed('ranges 1\ndone - -', 'ranges 0', 'shard is missing')
    changed('done - -', 'done - 1', 'shard is missing')
    changed('done - -', 'done 1 -', 'do not tile')
    changed('done - -', 'done - 4', 'not a number from 0 to 3')
    changed('done - -', 'done - 1,1', 'not the beginning of a set')
    changed('done - -', 'done - 0,1,2', 'not the beginning of a set')
    changed('done - -', 'done - 0,', 'not a number')
    changed('ranges 1\ndone - -', 'ranges 2\ndone - 1\ndone 2 -', 'do not tile')
    changed('ranges 1\ndone - -', 'ranges 2\ndone - 1\ndone 0,3 -', 'do not tile')
    changed('ranges 1\ndone - -', 'ranges 2\ndone - -\ndone - -', 'do not tile')
    changed('\nend\n', '\nend\nmore\n', "'sha256' expected")
    changed('\nend\n', '\n', "'end' expected")
    rejected('unsealed', DATA, MODEL, body, reason='truncated')
    rejected('sealed twice', DATA, MODEL, c.seal(CERTIFICATE), reason='text after its end')
    shards = body.replace('ranges 1\ndone - -', 'ranges 3\ndone 1,2 -\ndone - 0,2\ndone 0,2 1,2')
    accepted('three shards', DATA, MODEL, c.seal(shards))
    # required columns, in and out of the order
    for order in [0, 1, 2, 3], [f for f in ORDER if f != BEST[0]]:
        accepted('required', DATA, MODEL, c.certificate(LABELS, BITS, ONES, 2, 2, ERROR, BEST, order, required=BEST[:1]))


def broken_models():
    def changed(change, reason):
        model = json.loads(MODEL)
        change(model)
        rejected(reason, DATA, json.dumps(model), CERTIFICATE, reason=reason)

    def nodes(model):
        return model['diagram']['nodes']

    changed(lambda m: m.update(version=2), 'version 2, and this checker reads version 1')
    changed(lambda m: m.update(format='x'), 'not a beadwork-model')
    changed(lambda m: m.pop('diagram'), "no 'diagram'")
    changed(lambda m: nodes(m)[1].update(low=0), 'cycle')
    changed(lambda m: nodes(m)[1].update(low=1), 'cycle')
    changed(lambda m: nodes(m)[2].update(low=99), 'not a number from 0 to 6')
    changed(lambda m: nodes(m)[2].update(low=-1), 'not a number')
    changed(lambda m: nodes(m)[2].update(low=3.0), 'not a number')
    changed(lambda m: nodes(m)[2].update(low='3'), 'not a number')
    changed(lambda m: nodes(m)[2].update(low=True), 'not a number')
    changed(lambda m: nodes(m)[2].update(feature=2), 'not a number from 0 to 1')
    changed(lambda m: nodes(m)[2].update({'class': 1}), 'either a class or a feature')
    changed(lambda m: nodes(m)[2].pop('low'), "no 'low'")
    changed(lambda m: nodes(m)[3].update({'class': 2}), 'not a number from 0 to 1')
    changed(lambda m: nodes(m)[3].pop('class'), 'either a class or a feature')
    changed(lambda m: nodes(m).append({'class': 1}), 'reached from no earlier node')
    changed(lambda m: nodes(m).clear(), 'no nodes')
    changed(lambda m: [n.update({'class': None}) for n in nodes(m) if 'class' in n], 'no class for row')
    changed(lambda m: m['features'][0].update(index=4), 'not a number from 0 to 3')
    changed(lambda m: m['features'][0].update(index=[f for f in ORDER if f not in BEST][0]), 'not of the model')
    changed(lambda m: [n.update({'class': 1 - n['class']}) for n in nodes(m) if 'class' in n], 'the model errs by')
    for text in '', '{', '[]', 'null', 'NaN', '1', '"', '{"a":1,}', '{"a" 1}', '{a:1}', '[1,]', '[,1]', '[1 2]', '{"a":01}', '{"a":1.}', \
            '{"a":+1}', MODEL + 'x', MODEL + '\0', '{"\\u0061":1}', MODEL.replace('"version": 1', '"version": NaN'), '"\\', '[' * 100000:
        rejected(text[:40], DATA, text, CERTIFICATE)
    rejected('duplicate', DATA, MODEL.replace('"version": 1', '"version": 1, "version": 1'), CERTIFICATE, reason='duplicate key')
    rejected('deep', DATA, '[' * 66 + ']' * 66, CERTIFICATE, reason='deeper than 64')
    accepted('more keys', DATA, MODEL.replace('"version": 1', '"version": 1, "x": ["\\"}", {}, -1.5e+3, true, null]'), CERTIFICATE)


def broken_data():
    for text, reason in [('', 'cannot read'), ('# only\n', 'no rows'), ('x 0 1\n', 'line 1, class'), ('0 0 1\n0 0\n', 'line 2'), ('0 0 2\n', 'neither 0 nor 1'),
                         ('-1 0\n', 'not a number'), ('# weights\n0 -1 0\n', 'weight'), ('# weights\n0\n', 'line 2, weight'), ('0 1\n# weights\n', 'after the first row'),
                         ('# weights\n0 9223372036854775808 0\n', 'weight')]:
        rejected(text, text, MODEL, CERTIFICATE, reason=reason)
    accepted('blank lines, comments, CRLF', '# a table\n\n' + DATA.replace('\n', '\r\n').replace(' ', ' \t ') + '\n', MODEL, CERTIFICATE)
    huge = [2 ** 62, 2 ** 62] + [1] * 5
    rejected('huge', c.table_text(LABELS, BITS, huge), None, c.certificate(LABELS, BITS, huge, 2, 2, 0, [], ORDER), reason='too large')
    large = [2 ** 59, 2 ** 58] + [1] * 5
    error, best = best_set(LABELS, BITS, large, 2, 2, ORDER)
    accepted('large', c.table_text(LABELS, BITS, large), None, c.certificate(LABELS, BITS, large, 2, 2, error, best, ORDER), says='VERIFIED lower bound\n')
    rejected('large', c.table_text(LABELS, BITS, large), None, c.certificate(LABELS, BITS, large, 2, 2, 2 ** 63 - 1, [], ORDER), reason='less than the claim')


for test in verdicts, usage, spoilt_bytes, broken_certificates, broken_models, broken_data:
    test()
print(f'{RUNS} runs of beadcheck')
