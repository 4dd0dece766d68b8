/*
 * units: formats values. figure() is fg-render's unit.c in JavaScript; both are tested with
 * the same cases (t/data/cases/unit.txt).
 */

/* Units of time in seconds and of memory in bytes, by each of their names; others are counted. */
const unitSizes = (column, one) =>
	new Map(UNITS.filter(row => row[column]).flatMap(row => row[0].split(' ').map(n => [n, row[column] / one])));
const SECONDS = unitSizes(1, 1e9);
const MEMORY = unitSizes(2, 1);
const TIME = [
	[7200, 3600, 'h'],
	[120, 60, 'min'],
	[1, 1, 's'],
	[1e-3, 1e-3, 'ms'],
	[1e-6, 1e-6, 'µs'],
	[0, 1e-9, 'ns']
];
const BYTES = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

const isCount = unit => !SECONDS.has(unit) && !MEMORY.has(unit);

/*
 * With at most `places` decimals and thousands separators. (toLocaleString would load all of
 * Intl.)
 */
function grouped(v, places = 0) {
	const size = 10 ** places,
		n = floor(abs(v) * size + 0.5),
		whole = floor(n / size),
		part = String(n % size).padStart(places, '0').replace(/0+$/, '');
	const digits = whole < 1e21 ? String(whole) : String(BigInt(whole));
	return (
		(v < 0 && n ? '-' : '') +
		digits.replace(/\B(?=(\d{3})+$)/g, ',') +
		(places && part ? '.' + part : '')
	);
}

/* Three significant digits. */
const scaled = (v, unit) => {
	const size = abs(v);
	return `${grouped(v, size < 9.995 ? 2 : size < 99.95 ? 1 : 0)} ${unit}`;
};

/* A value with its unit; bare: counts without the unit. */
function figure(v, unit, bare) {
	const size = abs(v),
		second = SECONDS.get(unit),
		memory = MEMORY.get(unit);
	if (second) {
		const s = size * second;
		const [, step, name] = s ? TIME.find(([least]) => s >= least) : TIME[2];
		return scaled((v * second) / step, name);
	}
	if (memory) {
		let k = 0;
		v *= memory;
		for (; abs(v) >= 1024 && k + 1 < BYTES.length; k++) v /= 1024;
		return scaled(v, BYTES[k]);
	}
	/* At most two decimals, none for a large number: more is noise to a reader. */
	const text = grouped(v, size < 1000 ? 2 : 0);
	return bare ? text : `${text} ${v === 1 && unit === 'samples' ? 'sample' : unit}`;
}

/* Unit of the current column. */
const shownUnit = () => {
	const {units} = picture.options;
	return units[max(0, picture.columns.indexOf(showing.column))] || units[0];
};

/* A value of the columns as text. */
const amount = (value, bare) => {
	const {scale, factor} = picture.options;
	return figure((value / scale) * factor, shownUnit(), bare);
};

/* The same with all its digits. */
function exactAmount(value) {
	const {scale, factor} = picture.options;
	const [whole, part] = exact(value).split('.');
	const digits = whole.replace(/\B(?=(\d{3})+$)/g, ',') + (part ? '.' + part : '');
	return `${factor === 1 ? digits : grouped((value / scale) * factor, 9)} ${shownUnit()}`;
}

const signed = (value, write) => (value > 0 ? '+' : value < 0 ? '−' : '') + write(abs(value));
const percent = share =>
	!isFinite(share)
		? '–'
		: share > 0 && share < 0.0001
			? '<0.01 %'
			: (share * 100).toFixed(2) + ' %';

/* A self value as a decimal number, as in the folded text. */
function exact(value) {
	const places = round(Math.log10(picture.options['scale'])),
		digits = String(value).padStart(places + 1, '0');
	return places
		? (digits.slice(0, -places) + '.' + digits.slice(-places)).replace(/\.?0+$/, '')
		: digits;
}
