// As everyday.py: everyday.js NAME [ROUNDS].
'use strict';

function parseRequest(text) {
	const [head, body] = text.split('\r\n\r\n');
	const lines = head.split('\r\n');
	const [method, path] = lines[0].split(' ');
	const headers = {};
	for (let i = 1; i < lines.length; i++) {
		const [name, value] = lines[i].split(': ');
		headers[name.toLowerCase()] = value;
	}
	return {method, path, headers, body};
}

class Router {
	constructor() {
		this.routes = [];
	}

	add(verb, pattern, handler) {
		this.routes.push({verb, pattern: pattern.split('/'), handler});
	}

	route(method, path) {
		const parts = path.split('/');
		for (const r of this.routes) {
			if (r.verb !== method || r.pattern.length !== parts.length)
				continue;
			const values = this.match(r.pattern, parts);
			if (values)
				return r.handler(values);
		}
		return [404, 'not found'];
	}

	match(pattern, parts) {
		const values = {};
		for (let i = 0; i < parts.length; i++)
			if (pattern[i].startsWith(':'))
				values[pattern[i].slice(1)] = parts[i];
			else if (pattern[i] !== parts[i])
				return null;
		return values;
	}
}

function showUser(values) {
	let total = 0;
	for (let i = 0; i < 300; i++)
		total += (values.id * i) % 97;
	return [200, `user ${values.id} has ${total} points`];
}

function listItems() {
	const rows = [];
	for (let i = 0; i < 40; i++)
		rows.push(`<li>${i * 7 % 31}</li>`);
	return [200, rows.join('')];
}

function respond(status, body) {
	let out = `HTTP/1.1 ${status} OK\r\n`;
	for (const [name, value] of Object.entries({'Content-Type': 'text/html', 'Content-Length': body.length}))
		out += name + ': ' + value + '\r\n';
	return out + '\r\n' + body;
}

function web(rounds) {
	const router = new Router();
	router.add('GET', '/users/:id', showUser);
	router.add('GET', '/shop/:name/items', listItems);
	let n = 0;
	for (let i = 0; i < rounds; i++)
		for (const path of ['/users/17', '/shop/a/items', '/none']) {
			const r = parseRequest(`GET ${path} HTTP/1.1\r\nHost: example.org\r\nX-Id: ${i % 7}\r\n\r\n`);
			n += respond(...router.route(r.method, r.path)).length;
		}
	return n;
}

function makeOrders(n) {
	const orders = [];
	for (let i = 0; i < n; i++) {
		const items = [];
		for (let j = 0; j <= i % 7; j++)
			items.push({sku: 'a' + j, n: j + 1, price: j * 1.5});
		orders.push({id: i, items});
	}
	return orders;
}

function encode(value) {
	if (Array.isArray(value))
		return '[' + value.map(encode).join(',') + ']';
	if (typeof value === 'object') {
		let out = '';
		for (const k in value)
			out += (out ? ',"' : '"') + k + '":' + encode(value[k]);
		return '{' + out + '}';
	}
	return typeof value === 'string' ? quote(value) : String(value);
}

function quote(s) {
	let out = '"';
	for (let i = 0; i < s.length; i++)
		out += s[i] === '"' || s[i] === '\\' ? '\\' + s[i] : s[i];
	return out + '"';
}

function totals(orders) {
	const sums = new Map();
	for (const order of orders)
		for (const item of order.items)
			sums.set(item.sku, (sums.get(item.sku) || 0) + item.n * item.price);
	return sums;
}

function json(rounds) {
	let n = 0;
	for (let i = 0; i < rounds; i++) {
		const orders = makeOrders(60);
		n += totals(JSON.parse(encode(orders))).size + JSON.stringify(orders).length;
	}
	return n;
}

function matchLines(lines) {
	const found = [];
	for (const line of lines) {
		const m = /(\S+) - (\w+) \[([^\]]+)\] "(\w+) (\S+)" (\d{3}) (\d+)/.exec(line);
		if (m)
			found.push(m);
	}
	return found;
}

function hide(digits) {
	let out = '';
	for (let i = 0; i < digits.length; i++)
		out += '#';
	return out;
}

function anonymize(lines) {
	const out = [];
	for (const line of lines)
		out.push(line.replace(/\d+/g, hide));
	return out;
}

function byStatus(rows) {
	const counts = {};
	for (const row of rows)
		counts[row[6]] = (counts[row[6]] || 0) + Number(row[7]);
	return Object.keys(counts).length;
}

