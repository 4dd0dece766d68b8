// As everyday.py: Everyday NAME [ROUNDS].
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Everyday {
	record Request(String method, String path, Map<String, String> headers) {}

	record Route(String verb, String[] pattern, Function<Map<String, String>, String> handler) {}

	static class Router {
		final List<Route> routes = new ArrayList<>();

		void add(String verb, String pattern, Function<Map<String, String>, String> handler) {
			routes.add(new Route(verb, pattern.split("/"), handler));
		}

		String route(Request r) {
			String[] parts = r.path().split("/");
			for (Route route : routes) {
				if (!route.verb().equals(r.method()) || route.pattern().length != parts.length)
					continue;
				Map<String, String> values = match(route.pattern(), parts);
				if (values != null)
					return route.handler().apply(values);
			}
			return "not found";
		}

		Map<String, String> match(String[] pattern, String[] parts) {
			Map<String, String> values = new HashMap<>();
			for (int i = 0; i < parts.length; i++)
				if (pattern[i].startsWith(":"))
					values.put(pattern[i].substring(1), parts[i]);
				else if (!pattern[i].equals(parts[i]))
					return null;
			return values;
		}
	}

	static Request parseRequest(String text) {
		String[] lines = text.split("\r\n");
		String[] first = lines[0].split(" ");
		Map<String, String> headers = new HashMap<>();
		for (int i = 1; i < lines.length; i++) {
			int colon = lines[i].indexOf(": ");
			headers.put(lines[i].substring(0, colon).toLowerCase(), lines[i].substring(colon + 2));
		}
		return new Request(first[0], first[1], headers);
	}

	static String showUser(Map<String, String> values) {
		int id = Integer.parseInt(values.get("id")), total = 0;
		for (int i = 0; i < 2000; i++)
			total += (id * i) % 97;
		return "user " + id + " has " + total + " points";
	}

	static String listItems(Map<String, String> values) {
		StringBuilder rows = new StringBuilder();
		for (int i = 0; i < 40; i++)
			rows.append("<li>").append(i * 7 % 31).append("</li>");
		return rows.toString();
	}

	static String respond(String body) {
		Map<String, String> headers = new LinkedHashMap<>();
		headers.put("Content-Type", "text/html");
		headers.put("Content-Length", Integer.toString(body.length()));
		StringBuilder out = new StringBuilder("HTTP/1.1 200 OK\r\n");
		for (Map.Entry<String, String> e : headers.entrySet())
			out.append(e.getKey()).append(": ").append(e.getValue()).append("\r\n");
		return out.append("\r\n").append(body).toString();
	}

	static long web(int rounds) {
		Router router = new Router();
		router.add("GET", "/users/:id", Everyday::showUser);
		router.add("GET", "/shop/:name/items", Everyday::listItems);
		long n = 0;
		for (int i = 0; i < rounds; i++)
			for (String path : new String[] {"/users/17", "/shop/a/items", "/none"})
				n += respond(router.route(parseRequest("GET " + path + " HTTP/1.1\r\nHost: example.org\r\nX-Id: " + i % 7))).length();
		return n;
	}

	static class Json {
		static void encode(Object value, StringBuilder out) {
			if (value instanceof Map<?, ?> map) {
				out.append('{');
				for (Map.Entry<?, ?> e : map.entrySet()) {
					quote((String)e.getKey(), out);
					out.append(':');
					encode(e.getValue(), out);
					out.append(',');
				}
				out.append('}');
			} else if (value instanceof List<?> list) {
				out.append('[');
				for (Object v : list) {
					encode(v, out);
					out.append(',');
				}
				out.append(']');
			} else if (value instanceof String s) {
				quote(s, out);
			} else {
				out.append(value);
			}
		}

		static void quote(String s, StringBuilder out) {
			out.append('"');
			for (int i = 0; i < s.length(); i++) {
				char c = s.charAt(i);
				if (c == '"' || c == '\\')
					out.append('\\');
				out.append(c);
			}
			out.append('"');
		}

		final String text;
		int at;

		Json(String text) {
			this.text = text;
		}

		Object decode() {
			char c = text.charAt(at);
			if (c == '{')
				return decodeMap();
			if (c == '[')
				return decodeList();
			return c == '"' ? decodeString() : decodeNumber();
		}

		Map<String, Object> decodeMap() {
			Map<String, Object> map = new LinkedHashMap<>();
			for (at++; text.charAt(at) != '}'; at++) {
				String key = decodeString();
				at++;
				map.put(key, decode());
			}
			at++;
			return map;
		}

		List<Object> decodeList() {
			List<Object> list = new ArrayList<>();
			for (at++; text.charAt(at) != ']'; at++)
				list.add(decode());
			at++;
			return list;
		}

		String decodeString() {
			int from = at + 1;
			at = text.indexOf('"', from) + 1;
			return text.substring(from, at - 1);
		}

		Double decodeNumber() {
			int from = at;
			while ("0123456789.-E".indexOf(text.charAt(at)) >= 0)
				at++;
			return Double.valueOf(text.substring(from, at));
		}
	}

	static List<Object> makeOrders(int n) {
		List<Object> orders = new ArrayList<>();
		for (int i = 0; i < n; i++) {
			List<Object> items = new ArrayList<>();
			for (int j = 0; j <= i % 7; j++)
				items.add(new LinkedHashMap<>(Map.of("sku", "a" + j, "n", j + 1, "price", j * 1.5)));
			orders.add(new LinkedHashMap<>(Map.of("id", i, "items", items)));
		}
		return orders;
	}

	static long json(int rounds) {
		long n = 0;
		for (int i = 0; i < rounds; i++) {
			StringBuilder out = new StringBuilder();
			Json.encode(makeOrders(60), out);
			n += ((List<?>)new Json(out.toString()).decode()).size() + out.length();
		}
		return n;
	}

	static final Pattern LINE = Pattern.compile("(\\S+) - (\\w+) \\[([^\\]]+)\\] \"(\\w+) (\\S+)\" (\\d{3}) (\\d+)");
	static final Pattern DIGITS = Pattern.compile("\\d+");

	static List<String[]> matchLines(List<String> lines) {
		List<String[]> found = new ArrayList<>();
		for (String line : lines) {
			Matcher m = LINE.matcher(line);
			if (m.matches())
				found.add(new String[] {m.group(1), m.group(6), m.group(7)});
		}
		return found;
	}

	static List<String> anonymize(List<String> lines) {
		List<String> out = new ArrayList<>();
		for (String line : lines)
			out.add(DIGITS.matcher(line).replaceAll(m -> "#".repeat(m.end() - m.start())));
		return out;
	}

	static Map<String, Integer> byStatus(List<String[]> rows) {
		Map<String, Integer> counts = new TreeMap<>();
		for (String[] row : rows)
			counts.merge(row[1], Integer.parseInt(row[2]), Integer::sum);
		return counts;
	}

	static long regex(int rounds) {
		List<String> lines = new ArrayList<>();
		for (int i = 0; i < 200; i++)
			lines.add("10.0." + i % 7 + "." + i % 250 + " - user" + i % 9 + " [01/Jan/2026:00:00:00] \"GET /page/" + i % 40 + "?q=" + i + "\" " + (200 + i % 3 * 100) + " " + i * 37);
		long n = 0;
		for (int i = 0; i < rounds; i++)
			n += byStatus(matchLines(lines)).size() + anonymize(lines).size();
		return n;
	}

	record Row(int id, String name) {}

	static List<Row> shuffled(int n) {
		int seed = 7;
		List<Row> rows = new ArrayList<>();
		for (int i = 0; i < n; i++) {
			seed = (seed * 1103515245 + 12345) & 0x7fffffff;
			rows.add(new Row(seed % 1000, "name" + seed % 77));
		}
		return rows;
	}

	static int compareRows(Row a, Row b) {
		int order = a.name().compareTo(b.name());
		return order != 0 ? order : b.id() - a.id();
	}

	static int[] insertion(List<Row> rows) {
		int[] out = new int[rows.size()];
		for (int i = 0; i < out.length; i++) {
			int x = rows.get(i).id(), j = i;
			for (; j > 0 && out[j - 1] > x; j--)
				out[j] = out[j - 1];
			out[j] = x;
		}
		return out;
	}

	static void quicksort(Row[] rows, int low, int high) {
		if (low >= high)
			return;
		int pivot = rows[(low + high) >> 1].id(), i = low, j = high;
		while (i <= j) {
			while (rows[i].id() < pivot) i++;
			while (rows[j].id() > pivot) j--;
			if (i <= j) {
				Row row = rows[i];
				rows[i++] = rows[j];
				rows[j--] = row;
			}
		}
		quicksort(rows, low, j);
		quicksort(rows, i, high);
	}

	static long sort(int rounds) {
		long n = 0;
		for (int r = 0; r < rounds; r++) {
			List<Row> rows = shuffled(1000);
			n += insertion(rows).length;
			Collections.sort(rows, Everyday::compareRows);
			Row[] array = rows.toArray(new Row[0]);
			quicksort(array, 0, array.length - 1);
		}
		return n;
	}

	static String escape(String value) {
		StringBuilder out = new StringBuilder();
		for (char c : value.toCharArray())
			switch (c) {
			case '<': out.append("&lt;"); break;
			case '>': out.append("&gt;"); break;
			case '&': out.append("&amp;"); break;
			default: out.append(c);
			}
		return out.toString();
	}

	static String fill(String text, Map<String, String> values) {
		StringBuilder out = new StringBuilder();
		int from = 0, open;
		while ((open = text.indexOf("{{", from)) >= 0) {
			int close = text.indexOf("}}", open);
			out.append(text, from, open).append(escape(values.get(text.substring(open + 2, close).trim())));
			from = close + 2;
		}
		return out.append(text.substring(from)).toString();
	}

	static long template(int rounds) {
		long n = 0;
		for (int i = 0; i < rounds; i++)
			for (int j = 0; j < 20; j++)
				n += fill("<td>{{name}}</td><td>{{ price }}</td><td>{{note}}</td>", Map.of("name", "a<b", "price", "" + j, "note", "x & y")).length();
		return n;
	}

	static final int[] VALUES = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
	static final String[] ROMAN = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"};

	static String roman(int n) {
		String out = "";
		for (int i = 0; i < VALUES.length; i++)
			for (; n >= VALUES[i]; n -= VALUES[i])
				out += ROMAN[i];
		return out;
	}

	static int distance(String a, String b) {
		int[] row = new int[b.length() + 1];
		for (int j = 0; j <= b.length(); j++)
			row[j] = j;
		for (int i = 1; i <= a.length(); i++) {
			int last = row[0];
			row[0] = i;
			for (int j = 1; j <= b.length(); j++) {
				int cost = last + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
				last = row[j];
				row[j] = Math.min(Math.min(row[j] + 1, row[j - 1] + 1), cost);
			}
		}
		return row[b.length()];
	}

	public static class Suite {
		int passed;

		void same(Object want, Object have) {
			if (want.equals(have))
				passed++;
		}

		public void testRoman() {
			for (int i = 1; i < 60; i++)
				same("", roman(i).replaceAll("[MDCLXVI]+", ""));
		}

		public void testDistance() {
			for (int i = 0; i < 10; i++)
				same(2, distance("flame graphs", "frame graph"));
		}
	}

	static long tests(int rounds) throws Exception {
		Suite suite = new Suite();
		for (int i = 0; i < rounds; i++)
			for (java.lang.reflect.Method m : Suite.class.getMethods())
				if (m.getName().startsWith("test"))
					m.invoke(suite);
		return suite.passed;
	}

	static List<String> splitRow(String line) {
		List<String> fields = new ArrayList<>();
		StringBuilder field = new StringBuilder();
		boolean quoted = false;
		for (int i = 0; i < line.length(); i++) {
			char c = line.charAt(i);
			if (c == '"') {
				quoted = !quoted;
			} else if (c == ',' && !quoted) {
				fields.add(field.toString());
				field.setLength(0);
			} else {
				field.append(c);
			}
		}
		fields.add(field.toString());
		return fields;
	}

	static Map<String, Integer> group(List<List<String>> rows) {
		Map<String, Integer> sums = new HashMap<>();
		for (List<String> row : rows)
			sums.merge(row.get(0) + " " + row.get(1), Integer.parseInt(row.get(2)), Integer::sum);
		return sums;
	}

	static long table(int rounds) {
		List<String> lines = new ArrayList<>();
		for (int i = 0; i < 100; i++)
			lines.add("region" + i % 5 + "," + (i % 12 + 1) + "," + i * 3 % 101 + ",\"note, " + i + "\"");
		long n = 0;
		for (int r = 0; r < rounds; r++) {
			List<List<String>> rows = new ArrayList<>();
			for (String line : lines)
				rows.add(splitRow(line));
			n += group(rows).size();
		}
		return n;
	}

	static int[][] product(int[][] a, int[][] b) {
		int n = a.length;
		int[][] out = new int[n][n];
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				for (int k = 0; k < n; k++)
					out[i][j] += a[i][k] * b[k][j];
		return out;
	}

	static int primes(int n) {
		boolean[] composite = new boolean[n];
		int count = 0;
		for (int i = 2; i < n; i++)
			if (!composite[i]) {
				count++;
				for (long j = (long)i * i; j < n; j += i)
					composite[(int)j] = true;
			}
		return count;
	}

	static int escapes(double x, double y) {
		double a = 0, b = 0;
		int i = 0;
		for (; i < 40 && a * a + b * b <= 4; i++) {
			double t = a * a - b * b + x;
			b = 2 * a * b + y;
			a = t;
		}
		return i;
	}

	static long numbers(int rounds) {
		int[][] m = new int[40][40];
		for (int i = 0; i < 1600; i++)
			m[i / 40][i % 40] = i % 40 * (i / 40) % 7;
		long n = 0;
		for (int r = 0; r < rounds; r++) {
			n += product(m, m)[3][4] + primes(20000);
			for (int i = 0; i < 900; i++)
				n += escapes(i / 30 / 15.0 - 1.5, i % 30 / 15.0 - 1);
		}
		return n;
	}

	static class Node {
		final int key;
		Node left, right;

		Node(int key) {
			this.key = key;
		}

		void insert(int key) {
			if (key < this.key) {
				if (left == null)
					left = new Node(key);
				else
					left.insert(key);
			} else if (right == null) {
				right = new Node(key);
			} else {
				right.insert(key);
			}
		}

		boolean find(int key) {
			Node node = this;
			while (node != null && node.key != key)
				node = key < node.key ? node.left : node.right;
			return node != null;
		}

		int depth() {
			return 1 + Math.max(left == null ? 0 : left.depth(), right == null ? 0 : right.depth());
		}
	}

	static long tree(int rounds) {
		long n = 0;
		for (int r = 0; r < rounds; r++) {
			Node root = new Node(500);
			for (int i = 0; i < 300; i++)
				root.insert(i * 617 % 1009);
			for (int i = 0; i < 600; i++)
				n += root.find(i) ? 1 : 0;
			n += root.depth();
		}
		return n;
	}

	static class Cache extends LinkedHashMap<String, String> {
		protected boolean removeEldestEntry(Map.Entry<String, String> e) {
			return size() > 40;
		}
	}

	static String stem(String word) {
		for (String end : new String[] {"ing", "ed", "es", "s"})
			if (word.endsWith(end) && word.length() > end.length() + 2)
				word = word.substring(0, word.length() - end.length());
		int hash = 0;
		for (int i = 0; i < word.length(); i++)
			hash = (hash * 31 + word.charAt(i)) & 0xffff;
		return word + hash % 7;
	}

	static Map<String, Integer> countWords(String text, Cache cache) {
		Map<String, Integer> counts = new HashMap<>();
		for (String word : text.toLowerCase().split(" "))
			counts.merge(cache.computeIfAbsent(word.replace(".", ""), Everyday::stem), 1, Integer::sum);
		return counts;
	}

	static int top(Map<String, Integer> counts) {
		List<Map.Entry<String, Integer>> list = new ArrayList<>(counts.entrySet());
		list.sort((a, b) -> b.getValue() != a.getValue() ? b.getValue() - a.getValue() : a.getKey().compareTo(b.getKey()));
		return list.get(0).getValue();
	}

	static long words(int rounds) {
		List<String> all = new ArrayList<>();
		for (int i = 0; i < 12; i++)
			for (String w : Arrays.asList("walk", "record", "sample", "frame"))
				for (String e : Arrays.asList("", "ing", "ed", "s."))
					all.add(w + e + i % 9);
		String text = String.join(" ", all);
		Cache cache = new Cache();
		long n = 0;
		for (int i = 0; i < rounds; i++)
			n += top(countWords(text, cache));
		return n;
	}

	interface Program {
		long run(int rounds) throws Exception;
	}

	public static void main(String[] args) throws Exception {
		Map<String, Program> programs = new HashMap<>();
		programs.put("web", Everyday::web);
		programs.put("json", Everyday::json);
		programs.put("regex", Everyday::regex);
		programs.put("sort", Everyday::sort);
		programs.put("template", Everyday::template);
		programs.put("tests", Everyday::tests);
		programs.put("table", Everyday::table);
		programs.put("numbers", Everyday::numbers);
		programs.put("tree", Everyday::tree);
		programs.put("words", Everyday::words);
		Map<String, Integer> rounds = Map.of("web", 94000, "json", 3800, "regex", 4100, "sort", 3900, "template", 150000,
			"tests", 35000, "table", 34000, "numbers", 9300, "tree", 61000, "words", 28000);
		int n = args.length > 1 ? Integer.parseInt(args[1]) : rounds.get(args[0]);
		System.out.println(programs.get(args[0]).run(n));
	}
}
