// A virtual thread runs without an end and waits again and again, 40 calls deep.
public class Yield {
	static long sum;

	static void spin() {
		for (int i = 0; i < 3000000; i++)
			sum = sum * 31 + i;
		Thread.yield();
	}

	static void down(int n) {
		if (n > 0)
			down(n - 1);
		else
			for (;;)
				spin();
	}

	public static void main(String[] a) throws Exception {
		Thread.ofVirtual().start(() -> down(40)).join();
	}
}
