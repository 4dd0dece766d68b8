# Ten programs of everyday kinds: everyday.py NAME [ROUNDS]. Each runs for about a second.
import csv
import html
import io
import json
import re
import string
import sys
import unittest


# web: a request is parsed, routed and answered.
def parse_request(text):
    head, _, body = text.partition('\r\n\r\n')
    lines = head.split('\r\n')
    method, path, _ = lines[0].split(' ')
    headers = {}
    for line in lines[1:]:
        name, _, value = line.partition(': ')
        headers[name.lower()] = value
    return method, path, headers, body


def route(method, path, routes):
    parts = path.strip('/').split('/')
    for verb, pattern, handler in routes:
        if verb != method or len(pattern) != len(parts):
            continue
        values = {}
        for want, have in zip(pattern, parts):
            if want.startswith(':'):
                values[want[1:]] = have
            elif want != have:
                break
        else:
            return handler, values
    return not_found, {}


def show_user(values):
    n = int(values['id'])
    total = 0
    for i in range(60):
        total += (n * i) % 97
    return 200, 'user %d has %d points' % (n, total)


def list_items(values):
    rows = []
    for i in range(30):
        rows.append('<li>%d</li>' % (i * 7 % 31))
    return 200, ''.join(rows)


def not_found(values):
    return 404, 'not found'


def respond(status, body):
    out = 'HTTP/1.1 %d OK\r\n' % status
    for name, value in (('Content-Type', 'text/html'), ('Content-Length', str(len(body)))):
        out += name + ': ' + value + '\r\n'
    return out + '\r\n' + body


def web(rounds):
    routes = [('GET', ['users', ':id'], show_user), ('POST', ['users'], not_found),
              ('GET', ['shop', ':name', 'items'], list_items)]
    requests = ['GET %s HTTP/1.1\r\nHost: example.org\r\nAccept: */*\r\nX-Id: 5\r\n\r\n' % p
                for p in ('/users/17', '/shop/a/items', '/none', '/users/4')]
    size = 0
    for _ in range(rounds):
        for text in requests:
            method, path, headers, body = parse_request(text)
            handler, values = route(method, path, routes)
            size += len(respond(*handler(values)))
    return size


# json: orders are encoded, decoded, and added up; one encoder is Python's own, one is not.
def make_orders(n):
    return [{'id': i, 'items': [{'sku': 'a%d' % j, 'n': j + 1, 'price': j * 1.5} for j in range(i % 7 + 1)]}
            for i in range(n)]


def encode(value):
    if isinstance(value, dict):
        return '{' + ','.join('"%s":%s' % (k, encode(v)) for k, v in value.items()) + '}'
    if isinstance(value, list):
        return '[' + ','.join([encode(v) for v in value]) + ']'
    return encode_scalar(value)


def encode_scalar(value):
    if isinstance(value, str):
        return '"' + value.replace('\\', '\\\\').replace('"', '\\"') + '"'
    return repr(value)


def totals(orders):
    sums = {}
    for order in orders:
        for item in order['items']:
            sums[item['sku']] = sums.get(item['sku'], 0) + item['n'] * item['price']
    return sums


def do_json(rounds):
    n = 0
    for _ in range(rounds):
        orders = make_orders(60)
        n += len(totals(json.loads(encode(orders)))) + len(json.dumps(orders, indent=1))
    return n


# regex: lines of a log.
LINE = re.compile(r'(\S+) - (\w+) \[([^]]+)\] "(\w+) (\S+)" (\d{3}) (\d+)')


def make_log(n):
    return ['10.0.%d.%d - user%d [01/Jan/2026:00:%02d:00] "GET /page/%d?q=%d" %d %d' %
            (i % 7, i % 250, i % 9, i % 60, i % 40, i, 200 + i % 3 * 100, i * 37) for i in range(n)]


def match_lines(lines):
    found = []
    for line in lines:
        m = LINE.match(line)
        if m is not None:
            found.append(m.groups())
    return found


