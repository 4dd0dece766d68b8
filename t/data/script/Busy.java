// Uses a CPU for the seconds of its argument.
import java.util.Arrays;

public class Busy {
	static long spin(long n) { long s = 0; for (long i = 0; i < n; i++) s += i * 31 ^ i >>> 7; return s; }
	static int compare(int x, int y) { return Integer.compare(x, y); }

	static int sort(int n) {
		Integer[] a = new Integer[n];
		for (int i = 0; i < n; i++)
			a[i] = i * 7919 % n;
		Arrays.sort(a, (x, y) -> compare(x, y));
		return a[0];
	}

	public static void main(String[] a) {
		long end = System.currentTimeMillis() + Integer.parseInt(a[0]) * 1000L, s = 0;
		while (System.currentTimeMillis() < end)
			s += spin(20000) + sort(3000);
		System.exit(s == 0 ? 1 : 0);
	}
}