function regex(rounds) {
	const lines = [];
	for (let i = 0; i < 200; i++)
		lines.push(`10.0.${i % 7}.${i % 250} - user${i % 9} [01/Jan/2026:00:00:00] "GET /page/${i % 40}?q=${i}" ${200 + i % 3 * 100} ${i * 37}`);
	let n = 0;
	for (let i = 0; i < rounds; i++)
		n += byStatus(matchLines(lines)) + anonymize(lines).length;
	return n;
}

function shuffled(n) {
	let seed = 7;
	const rows = [];
	for (let i = 0; i < n; i++) {
		seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
		rows.push([seed % 1000, 'name' + seed % 77]);
	}
	return rows;
}

function compareRows(a, b) {
	return a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : b[0] - a[0];
}

function insertion(rows) {
	const out = [];
	for (const row of rows) {
		let j = out.length;
		for (; j > 0 && out[j - 1] > row[0]; j--)
			out[j] = out[j - 1];
		out[j] = row[0];
	}
	return out;
}

function quicksort(rows, low, high) {
	if (low >= high)
		return;
	const pivot = rows[(low + high) >> 1][0];
	let i = low, j = high;
	while (i <= j) {
		while (rows[i][0] < pivot) i++;
		while (rows[j][0] > pivot) j--;
		if (i <= j) {
			const row = rows[i];
			rows[i++] = rows[j];
			rows[j--] = row;
		}
	}
	quicksort(rows, low, j);
	quicksort(rows, i, high);
}

function sort(rounds) {
	let n = 0;
	for (let r = 0; r < rounds; r++) {
		const rows = shuffled(1000);
		n += insertion(rows).length;
		rows.sort(compareRows);
		quicksort(rows, 0, rows.length - 1);
	}
	return n;
}

const entity = {'<': '&lt;', '>': '&gt;', '&': '&amp;'};

function escapeValue(value) {
	let out = '';
	for (const c of String(value))
		out += entity[c] || c;
	return out;
}

function compileTemplate(text) {
	return text.split(/\{\{(.*?)\}\}/).map((part, i) => i % 2 ? {name: part.trim()} : {text: part});
}

function renderParts(parts, values) {
	let out = '';
	for (const part of parts)
		out += part.name ? escapeValue(values[part.name]) : part.text;
	return out;
}

function template(rounds) {
	let n = 0;
	for (let i = 0; i < rounds; i++) {
		const parts = compileTemplate('<td>{{name}}</td><td>{{ price }}</td><td>{{note}}</td>');
		for (let j = 0; j < 20; j++)
			n += renderParts(parts, {name: 'a<b', price: j, note: 'x & y'}).length;
	}
	return n;
}

const digits = [[1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'], [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']];

function roman(n) {
	let out = '';
	for (const [value, digit] of digits)
		for (; n >= value; n -= value)
			out += digit;
	return out;
}

function distance(a, b) {
	const row = [];
	for (let j = 0; j <= b.length; j++)
		row.push(j);
	for (let i = 1; i <= a.length; i++) {
		let last = row[0];
		row[0] = i;
		for (let j = 1; j <= b.length; j++) {
			const cost = last + (a[i - 1] === b[j - 1] ? 0 : 1);
			last = row[j];
			row[j] = Math.min(row[j] + 1, row[j - 1] + 1, cost);
		}
	}
	return row[b.length];
}

const assert = require('assert');
const suite = {
	testRoman() {
		for (let i = 1; i < 60; i++)
			assert.strictEqual(roman(i).replace(/[MDCLXVI]+/, ''), '');
	},
	testDistance() {
		assert.strictEqual(distance('flame graphs', 'frame graph'), 2);
	},
	testDeep() {
		assert.deepStrictEqual(totals(makeOrders(3)), totals(makeOrders(3)));
	},
};

function tests(rounds) {
	let n = 0;
	for (let i = 0; i < rounds; i++)
		for (const name of Object.keys(suite)) {
			suite[name]();
			n++;
		}
	return n;
}

function splitRow(line) {
	const fields = [];
	let field = '', quoted = false;
	for (const c of line) {
		if (c === '"') {
			quoted = !quoted;
		} else if (c === ',' && !quoted) {
			fields.push(field);
			field = '';
		} else {
			field += c;
		}
	}
	fields.push(field);
	return fields;
}

function group(rows) {
	const sums = new Map();
	for (const row of rows) {
		const key = row[0] + ' ' + row[1];
		sums.set(key, (sums.get(key) || 0) + Number(row[2]));
	}
	return sums.size;
}

