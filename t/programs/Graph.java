import java.lang.instrument.Instrumentation;
import java.util.*;

/**
 * Graph: a random graph of objects, whose dominators it finds by leaving out each object in turn.
 * Prints the retained sizes as folded stacks below the class Roots, with the sizes of the virtual
 * machine, and writes a heap dump of itself. Arguments: file of the dump, number of objects, seed.
 */
public class Graph {
	static class Node { Object a, b; int x; }
	static class Small extends Node { byte z; }
	static class Large extends Node { long y; Object c; }
	static class Roots { static Object first, second; }
	static Instrumentation vm;
	static final Random random = new Random();
	static Object[] all;
	static IdentityHashMap<Object, Integer> number = new IdentityHashMap<>();

	public static void premain(String a, Instrumentation i) { vm = i; }

	static Object make() {
		switch (random.nextInt(8)) {
		case 0: case 1: return new Node();
		case 2: case 3: return new Large();
		case 4: return new Small();
		case 5: return new Object[1 + random.nextInt(4)];
		case 6: return new byte[random.nextInt(200)];
		default: return new long[random.nextInt(20)];
		}
	}

	/* One of the next objects as a rule, so that the tree is deep. */
	static Object pick(int i) {
		if (random.nextInt(12) == 0) return all[random.nextInt(all.length)];
		return random.nextInt(12) == 0 ? null : all[Math.min(all.length - 1, i + 1 + random.nextInt(5))];
	}

	static Object[] edges(Object o) {
		if (o instanceof Large l) return new Object[] {l.a, l.b, l.c};
		return o instanceof Node n ? new Object[] {n.a, n.b} : o instanceof Object[] array ? array : new Object[0];
	}

	static BitSet reach(int without) {
		BitSet seen = new BitSet();
		ArrayDeque<Object> next = new ArrayDeque<>(List.of(Roots.first, Roots.second));
		while (!next.isEmpty()) {
			Object o = next.poll();
			int i = number.get(o);
			if (i == without || seen.get(i)) continue;
			seen.set(i);
			for (Object e : edges(o)) if (e != null) next.add(e);
		}
		return seen;
	}

	static void print() {
		BitSet live = reach(-1);
		BitSet[] lost = new BitSet[all.length]; /* without this object */
		int[] depth = new int[all.length];
		TreeMap<String, Long> sum = new TreeMap<>();
		for (int i = 0; i < all.length; i++) {
			lost[i] = (BitSet)live.clone();
			lost[i].andNot(reach(i));
			for (int k = lost[i].nextSetBit(0); k >= 0; k = lost[i].nextSetBit(k + 1)) depth[k]++;
		}
		for (int i = live.nextSetBit(0); i >= 0; i = live.nextSetBit(i + 1)) {
			String[] path = new String[depth[i]];
			for (int d = 0; d < all.length; d++)
				if (lost[d].get(i)) path[depth[d] - 1] = all[d].getClass().getTypeName();
			StringBuilder stack = new StringBuilder("class Graph$Roots");
			for (int k = 0; k < path.length; k++)
				if (k == 0 || !path[k].equals(path[k - 1])) stack.append(';').append(path[k]);
			sum.merge(stack.toString(), vm.getObjectSize(all[i]), Long::sum);
		}
		for (var e : sum.entrySet()) System.out.println(e.getKey() + " " + e.getValue());
	}

	public static void main(String[] a) throws Exception {
		random.setSeed(Long.parseLong(a[2]));
		all = new Object[Integer.parseInt(a[1])];
		for (int i = 0; i < all.length; i++) number.put(all[i] = make(), i);
		for (int i = 0; i < all.length; i++) {
			if (all[i] instanceof Node n) { n.a = pick(i); n.b = pick(i); }
			if (all[i] instanceof Large l) l.c = pick(i);
			if (all[i] instanceof Object[] array) for (int k = 0; k < array.length; k++) array[k] = pick(i);
		}
		Roots.first = all[0];
		Roots.second = all[all.length / 3];
		print();
		all = null;
		number = null;
		String pid = "" + ProcessHandle.current().pid();
		new ProcessBuilder("jmap", "-dump:live,format=b,file=" + a[0], pid).start().waitFor();
	}
}