def anonymize(lines):
    return [re.sub(r'\d+', lambda m: '#' * len(m.group()), line) for line in lines]


def by_status(rows):
    counts = {}
    for row in rows:
        key = row[5]
        counts[key] = counts.get(key, 0) + int(row[6])
    return counts


def regex(rounds):
    lines = make_log(200)
    n = 0
    for _ in range(rounds):
        n += len(by_status(match_lines(lines))) + len(anonymize(lines))
    return n


# sort: one by a key, one by hand.
def shuffled(n):
    seed, out = 7, []
    for _ in range(n):
        seed = (seed * 1103515245 + 12345) & 0x7fffffff
        out.append((seed % 1000, 'name%d' % (seed % 77)))
    return out


def sort_key(row):
    return row[1], -row[0]


def insertion(rows):
    rows = rows[:120]
    for i in range(1, len(rows)):
        x, j = rows[i], i
        while j > 0 and rows[j - 1] > x:
            rows[j] = rows[j - 1]
            j -= 1
        rows[j] = x
    return rows


def quicksort(rows):
    if len(rows) < 2:
        return rows
    pivot = rows[len(rows) // 2]
    return (quicksort([r for r in rows if r < pivot]) + [r for r in rows if r == pivot] +
            quicksort([r for r in rows if r > pivot]))


def sort(rounds):
    n = 0
    for _ in range(rounds):
        rows = shuffled(1500)
        n += len(quicksort(rows)) + len(sorted(rows, key=sort_key)) + len(insertion(rows))
    return n


# template: pages from a small template language, and the library's.
def compile_template(text):
    parts = []
    for i, part in enumerate(re.split(r'\{\{(.*?)\}\}', text)):
        parts.append(('var' if i % 2 else 'text', part.strip() if i % 2 else part))
    return parts


def escape_value(value):
    out = ''
    for c in str(value):
        out += {'<': '&lt;', '>': '&gt;', '&': '&amp;'}.get(c, c)
    return out


def render_parts(parts, values):
    out = []
    for kind, part in parts:
        out.append(part if kind == 'text' else escape_value(values[part]))
    return ''.join(out)


def template(rounds):
    parts = compile_template('<tr><td>{{name}}</td><td>{{ price }}</td><td>{{note}}</td></tr>')
    page = string.Template('<h1>$title</h1>$body')
    n = 0
    for i in range(rounds):
        rows = [render_parts(parts, {'name': 'a<b', 'price': j, 'note': 'x & y'}) for j in range(20)]
        n += len(page.substitute(title=html.escape('"%d"' % i), body=''.join(rows)))
    return n


# tests: a run of unit tests.
def roman(n):
    out = ''
    for value, digit in ((1000, 'M'), (900, 'CM'), (500, 'D'), (400, 'CD'), (100, 'C'), (90, 'XC'), (50, 'L'),
                         (40, 'XL'), (10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')):
        while n >= value:
            out += digit
            n -= value
    return out


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


class Tests(unittest.TestCase):
    def test_roman(self):
        for i in range(1, 60):
            self.assertTrue(roman(i).strip('MDCLXVI') == '')

    def test_distance(self):
        self.assertEqual(edit_distance('flame graphs', 'frame graph'), 2)

    def test_sum(self):
        self.assertEqual(sum(range(100)), 4950)


def tests(rounds):
    suite = unittest.TestSuite()
    for _ in range(rounds):
        suite.addTests(unittest.TestLoader().loadTestsFromTestCase(Tests))
    return unittest.TextTestRunner(stream=io.StringIO()).run(suite).testsRun


# table: rows of a CSV file are grouped.
def write_table(n):
    out = io.StringIO()
    w = csv.writer(out)
    for i in range(n):
        w.writerow(['region%d' % (i % 5), i % 12 + 1, i * 3 % 101, 'note, %d' % i])
    return out.getvalue()


def split_row(line):
    fields, field, quoted = [], '', False
    for c in line:
        if c == '"':
            quoted = not quoted
        elif c == ',' and not quoted:
            fields.append(field)
            field = ''
        else:
            field += c
    fields.append(field)
    return fields


def group(rows):
    sums = {}
    for row in rows:
        key = (row[0], row[1])
        sums[key] = sums.get(key, 0) + int(row[2])
    return sums


def table(rounds):
    text = write_table(150)
    n = 0
    for _ in range(rounds):
        n += len(group(csv.reader(io.StringIO(text)))) + len(group(map(split_row, text.splitlines())))
    return n


# numbers: a matrix product, primes and a fractal.
def product(a, b):
    n = len(a)
    return [[sum([a[i][k] * b[k][j] for k in range(n)]) for j in range(n)] for i in range(n)]


def primes(n):
    sieve = [True] * n
    for i in range(2, n):
        if sieve[i]:
            for j in range(i * i, n, i):
                sieve[j] = False
    return sum(sieve)


def escapes(x, y):
    a = b = 0.0
    for i in range(40):
        if a * a + b * b > 4:
            return i
        a, b = a * a - b * b + x, 2 * a * b + y
    return 40


def numbers(rounds):
    m = [[i * j % 7 for j in range(20)] for i in range(20)]
    n = 0
    for _ in range(rounds):
        n += product(m, m)[3][4] + primes(3000)
        for x in range(12):
            for y in range(12):
                n += escapes(x / 6 - 1.5, y / 6 - 1)
    return n


# tree: objects are made, found and dropped.
class Node:
    def __init__(self, key):
        self.key = key
        self.left = self.right = None

    def insert(self, key):
        node = self
        while True:
            side = 'left' if key < node.key else 'right'
            child = getattr(node, side)
            if child is None:
                setattr(node, side, Node(key))
                return
            node = child

    def find(self, key):
        node = self
        while node is not None and node.key != key:
            node = node.left if key < node.key else node.right
        return node is not None

    def depth(self):
        l = self.left.depth() if self.left else 0
        r = self.right.depth() if self.right else 0
        return 1 + (l if l > r else r)


def tree(rounds):
    n = 0
    for _ in range(rounds):
        root = Node(500)
        for i in range(300):
            root.insert(i * 617 % 1009)
        for i in range(600):
            n += root.find(i)
        n += root.depth()
    return n


# words: text is split, counted and cached.
class Cache:
    def __init__(self, limit):
        self.limit, self.data = limit, {}

    def get(self, key, make):
        if key in self.data:
            value = self.data.pop(key)
        else:
            value = make(key)
            if len(self.data) >= self.limit:
                del self.data[next(iter(self.data))]
        self.data[key] = value
        return value


def stem(word):
    for end in ('ing', 'ed', 'es', 's'):
        if word.endswith(end) and len(word) > len(end) + 2:
            word = word[:-len(end)]
    h = 0
    for c in word:
        h = (h * 31 + ord(c)) & 0xffff
    return word, h


def count_words(text, cache):
    counts = {}
    for word in text.lower().split():
        key, h = cache.get(word.strip('.,;'), stem)
        counts[key] = counts.get(key, 0) + 1
    return counts


def top(counts):
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:10]


def words(rounds):
    text = ' '.join('%s%s%d' % (w, e, i % 9) for i in range(12) for w in ('walk', 'record', 'sample', 'frame')
                    for e in ('', 'ing', 'ed', 's.'))
    cache, n = Cache(60), 0
    for _ in range(rounds):
        n += len(top(count_words(text, cache)))
    return n


PROGRAMS = {'web': (web, 70000), 'json': (do_json, 800), 'regex': (regex, 1300), 'sort': (sort, 380),
            'template': (template, 30000), 'tests': (tests, 11000), 'table': (table, 4000), 'numbers': (numbers, 1200),
            'tree': (tree, 3000), 'words': (words, 7500)}


def main():
    program, rounds = PROGRAMS[sys.argv[1]]
    print(program(int(sys.argv[2]) if len(sys.argv) > 2 else rounds))


if __name__ == '__main__':
    main()
