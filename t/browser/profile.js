/*
 * profile: lines of a generated folded profile with exactly `frames` frames, the same each time: a
 * tree with long thin branches as in real profiles; names have types, modules and annotations.
 */
'use strict';

/*
 * Parts of names. The lengths of the names are those of real profiles: half of them have 37
 * characters or more, a quarter 68, a tenth 86.
 */
const SPACES = [
	'core::iter::adapters',
	'net::http',
	'serde_json::de',
	'db::index::btree',
	'std::collections::hash',
	'alloc::vec',
	'tokio::runtime::scheduler',
	'ui::layout',
	'compress::lz'
];
const VERBS = [
	'parse',
	'read',
	'write',
	'encode',
	'lookup',
	'insert',
	'poll_next',
	'flush_buffers',
	'merge_ranges',
	'visit',
	'hash'
];
const TYPES = ['<unsigned long, std::allocator<int>>', '<alloc::string::String>', '<T, A>'];
const ARGUMENTS = ['()', '(int)', '(char const*, unsigned long, bool) const'];
const NOTES = ['', '', '', '_[l]', '_[k]', '_[i]'];
const DEEPEST = 45;

const CHILDREN = [1, 1, 2, 3, 5, 8];
const SHARES = [0.05, 0.2, 0.5, 0.9];
const VALUES = [1, 1, 1, 2, 3, 10, 40];

function profile(frames) {
	let seed = frames;
	const random = n => {
		seed = (seed + 0x6d2b79f5) | 0;
		let t = Math.imul(seed ^ (seed >>> 15), seed | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) % n;
	};
	const pick = list => list[random(list.length)];
	const name = (_, i) => {
		const short = `${pick(VERBS)}_${pick(VERBS)}_${i}`,
			middle = `${pick(SPACES)}::${short}`;
		const long = `${middle}${pick(TYPES)}${pick(ARGUMENTS)}`;
		return [short, short, middle, middle, middle, long, long, long][random(8)] + pick(NOTES);
	};
	const names = Array.from({length: Math.max(60, Math.round(frames ** 0.62))}, name);
	const lines = [];
	/* Adds a frame with `rest` frames below it, distributed unequally over its children. */
	const grow = (stack, depth, rest) => {
		if (!rest || random(4) === 0) lines.push(`${stack} ${pick(VALUES)}`);
		const children = Math.min(
			rest,
			depth > DEEPEST ? names.length >> 1 : pick(CHILDREN)
		);
		const start = random(names.length);
		for (let i = 0; i < children; i++) {
			const share =
				i === children - 1
					? rest - 1
					: Math.min(
							rest - children + i,
							random(1 + Math.ceil(rest * pick(SHARES)))
						);
			rest -= 1 + share;
			grow(`${stack};${names[(start + i) % names.length]}`, depth + 1, share);
		}
	};
	grow('server', 1, frames - 1);
	return lines;
}

module.exports = {profile};
