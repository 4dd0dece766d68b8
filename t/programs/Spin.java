/** Spins in a method of known name, for the tests of generated code. */
public class Spin {
	static volatile long counter;

	static void burnJava() {
		for (int i = 0; i < 1000000; i++)
			counter += i;
	}

	static void callJava() {
		burnJava();
		counter++;
	}

	public static void main(String[] args) {
		long end = System.nanoTime() + Long.parseLong(args[0]) * 1000000L;
		while (System.nanoTime() < end)
			callJava();
	}
}
