/*
 * facts: data derived from names, computed on first use. A function is a name with its module
 * and its file. Line and annotations may differ between its frames, and are called facets.
 */

function learn(names) {
	const parts = [];
	let ids, functions, texts, first, origins, longest, foreign;
	const facts = {
		names,
		paint: {},
		parts: id => (parts[id] ||= nameParts(id)),
		origin: originOf,
		origins: () =>
			(origins ||= new Set(names.map((_, id) => (id && id !== picture.options.gap ? originOf(id) : null)))),
		/*
		 * By name id: the first id of the same text. Inlined frames of several origins
		 * have one each.
		 */
		firstOf() {
			if (!first) {
				first = ints(names.length);
				for (let id = 1; id < names.length; id++)
					first[id] = names[id] === names[id - 1] ? first[id - 1] : id;
			}
			return first;
		},
		/* True if some names are known not to be own code; a flame chart has no runs. */
		foreign: () => (foreign ??= !picture.options.flamechart && names.some((_, id) => picture.about.what[id] & FOREIGN)),
		/* Flags of the names for which test(parts, id) holds. */
		flags(test) {
			const flags = bytes(names.length);
			for (let id = 1; id < names.length; id++)
				if (id !== picture.options.gap && test(facts.parts(id), id)) flags[id] = 1;
			return flags;
		},
		longest: () => (longest ||= names.reduce((most, n) => Math.max(most, n.length), 0)),
		id: name => (ids ||= new Map(names.map((n, i) => [n, i]))).get(name),
		/*
		 * {of: by name id, its function's number; names, first: by number, its name
		 * and first name id; number: by name}.
		 */
		functions() {
			if (functions) return functions;
			functions = {of: ints(names.length), names: ['all'], first: [0], number: new Map()};
			for (let id = 1; id < names.length; id++) {
				const name = functionName(facts.parts(id));
				let k = functions.number.get(name);
				if (k === undefined) {
					k = functions.names.push(name) - 1;
					functions.number.set(name, k);
					functions.first[k] = id;
				}
				functions.of[id] = k;
			}
			return functions;
		},
		partsOf: name => facts.parts(facts.functions().first[facts.functions().number.get(name)]),
		functionOf: id => facts.functions().names[facts.functions().of[id]],
		/* The functions of the same text, in any module or file. */
		namesakes(text) {
			if (!texts) {
				texts = new Map();
				facts.functions().names.forEach((name, k) => {
					const key = k && facts.parts(functions.first[k]).text;
					if (k) texts.set(key, [...(texts.get(key) || []), name]);
				});
			}
			return texts.get(text) || [];
		},
		/* The function for a frame's or a function's whole name, or ''. */
		functionCalled(name) {
			const {number, names: known, of} = facts.functions();
			if (number.has(name)) return name;
			const id = facts.id(name);
			if (id) return known[of[id]];
			/* A frame of another picture, with its line and annotations. */
			const placed = String(name).replace(new RegExp(NOTE + '+$'), ''),
				bare = placed.replace(new RegExp(NOTE + '* \\(([^()]*):\\d+\\)$'), ' ($2)');
			return number.has(placed) ? placed : number.has(bare) ? bare : '';
		}
	};
	return facts;
}

/* The name of a function in links, in filters and in the list. */
const functionName = parts =>
	(parts.module && parts.module + '`') +
	parts.text +
	(parts.source && ` (${parts.source})`);

const originWord = id => MODES.origin[facts.origin(id) + 2];

/* The group of a name, by function, module, file or origin. */
function groupName(kind, id) {
	switch (kind) {
		case 'module':
			return facts.parts(id).module;
		case 'file':
			return facts.parts(id).file.replace(/:\d+$/, '');
		case 'origin':
			return originWord(id);
		default:
			return facts.functionOf(id);
	}
}

/* Splits a group, "kind:name", into [kind, name]. */
const groupParts = group => {
	const colon = group.indexOf(':');
	return [group.slice(0, colon), group.slice(colon + 1)];
};

/* The names of a group, as flags by name id. */
function groupFlags(group) {
	const [kind, name] = groupParts(group);
	if (kind === 'match') return matchFlags(name);
	if (kind === 'change') return changeFlags(name);
	if (kind === 'native') return facts.flags((_, id) => !(picture.about.what[id] & 128));
	if (kind === 'language') return facts.flags((_, id) => picture.about.what[id] & 128);
	if (kind === 'function') {
		const {of, number} = facts.functions(),
			k = number.get(name);
		return facts.flags((_, id) => of[id] === k);
	}
	return facts.flags((_, id) => groupName(kind, id) === name);
}
