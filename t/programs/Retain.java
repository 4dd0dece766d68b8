import java.lang.ref.WeakReference;

/** Retain: objects whose retained sizes are known; writes a heap dump of itself. */
public class Retain {
	static class Leaf { long a, b; }
	static class Box { byte[] data = new byte[1000]; }
	static class Left { Object leaf, array = new int[250]; }
	static class Right { Object leaf, array = new long[125]; }
	static class Chain { Chain next; int n; }
	static Object[] boxes;
	static Left left;
	static Right right;
	static Chain chain;
	static WeakReference<Object> weak;

	static void build() {
		boxes = new Object[100];
		for (int i = 0; i < 100; i++)
			boxes[i] = new Box();
		left = new Left();
		right = new Right();
		left.leaf = right.leaf = new Leaf();
		for (int i = 0; i < 100000; i++) {
			Chain c = new Chain();
			c.next = chain;
			chain = c;
		}
		weak = new WeakReference<>(new byte[54321]);
	}

	public static void main(String[] a) throws Exception {
		build();
		String pid = "" + ProcessHandle.current().pid();
		new ProcessBuilder("jmap", "-dump:live,format=b,file=" + a[0], pid).inheritIO().start().waitFor();
	}
}
