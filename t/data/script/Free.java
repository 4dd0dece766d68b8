// As free.py: fN calls f(N+1) and f(N+2) only. The class is loaded again and again, so that its
// methods are compiled, deoptimized (by exceptions and by new receivers) and unloaded.
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Random;
import java.util.function.IntUnaryOperator;

public class Free implements Runnable {
	static final Random random = new Random(1);

	static class Again extends ClassLoader {
		Class<?> load(byte[] b) { return defineClass("Free", b, 0, b.length); }
	}

	public interface Step { int go(int d); }

	static int spin(int d, int n) {
		for (int k = 0; k < n; k++)
			d = d * 31 + k;
		return d;
	}
	static int f0(int d) { d = spin(d, 40); return random.nextBoolean() ? f1(d) : f2(d); }
	static int f1(int d) { return random.nextBoolean() ? f2(d) : f3(spin(d, 9)); }
	static int f2(int d) {
		for (int k = 0; k < 3; k++)
			d ^= random.nextInt(9) == 0 ? f4(d) : f3(d);
		return d;
	}
	static int f3(int d) {
		Step s = random.nextInt(50) == 0 ? Free::f4 : Free::f5;
		return s.go(d);
	}
	static int f4(int d) {
		try {
			return random.nextInt(40) == 0 ? f5(-1) : f6(d);
		} catch (IllegalStateException e) {
			return e.getMessage().length();
		}
	}
	static int f5(int d) {
		if (d == -1)
			return f7(d);
		return f6(d);
	}
	static int f6(int d) {
		Object[] some = {d, "x" + d, 3L};
		Object o = some[random.nextInt(3)];
		return o instanceof Integer ? f7(d) : f8(o.hashCode());
	}
	static int f7(int d) {
		if (d == -1)
			throw new IllegalStateException("seven");
		return f8(spin(d, 20));
	}
	static int f8(int d) {
		IntUnaryOperator by = random.nextInt(99) == 0 ? x -> f10(x) : x -> f9(x);
		return by.applyAsInt(d);
	}
	static int f9(int d) { return spin(d, 30) + f10(d); }
	static int f10(int d) { return String.valueOf(d).length(); }

	public void run() {
		long end = System.nanoTime() + 60000000L;
		int d = 0;
		while (System.nanoTime() < end)
			try {
				for (int i = 0; i < 300; i++)
					d += f0(i);
			} catch (IllegalStateException e) {
				d++;
			}
		if (d == 7)
			System.out.print(d);
	}

	public static void main(String[] args) throws Exception {
		byte[] code =
		    Files.readAllBytes(Paths.get(Free.class.getResource("Free.class").toURI()));
		for (int i = 1;; i++) {
			((Runnable)new Again().load(code).getDeclaredConstructor().newInstance()).run();
			if (i % 40 == 0)
				System.gc(); // unloads the old classes
		}
	}
}
