// Runs without an end in one call of main, which is compiled while it runs (OSR), with most of
// what it calls inlined.
import java.util.Arrays;
import java.util.HashMap;
import java.util.Random;

public class Osr {
	static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

	static int strings(int n) {
		StringBuilder b = new StringBuilder();
		for (int i = 0; i < n; i++) {
			b.append(i).append(',');
			if (b.length() > 500)
				b.setLength(0);
		}
		return b.length();
	}

	static int maps(int n) {
		HashMap<Integer, String> m = new HashMap<>();
		for (int i = 0; i < n; i++)
			m.merge(i % 97, "x" + i, (a, b) -> a.length() > 20 ? b : a + b.charAt(0));
		return m.size();
	}

	static int sorts(int n, Random r) {
		Integer[] a = new Integer[n];
		for (int i = 0; i < n; i++)
			a[i] = r.nextInt();
		Arrays.sort(a, (x, y) -> Integer.compare(y, x));
		return a[0];
	}

	public static void main(String[] args) {
		Random r = new Random(1);
		long sum = 0;
		for (int k = 0; sum != 1; k++) {
			for (int i = 0; i < 2000; i++)
				sum += i * 31 ^ k;
			sum += fib(16) + strings(300) + maps(300) + sorts(200, r);
		}
	}
}
