"""Runs the beadcheck program on good and on spoilt files: executable_test.py BEADCHECK

Verdicts and exit codes; files cut and altered at every third byte (in make nightly: at every byte); each rule of the formats broken once.
"""
import itertools
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

import certificates as c

signal.signal(signal.SIGINT, signal.default_int_handler)  # who starts tests in the background may have it ignored

BEADCHECK = sys.argv[1]
FOLDER = tempfile.TemporaryDirectory()
RUNS = 0
STEP = 1 if os.environ.get('BEADWORK_NIGHTLY') else 3  # of the bytes that are cut off or altered


def path(name):
    return os.path.join(FOLDER.name, name)


def write(name, text):
    with open(path(name), 'wb') as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return path(name)


def cpu_of_children():
    """Seconds of processor time of the programs that have ended: unlike the clock, hardly longer on a busy machine."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(*arguments):
    global RUNS
    RUNS += 1
    done = subprocess.run([BEADCHECK, *arguments], capture_output=True, text=True, timeout=1800)
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
    for arguments in [], ['a'], ['a', 'b'], ['a', 'b', 'c', 'd'], ['a', 'b', 'c', '--nonsense'], ['a', 'b', 'c', '--limit'], \
            ['--limit', '-1', 'a', 'b', 'c'], ['--limit', 'nan', 'a', 'b', 'c'], ['--limit', '1x', 'a', 'b', 'c'], ['--limit', '', 'a', 'b', 'c'], ['--a\nb']:
        code, out, err = run(*arguments)
        assert code == 2 and not out and err.count('\n') == 1 and 'usage: beadcheck' in err, (arguments, code, out, err)
    code, out, err = run('--help')
    assert code == 0 and out.startswith('usage: beadcheck') and not err, (code, out, err)
    help_codes = [line.split()[-1] for line in out.splitlines() if line.startswith('  NOT CHECKED: reason   ')]
    assert 'NOT CHECKED: reason              3' in out and help_codes, out
    code, out, _ = run('/nonexistent', '-', '/nonexistent')
    assert code == 1 and out.startswith('REJECTED: cannot read'), out
    code, out, _ = run(FOLDER.name, '-', FOLDER.name)
    assert code == 1 and out.startswith('REJECTED: cannot read'), out


def spoilt_bytes():
    accepted('as made', DATA, MODEL, CERTIFICATE)
    for i in range(0, len(CERTIFICATE), STEP):
        rejected('truncated', DATA, MODEL, CERTIFICATE[:i])
    raw = CERTIFICATE.encode()
    for i in range(0, len(raw), STEP):
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

    changed('certificate 1', 'certificate 3', 'version 3, and this checker reads versions 1 and 2')
    changed('certificate 1', 'certificate 2', "'required' expected")
    changed('certificate 1', 'certificate 99999999999999999999', 'not a number')
    changed('rows 7', 'rows 8', 'not of the size')
    changed('rows 7', 'rows 7\nrows 7', "'columns' expected, not 'rows 7'")
    changed('rows 7', 'rows -7', 'not a number')
    changed('rows 7', 'rows 7 7', 'takes one number')
    changed('rows 7\n', '', "'rows' expected")
    changed('columns 4', 'columns 99999999999', 'not a number below 2147483648')
    changed('columns 4', 'columns 5', 'not of the size')
    changed('classes 2', 'classes 1', 'not among those certified')
    changed('classes 2', 'classes 3', 'not as many classes')
    changed('depth 2', 'depth 1', 'than the depth')
    changed('depth 2', 'depth 65', 'not a number below 65')
    changed(f'claim {ERROR}', f'claim {ERROR + 1}', f'errs by {ERROR}')
    changed(f'claim {ERROR}', 'claim 18446744073709551617', 'not a number')
    changed('forbidden 0', 'forbidden 1 4', 'not a number below 4')
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
    changed('done - -', 'done - 4', 'not a number below 4')
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

    changed(lambda m: m.update(version=3), 'model of version 3, and this checker reads versions 1, 2 and 4')
    changed(lambda m: m.update(version=4, members=[]), 'a committee, whose members vote')
    changed(lambda m: m.update(version=10 ** 300), 'model of version 1000')
    changed(lambda m: m.update(version='2'), 'model of version "2"')
    changed(lambda m: m.update(format='x'), 'not a beadwork-model')
    changed(lambda m: m.pop('diagram'), "no 'diagram'")
    changed(lambda m: nodes(m)[1].update(low=0), 'cycle')
    changed(lambda m: nodes(m)[1].update(low=1), 'cycle')
    changed(lambda m: nodes(m)[2].update(low=99), 'not a number below 7')
    changed(lambda m: nodes(m)[2].update(low=-1), 'not a number')
    changed(lambda m: nodes(m)[2].update(low=3.0), 'not a number')
    changed(lambda m: nodes(m)[2].update(low='3'), 'not a number')
    changed(lambda m: nodes(m)[2].update(low=True), 'not a number')
    changed(lambda m: m.update(features=[]), 'not a number below 0')
    changed(lambda m: nodes(m)[2].update(feature=2), 'not a number below 2')
    changed(lambda m: nodes(m)[2].update({'class': 1}), 'either a class or a feature')
    changed(lambda m: nodes(m)[2].pop('low'), "no 'low'")
    changed(lambda m: nodes(m)[3].update({'class': 2}), 'not a number below 2')
    changed(lambda m: nodes(m)[3].pop('class'), 'either a class or a feature')
    changed(lambda m: nodes(m).append({'class': 1}), 'reached from no earlier node')
    changed(lambda m: nodes(m).clear(), 'no nodes')
    changed(lambda m: [n.update({'class': None}) for n in nodes(m) if 'class' in n], 'no class for row')
    changed(lambda m: m['features'][0].update(index=4), 'not a number below 4')
    changed(lambda m: m['features'][0].update(index=[f for f in ORDER if f not in BEST][0]), 'not of the model')
    changed(lambda m: [n.update({'class': 1 - n['class']}) for n in nodes(m) if 'class' in n], 'the model errs by')
    for text in '', '{', '[]', 'null', 'NaN', '1', '"', '{"a":1,}', '{"a" 1}', '{a:1}', '[1,]', '[,1]', '[1 2]', '{"a":01}', '{"a":1.}', \
            '{"a":+1}', MODEL + 'x', MODEL + '\0', '{"\\u0061":1}', MODEL.replace('"version": 1', '"version": NaN'), '"\\', '[' * 100000:
        rejected(text[:40], DATA, text, CERTIFICATE)
    rejected('duplicate', DATA, MODEL.replace('"version": 1', '"version": 1, "version": 1'), CERTIFICATE, reason='duplicate key')
    rejected('deep', DATA, '[' * 66 + ']' * 66, CERTIFICATE, reason='deeper than 64')
    claim = '"version": 2, "claim": {"status": "optimal", "lower": 0, "upper": 0, "scope": [["x"], {}]}'
    accepted('version 2', DATA, MODEL.replace('"version": 1', claim), CERTIFICATE)
    accepted('more keys', DATA, MODEL.replace('"version": 1', '"version": 1, "x": ["\\"}", {}, -1.5e+3, true, null]'), CERTIFICATE)


def broken_data():
    for text, reason in [('', 'is empty'), ('# only\n', 'no rows'), ('x 0 1\n', 'line 1, class'), ('0 0 1\n0 0\n', 'line 2'), ('0 0 2\n', 'neither 0 nor 1'),
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


VALUES = '# class 0 no\n# class 1 yes\n# column 0 number a b\n# column 1 test c = d\n0 1.5 0\n1 2 0\n1 ? 1\n0 -1e3 1\n1 1.5 1\n'
RANKS = [[1, 2, 3, 0, 1], [1, 1, 0, 0, 0]]  # of these columns
CUTS = c.cut_certificate([0, 1, 1, 0, 1], RANKS, [True, False], classes=2, depth=2, claim=0, model='2 0:0 1:0')
CUT_MODEL = {'format': 'beadwork-model', 'version': 2, 'classes': ['no', 'yes'],
             'columns': [{'name': 'a b', 'type': 'numeric'}, {'name': 'c', 'type': 'nominal', 'levels': ['d', 'e', 'f']}],
             'features': [{'name': 'a b <= 0', 'index': 0, 'column': 0, 'test': 'at_most', 'threshold': 0.25},
                          {'name': 'c = d', 'index': 3, 'column': 1, 'test': 'equals', 'level': 'd'}],
             'diagram': {'nodes': [{'feature': 0, 'low': 1, 'high': 2}, {'feature': 1, 'low': 3, 'high': 4}, {'class': 0},
                                   {'class': 0}, {'class': 1}]}}


def cuts():
    """A certificate over all thresholds: each rule of its formats broken once."""
    claim1 = CUTS.replace('claim 0', 'claim 1')
    certificate, model = c.seal(claim1[:claim1.rindex('sha256 ')]), json.dumps(CUT_MODEL)
    out = accepted('cuts', VALUES, model, certificate)
    assert 'no set of at most 2 cuts of the 2 columns has less; class names agree, columns and thresholds agree. ' in out, out
    assert '\nmodel: tests no cuts but 0:0 1:0\nfiles: sha256 of data ' in out, out
    accepted('CR LF', VALUES.replace('\n', '\r\n'), model, certificate)
    accepted('other numbers of the same order', VALUES.replace('-1e3', '-1000.0').replace('1.5', '15e-1'), model, certificate)
    accepted('bound', VALUES, None, certificate, says='VERIFIED lower bound\n')
    body = claim1[:claim1.rindex('sha256 ')]

    def changed(old, new, reason):
        assert body.count(old) == 1, old
        rejected(f'{old!r} -> {new!r}', VALUES, model, c.seal(body.replace(old, new)), reason=reason)

    changed('claim 1', 'claim 2', 'the model errs by 1')
    rejected('claim 2', VALUES, None, c.seal(body.replace('claim 1', 'claim 2')), reason='err by less than the claim 2')
    rejected('depth 5', VALUES, None, c.seal(body.replace('depth 2', 'depth 3')), reason='the cuts 0:0 0:1 1:0 err by less')
    changed('certificate 2', 'certificate 1', 'not a number below 2')
    changed('columns 2', 'columns 3', 'not of the size')
    changed('rows 5', 'rows 6', 'not of the size')
    changed('depth 2', 'depth 1', 'more cuts in the model')
    changed('forbidden 0', 'forbidden 1 0:0', 'cut 0:0 is forbidden, and used')
    changed('forbidden 0', 'forbidden 1 0:0-2', 'cut 0:0 is forbidden, and used')
    changed('forbidden 0', 'forbidden 1 0:3', 'column 0 has no cut 3')
    changed('forbidden 0', 'forbidden 1 1:1', 'column 1 has no cut 1')
    changed('forbidden 0', 'forbidden 1 2:0', 'not a number below 2')
    changed('forbidden 0', 'forbidden 1 0:2-1', 'increasing order')
    changed('forbidden 0', 'forbidden 2 0:1-2 0:2', 'increasing order')
    changed('forbidden 0', 'forbidden 2 0:1', 'as long as it says')
    for word in '0', '0:', ':0', '0:1-', '0:-1', '0:1-2-2', '0-1', '0:1:1', '-', ':', '0:0x':
        changed('forbidden 0', f'forbidden 1 {word}', 'not a number below')
    changed('required 0', 'required 1 0:1', 'the model lacks the required cut 0:1')
    changed('required 0', 'required 1 0:0-1', 'not a number below')
    changed('required 0', 'required 3 0:0 0:1 0:2', 'more cuts required')
    changed('model 2 0:0 1:0', 'model 1 0:0', 'feature 1: tests a cut not of the model')
    changed('model 2 0:0 1:0', 'model 2 1:0 0:0', 'increasing order')
    changed('model 2 0:0 1:0', 'model 2 0:0 0:0', 'increasing order')
    changed('\nend\n', '\n', "'end' expected")
    accepted('required', VALUES, model, c.seal(body.replace('required 0', 'required 1 1:0').replace('forbidden 0', 'forbidden 1 0:1')))
    for i in range(0, len(certificate), 5):
        rejected('truncated', VALUES, model, certificate[:i])

    def with_model(reason, change):
        other = json.loads(model)
        change(other)
        rejected(reason, VALUES, json.dumps(other), certificate, reason=reason)

    accepted('the threshold is a value', VALUES, model.replace('0.25', '-1000'), certificate)
    for threshold in '-1000.5', '1.5', '2', '1e300', '-1e300':
        rejected(threshold, VALUES, model.replace('0.25', threshold), certificate, reason='tests a cut not of the model')
    for threshold in '"0.25"', 'null', '1e999', '+1', '[]':
        rejected(threshold, VALUES, model.replace('0.25', threshold), certificate)
    with_model('class 0 is', lambda m: m['classes'].reverse())
    with_model("no column 'number a'", lambda m: m['columns'][0].update(name='a'))
    with_model("no column 'test c = e'", lambda m: m['features'][1].update(name='c = e'))
    with_model("no column 'test a b <= 0'", lambda m: m['columns'][0].update(type='nominal'))
    with_model('no threshold', lambda m: m['features'][0].update(test='equals'))
    with_model("no 'threshold'", lambda m: m['features'][0].pop('threshold'))
    with_model("no 'columns'", lambda m: m.pop('columns'))
    with_model('not a number below 2', lambda m: m['features'][0].update(column=2))
    with_model('tests a cut not of the model', lambda m: m['features'][0].update(test='missing'))
    missing = json.loads(model.replace('0.25', '7').replace('at_most', 'missing'))
    missing['diagram']['nodes'][0].update(low=2, high=1)
    sure = c.seal(body.replace('0:0 1:0', '0:2 1:0').replace('claim 1', 'claim 2').replace('forbidden 0', 'forbidden 1 0:0-1'))
    accepted('is missing', VALUES, json.dumps(missing), sure)
    missing['diagram']['nodes'][0].update(low=1, high=2)
    rejected('is not missing', VALUES, json.dumps(missing), sure, reason='the model errs by 3')
    for text, reason in [(VALUES.replace('1.5 0', 'x 0'), 'neither a number nor ?'), (VALUES.replace('1.5 0', 'inf 0'), 'neither a number nor ?'),
                         (VALUES.replace('1.5 0', 'nan 0'), 'neither'), (VALUES.replace('1.5 0', '1.5 ?'), 'neither 0 nor 1'),
                         (VALUES.replace('1.5 0', '1.5'), 'not a value for each column'), (VALUES.replace('1.5 0', '1.5 0 0'), 'not a value for'),
                         (VALUES.replace('number', 'text'), 'neither'), (VALUES.replace('column 1', 'column 2'), "'# column 1 NAME' expected"),
                         (VALUES.replace('1 2 0', '1 1.5 0'), 'the data are not those'), (VALUES.replace('1 ? 1', '1 9 1'), 'the data are not those'),
                         (DATA, "'beadwork binarize --values' writes"), (VALUES.replace('# class 1 yes\n', ''), 'do not name each class')]:
        rejected(reason, text, model, certificate, reason=reason)
    rejected('a matrix is asked for', VALUES, MODEL, CERTIFICATE, reason="about data that 'beadwork binarize' writes")
    twice = VALUES.replace('test c = d', 'number a b')
    rejected('two columns of one name', twice, model, reason="column 'number a b', or several",
             certificate=c.cut_certificate([0, 1, 1, 0, 1], [RANKS[0], [0, 0, 1, 1, 1]], [True, False], 2, 2, 1, '2 0:0 1:0'))
    rng = random.Random(4)  # noise takes long, and stops at once
    ranks = [rng.sample(range(3000), 3000) for _ in range(6)]
    labels = [rng.randint(0, 1) for _ in range(3000)]
    noise = ''.join(f'# column {f} number x{f}\n' for f in range(6))
    noise += ''.join(' '.join(map(str, [labels[i]] + [r[i] for r in ranks])) + '\n' for i in range(3000))
    files = [write('data', noise), '-', write('certificate', c.cut_certificate(labels, ranks, [False] * 6, 2, 6, 1000, '0'))]
    for seconds in '0', '0.5':
        before = cpu_of_children()
        code, out, err = run('--limit', seconds, *files)
        assert code == 3 and out == 'NOT CHECKED: the limit came first\n' and not err, (code, out, err)
        assert cpu_of_children() - before < float(seconds) + 5


def named(classes, features):
    lines = ['# beadwork matrix 1'] + [f'# class {k} {name}' for k, name in enumerate(classes)]
    return '\n'.join(lines + [f'# feature {f} {name}' for f, name in enumerate(features)]) + '\n' + DATA


def names():
    """A model that answers with other words than the data have for it is refused; so is one that tests other features."""
    features = ['x <= 0.5', 'colour = red', 'f3', 'x is missing']

    def model(classes, change=lambda features: features, ascii=True):
        m = json.loads(MODEL)
        m['classes'] = classes
        for feature in m['features']:
            feature['name'] = features[feature['index']]
        change(m['features'])
        return json.dumps(m, ensure_ascii=ascii)

    def swap(features):
        features[0]['name'], features[1]['name'] = features[1]['name'], features[0]['name']

    def swap_columns(features):
        features[0]['index'], features[1]['index'] = features[1]['index'], features[0]['index']

    data = named(['no', 'yes'], features)
    out = accepted('names', data, model(['no', 'yes']), CERTIFICATE)
    assert 'class names agree, feature names agree. Not covered: ' in out, out
    out = accepted('names and CR LF', data.replace('\n', '\r\n'), model(['no', 'yes']), CERTIFICATE)
    assert 'class names agree, feature names agree. Not covered: ' in out, out
    out = accepted('no names', DATA, model(['no', 'yes']), CERTIFICATE)
    assert 'class names were not compared, the data have none, feature names were not compared' in out, out
    out = accepted('classes only', named(['no', 'yes'], []), model(['no', 'yes']), CERTIFICATE)
    assert 'class names agree, feature names were not compared' in out, out
    rejected('swapped classes', data, model(['yes', 'no']), CERTIFICATE, reason="class 0 is 'yes' in the model, 'no' in the data")
    rejected('another class', data, model(['no', 'yes ']), CERTIFICATE, reason='class 1 is')
    rejected('number as class', data, model(['no', 1]), CERTIFICATE, reason='class 1 has no name')
    rejected('swapped features', data, model(['no', 'yes'], swap), CERTIFICATE, reason=f'feature {BEST[0]} is')
    rejected('swapped columns', data, model(['no', 'yes'], swap_columns), CERTIFICATE, reason='feature')
    rejected('no feature name', data, model(['no', 'yes'], lambda f: f[0].pop('name')), CERTIFICATE, reason="no 'name'")
    rejected('too few', named(['no'], features), model(['no', 'yes']), CERTIFICATE, reason='do not name each class')
    rejected('too many', named(['no', 'yes', 'x'], features), model(['no', 'yes']), CERTIFICATE, reason='do not name each class')
    rejected('too few', named(['no', 'yes'], features[1:]), model(['no', 'yes']), CERTIFICATE, reason='do not name each class')
    rejected('misnumbered', data.replace('# class 1', '# class 2'), model(['no', 'yes']), CERTIFICATE, reason="line 3: '# class 1 NAME' expected")
    for name, shown in [('a\nb', 'a\\u{a}b'), ('"\\/', '"\\/'), ('\u00e9\u4e2d\U0001f600', '\u00e9\u4e2d\U0001f600'), ('x\u200by', 'x\\u{200b}y'),
                        ('\\u{41}', '\\u{5c}u{41}'), ('A', '\\u{41}'), ('\\', '\\'), ('\\u{', '\\u{'), ('\x7f', '\\u{7f}'), ('', ''), (' a  b ', ' a  b ')]:
        for ascii in True, False:
            accepted(name, named(['no', shown], features), model(['no', name], ascii=ascii), CERTIFICATE)
        rejected(name, named(['no', shown + 'x'], features), model(['no', name]), CERTIFICATE, reason='class 1 is')
    rejected('the text is not A', named(['no', '\\u{41}'], features), model(['no', '\\u{41}']), CERTIFICATE, reason='class 1 is')
    rejected('half a character', data, model(['no', 'yes']).replace('"yes"', '"\\ud83d\\u0041"'), CERTIFICATE, reason='half a character')
    rng = random.Random(11)  # names are spelled apart: verified if and only if they are the same
    pieces = ['\\', 'u', '{', '}', '1', '5c', 'x', '\x01', '\x7f', '\u00e9', '\U0001f600', '\u200b', '\\u{', '\\u{1}', '\\x{1}', '"', '/']

    def shown(name):  # as docs/certificates.md has it, now and then with more of it in escapes
        return ''.join(f'\\u{{{ord(x):x}}}' if x in '\\\x01\x7f\u200b' or rng.random() < 0.1 else x for x in name)
    for _ in range(150):
        first, second = (''.join(rng.choice(pieces) for _ in range(rng.randint(1, 3))) for _ in range(2))
        files = named(['no', shown(first)], features), model(['no', first if rng.random() < 0.3 else second], ascii=rng.random() < 0.5), CERTIFICATE
        if json.loads(files[1])['classes'][1] == first:
            accepted(first, *files)
        else:
            rejected((first, second), *files, reason='class 1 is')
    for raw in b'\xc3', b'\x80', b'\xe0\x80\x81', b'\xc1\x81', b'\xed\xa0\x80', b'\xf5\x80\x80\x80':  # no UTF-8 is no name of a character
        for own in '\u0080', 'A', '\x01', '\u00c3', '\\x{80}':
            rejected((raw, own), named(['no', '@'], features).encode().replace(b'@', raw), model(['no', own]), CERTIFICATE, reason='class 1 is')
    for escape in '\\u12', '\\u12zz', '\\ud83d', '\\ud83dx', '\\ud83d\\n0000', '\\q', '\\u+123':
        rejected(escape, data, model(['no', 'yes']).replace('"yes"', f'"{escape}"'), CERTIFICATE, reason='a wrong escape')
    unread = model(['no', 'yes']).encode()[:-1]
    accepted('what it does not read', data, unread + b', "more": {"k\\u00e9": [-0.5e+3, 0, "\xc3\xa9 \\n"]}}', CERTIFICATE)
    for text, reason in ((b'"k\xff": 1', 'not UTF-8'), (b'"k": "\xc3"', 'not UTF-8'), (b'"k": {"\xed\xa0\x80": 1}', 'not UTF-8'), (b'"k": "\x01"', 'control'),
                         (b'"k": "\\q"', 'a wrong escape'), (b'"k": "\\ud800"', 'a wrong escape'), (b'"k": 01', 'not JSON'), (b'"k": +1', 'not JSON'),
                         (b'"k": 1.', 'not JSON'), (b'"k": -', 'not JSON'), (b'"k": 1e', 'not JSON'), (b'"k": .5', 'not JSON')):
        rejected(text, data, unread + b', ' + text + b'}', CERTIFICATE, reason=reason)


def hard(columns=60):
    """A table that takes minutes: noise, and a bound far below what any set reaches."""
    rng = random.Random(1)
    labels, bits = random_table(rng, 600, columns, 2)
    return c.table_text(labels, bits), c.certificate(labels, bits, [1] * 600, 2, 8, 100, [], list(range(columns)))


def limits():
    data, certificate = hard()
    files = [write('data', data), '-', write('certificate', certificate)]
    for seconds in '0', '0.3', '1':
        before = cpu_of_children()
        code, out, err = run('--limit', seconds, *files)
        spent = cpu_of_children() - before
        assert code == 3 and out == 'NOT CHECKED: the limit came first\n' and not err, (code, out, err)
        assert spent < float(seconds) + 5, spent
    for signal_number in signal.SIGINT, signal.SIGTERM:
        child = subprocess.Popen([BEADCHECK, *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        child.send_signal(signal_number)
        try:
            out, err = child.communicate(timeout=1800)
        finally:
            child.kill()
        early = child.returncode == -signal_number and not out  # still reading
        assert early or (child.returncode == 3 and out == 'NOT CHECKED: it was interrupted\n'), (child.returncode, out, err)
    # Only a terminal sees how far it is.
    master, slave = os.openpty()
    done = subprocess.run([BEADCHECK, '--limit', '1.5', *files], stdout=subprocess.PIPE, stderr=slave, timeout=1800)
    os.close(slave)
    shown = ''
    while not shown.endswith('\x1b[K') and (part := os.read(master, 1 << 16)):  # a busy machine gives it in parts
        shown += part.decode()
    assert done.returncode == 3 and '% of the sets in' in shown and shown.endswith('\r\x1b[K'), (done, shown)
    accepted('in time', DATA, MODEL, CERTIFICATE, '--limit', '600')


def pipes():
    """What comes through a pipe is read, also from a writer that is late; where none comes, the limit does."""
    good = [write('data', DATA), write('model', MODEL), write('certificate', CERTIFICATE)]
    os.mkfifo(path('pipe'))
    for i in range(3):
        files = good[:i] + [path('pipe')] + good[i + 1:]
        code, out, err = run('--limit', '0.2', *files)
        assert (code, out, err) == (3, 'NOT CHECKED: the limit came first\n', ''), (code, out, err)
        child = subprocess.Popen([BEADCHECK, '--limit', '60', *files], stdout=subprocess.PIPE, text=True)
        time.sleep(0.1)
        subprocess.run(['sh', '-c', '(head -c 3; sleep 0.1; cat) <"$1" >"$2"', 'sh', good[i], path('pipe')], timeout=1800)
        out = child.communicate(timeout=1800)[0]
        assert child.returncode == 0 and out.startswith('VERIFIED\n'), (i, out)
    code, out, err = run('--limit', '0.2', '--combine', path('pipe'))
    assert code == 3 and not err, (code, out, err)


def sizes():
    """Work and memory follow what is in the files, not what their headers say."""
    def cheap(what, *arguments, reason=''):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        (rejected if reason else accepted)(what, *arguments, **({'reason': reason} if reason else {'says': 'VERIFIED'}))
        assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 3, what

    rng = random.Random(2)
    labels, bits = random_table(rng, 2000, 20, 2)
    ones, order = [1] * 2000, list(range(20))
    for top in 1, 65535:
        labels[0] = top
        error = min(c.error(labels, bits, ones, 65536, [f]) for f in order)
        for wrong in 0, 1:
            cheap('65536 classes', c.table_text(labels, bits), None, c.certificate(labels, bits, ones, 65536, 1, error + wrong, [], order),
                  **({'reason': 'less than the claim'} if wrong else {}))
    many = list(range(2000))
    cheap('a class a row', c.table_text(many, bits), None, c.certificate(many, bits, ones, 2000, 2, 1996, [], order))
    cheap('a class a row', c.table_text(many, bits), None, c.certificate(many, bits, ones, 2000, 2, 1997, [], order), reason='less than the claim')
    wide = ['01' * 20000, '10' * 20000]
    cheap('40000 columns', c.table_text([0, 1], wide), None, c.certificate([0, 1], wide, [1, 1], 2, 2, 0, [], [0]))
    body = CERTIFICATE[:CERTIFICATE.rindex('sha256 ')]
    for old, new, reason in [('rows 7', 'rows 1000000000', 'not of the size'), ('columns 4', 'columns 1000000000', 'not of the size'),
                             ('classes 2', 'classes 1000000000', 'not a number below'), ('ranges 1', 'ranges 1000000', "'done' expected"),
                             ('forbidden 0', 'forbidden 1000000000', 'not as long'), ('claim', 'claim 9223372036854775807\nclaim', "'forbidden' expected")]:
        cheap(new, DATA, MODEL, c.seal(body.replace(old, new)), reason=reason)
    ballast = '"version": 1, "paths": [' + '[1,2],' * 300000 + '0]'
    cheap('much that is not needed', DATA, MODEL.replace('"version": 1', ballast), CERTIFICATE)
    cheap('many keys', DATA, MODEL.replace('"version": 1', '"version": 1, ' + ', '.join(f'"k{i}": 0' for i in range(100000))), CERTIFICATE)
    # Sums over many columns of large weights: more than 63 bits in all, less in any that counts.
    labels, bits = random_table(rng, 40, 60, 2)
    heavy = [2 ** 55 + rng.randrange(2 ** 50) for _ in labels]
    order = c.distinct_columns(bits)
    error, _ = best_set(labels, bits, heavy, 2, 2, order)
    for wrong in 0, 1:
        cheap('heavy', c.table_text(labels, bits, heavy), None, c.certificate(labels, bits, heavy, 2, 2, error + wrong, [], order),
              **({'reason': 'less than the claim'} if wrong else {}))


for test in verdicts, usage, names, cuts, limits, pipes, sizes, spoilt_bytes, broken_certificates, broken_models, broken_data:
    test()
print(f'{RUNS} runs of beadcheck')