function table(rounds) {
	const lines = [];
	for (let i = 0; i < 100; i++)
		lines.push(`region${i % 5},${i % 12 + 1},${i * 3 % 101},"note, ${i}"`);
	let n = 0;
	for (let i = 0; i < rounds; i++)
		n += group(lines.map(splitRow));
	return n;
}

function product(a, b) {
	const out = [];
	for (let i = 0; i < a.length; i++) {
		const row = [];
		for (let j = 0; j < a.length; j++) {
			let sum = 0;
			for (let k = 0; k < a.length; k++)
				sum += a[i][k] * b[k][j];
			row.push(sum);
		}
		out.push(row);
	}
	return out;
}

function primes(n) {
	const sieve = new Array(n).fill(true);
	let count = 0;
	for (let i = 2; i < n; i++)
		if (sieve[i]) {
			count++;
			for (let j = i * i; j < n; j += i)
				sieve[j] = false;
		}
	return count;
}

function escapes(x, y) {
	let a = 0, b = 0, i = 0;
	for (; i < 40 && a * a + b * b <= 4; i++)
		[a, b] = [a * a - b * b + x, 2 * a * b + y];
	return i;
}

function numbers(rounds) {
	const m = Array.from({length: 40}, (_, i) => Array.from({length: 40}, (_, j) => i * j % 7));
	let n = 0;
	for (let r = 0; r < rounds; r++) {
		n += product(m, m)[3][4] + primes(20000);
		for (let x = 0; x < 30; x++)
			for (let y = 0; y < 30; y++)
				n += escapes(x / 15 - 1.5, y / 15 - 1);
	}
	return n;
}

class Node {
	constructor(key) {
		this.key = key;
		this.left = this.right = null;
	}

	insert(key) {
		const side = key < this.key ? 'left' : 'right';
		if (this[side])
			this[side].insert(key);
		else
			this[side] = new Node(key);
	}

	find(key) {
		let node = this;
		while (node && node.key !== key)
			node = key < node.key ? node.left : node.right;
		return node !== null;
	}

	depth() {
		return 1 + Math.max(this.left ? this.left.depth() : 0, this.right ? this.right.depth() : 0);
	}
}

function tree(rounds) {
	let n = 0;
	for (let r = 0; r < rounds; r++) {
		const root = new Node(500);
		for (let i = 0; i < 300; i++)
			root.insert(i * 617 % 1009);
		for (let i = 0; i < 600; i++)
			n += root.find(i) ? 1 : 0;
		n += root.depth();
	}
	return n;
}

class Cache {
	constructor(limit) {
		this.limit = limit;
		this.data = new Map();
	}

	get(key, make) {
		let value = this.data.get(key);
		if (value === undefined)
			value = make(key);
		else
			this.data.delete(key);
		if (this.data.size >= this.limit)
			this.data.delete(this.data.keys().next().value);
		this.data.set(key, value);
		return value;
	}
}

function stem(word) {
	for (const e of ['ing', 'ed', 'es', 's'])
		if (word.endsWith(e) && word.length > e.length + 2)
			word = word.slice(0, -e.length);
	let hash = 0;
	for (let i = 0; i < word.length; i++)
		hash = (hash * 31 + word.charCodeAt(i)) & 0xffff;
	return [word, hash];
}

function countWords(text, cache) {
	const counts = new Map();
	for (const word of text.toLowerCase().split(' ')) {
		const key = cache.get(word.replace(/[.,;]/g, ''), stem)[0];
		counts.set(key, (counts.get(key) || 0) + 1);
	}
	return counts;
}

function topWords(counts) {
	return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 10);
}

function words(rounds) {
	const all = [];
	for (let i = 0; i < 12; i++)
		for (const w of ['walk', 'record', 'sample', 'frame'])
			for (const e of ['', 'ing', 'ed', 's.'])
				all.push(w + e + i % 9);
	const text = all.join(' '), cache = new Cache(40);
	let n = 0;
	for (let i = 0; i < rounds; i++)
		n += topWords(countWords(text, cache)).length;
	return n;
}

const programs = {web: [web, 140000], json: [json, 6600], regex: [regex, 5300], sort: [sort, 1800], template: [template, 210000],
	tests: [tests, 93000], table: [table, 32000], numbers: [numbers, 4000], tree: [tree, 16000], words: [words, 16000]};
const [program, rounds] = programs[process.argv[2]];
console.log(program(Number(process.argv[3] || rounds)));
