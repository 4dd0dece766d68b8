// As lockstep.py, with the stack trace of the JVM. Arguments: seed.
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

public class Lockstep {
	static Random random;
	static List<String> path = new ArrayList<>();

	interface F {
		void call(int d) throws Exception;
	}

	static void leaf() throws Exception {
		String tid = Files.readSymbolicLink(Paths.get("/proc/thread-self")).getFileName().toString();
		StackTraceElement[] trace = Thread.currentThread().getStackTrace();
		StringBuilder s = new StringBuilder();
		for (int i = trace.length - 1; i > 0; i--) {
			String name = trace[i].getClassName();
			int end = name.indexOf('/');
			if (!name.startsWith("Lockstep"))
				continue;
			if (end >= 0)
				name = name.substring(0, end);
			int line = trace[i].getLineNumber(); // with JDK 8, from 1000000 on: there is none
			line = i == 1 ? line + 13 : line < 0 || line >= 1000000 ? 0 : line;
			s.append(s.length() > 0 ? ";" : "").append(name + "." + trace[i].getMethodName() + ":" + line);
		}
		System.out.println(tid + "\t" + String.join(";", path) + "\t" + s); System.in.read();
	}

	static void with(String name, F f, int d) throws Exception {
		path.add(name);
		f.call(d);
		path.remove(path.size() - 1);
	}

	static void s0(int d) throws Exception { path.add("s0"); go(d); path.remove(path.size() - 1); }
	static void s1(int d) throws Exception { path.add("s1"); go(d); path.remove(path.size() - 1); }
	void s2(int d) throws Exception { path.add("s2"); go(d); path.remove(path.size() - 1); }
	static synchronized void s3(int d) throws Exception { path.add("s3"); go(d); path.remove(path.size() - 1); }

	static void quiet(F f, int d) {
		try {
			f.call(d);
		} catch (Exception e) {
			throw new RuntimeException(e);
		}
	}

	static void go(int d) throws Exception {
		if (d <= 0) {
			leaf();
			return;
		}
		final int n = d - 1;
		switch (random.nextInt(10)) {
		case 0: s0(n); break;
		case 1: s1(n); break;
		case 2: new Lockstep().s2(n); break;
		case 3: s3(n); break;
		case 4: Arrays.asList(1).forEach(x -> quiet(y -> s0(y), n)); break;
		case 5: quiet(Lockstep::s1, n); break;
		case 6: Lockstep.class.getDeclaredMethod("s0", int.class).invoke(null, n); break;
		case 7: try { throw new Exception(); } catch (Exception e) { s1(n); } break;
		case 8: new Object() { void in() throws Exception { s3(n); } }.in(); break;
		case 9: Arrays.sort(new Integer[] {2, 1}, (x, y) -> { quiet(z -> s0(z), n); return 0; }); break;
		}
	}

	// So that compilers have something to do.
	static long spin(int n) { long s = 0; for (int i = 0; i < n; i++) s += mix(i); return s; }
	static long mix(long i) { return (i * 31) ^ (i >>> 7); }

	public static void main(String[] a) throws Exception {
		random = new Random(Integer.parseInt(a[0]));
		for (;;) {
			path.clear();
			spin(10000);
			go(random.nextInt(12));
		}
	}
}
