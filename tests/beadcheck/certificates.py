"""Makes certificates and models for tests of beadcheck, independently of the engine."""
import hashlib
import itertools
import json


def read_table(path):
    rows = [line.split() for line in open(path) if line.strip() and not line.startswith('#')]
    return [int(r[0]) for r in rows], [''.join(r[1:]) for r in rows]


def table_text(labels, bits, weights=None):
    lines = ['# weights'] if weights else []
    for i, row in enumerate(bits):
        lines.append(' '.join([str(labels[i])] + ([str(weights[i])] if weights else []) + list(row)))
    return '\n'.join(lines) + '\n'


def cells(labels, bits, weights, classes, columns):
    table = {}
    for i, row in enumerate(bits):
        cell = table.setdefault(tuple(row[f] for f in columns), [0] * classes)
        cell[labels[i]] += weights[i]
    return table


def error(labels, bits, weights, classes, columns):
    return sum(sum(c) - max(c) for c in cells(labels, bits, weights, classes, columns).values())


def distinct_columns(bits, forbidden=()):
    """Columns that are neither forbidden, constant nor equal up to complement to an earlier one."""
    seen, order = set(), []
    for f in range(len(bits[0])):
        pattern = ''.join('01'[row[f] != bits[0][f]] for row in bits)
        if f not in forbidden and '1' in pattern and pattern not in seen:
            seen.add(pattern)
            order.append(f)
    return order


def seal(text):
    return text + 'sha256 ' + hashlib.sha256(text.encode()).hexdigest() + '\n'


def certificate(labels, bits, weights, classes, depth, claim, model, order, forbidden=(), required=(), ranges=(('-', '-'),)):
    canonical = ''.join(f'{labels[i]} {weights[i]} {row}\n' for i, row in enumerate(bits))
    def listed(columns):
        return ' '.join(map(str, [len(columns), *columns]))
    lines = ['beadwork-certificate 1', 'data-sha256 ' + hashlib.sha256(canonical.encode()).hexdigest(),
             f'rows {len(bits)}', f'columns {len(bits[0])}', f'classes {classes}', f'depth {depth}', f'claim {claim}',
             'forbidden ' + listed(forbidden)]
    if required:
        lines.append('required ' + listed(required))
    lines += ['model ' + listed(model), 'order ' + listed(order), f'ranges {len(ranges)}']
    lines += [f'done {a} {b}' for a, b in ranges] + ['end']
    return seal('\n'.join(lines) + '\n')


def cut_certificate(labels, ranks, missing, classes, depth, claim, model, forbidden='0', required='0'):
    """Of version 2, for rows of weight 1; `ranks` by column, `missing` says of each whether its last rank is that."""
    canonical = f'beadwork ranks 1\n{len(labels)} {len(ranks)}\n'.encode()
    canonical += b''.join(k.to_bytes(4, 'little') + (1).to_bytes(8, 'little') for k in labels)
    for column, last in zip(ranks, missing):
        canonical += b''.join(v.to_bytes(4, 'little') for v in [int(last), *column])
    return seal(f'beadwork-certificate 2\ndata-sha256 {hashlib.sha256(canonical).hexdigest()}\nrows {len(labels)}\n'
                f'columns {len(ranks)}\nclasses {classes}\ndepth {depth}\nclaim {claim}\nforbidden {forbidden}\n'
                f'required {required}\nmodel {model}\nend\n')


def model_json(labels, bits, weights, classes, columns):
    """The complete tree over the columns, each cell answered by its largest class."""
    counts = cells(labels, bits, weights, classes, columns)
    nodes = []
    for level in range(len(columns) + 1):
        for i, values in enumerate(itertools.product('01', repeat=level)):
            if level < len(columns):
                below = 2 ** (level + 1) - 1 + 2 * i
                nodes.append({'feature': level, 'low': below, 'high': below + 1})
            else:
                cell = counts.get(values, [1])
                nodes.append({'class': cell.index(max(cell))})
    return json.dumps({'format': 'beadwork-model', 'version': 1, 'classes': [str(k) for k in range(classes)],
                       'features': [{'name': f'f{f + 1}', 'index': f} for f in columns], 'diagram': {'nodes': nodes}})
