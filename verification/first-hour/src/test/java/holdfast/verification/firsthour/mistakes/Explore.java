package holdfast.verification.firsthour.mistakes;
import java.util.*;
final class Explore {
  public static void main(String... args) throws Exception {
    List<Mistake> all = new ArrayList<>();
    for (String a : args) {
      Class<?> c = Class.forName("holdfast.verification.firsthour.mistakes." + a);
      all.addAll((List<Mistake>) c.getDeclaredMethod("all").invoke(null));
    }
    for (Mistake m : all) {
      String text;
      long t = System.nanoTime();
      try { text = m.making().message(); } catch (Throwable e) { text = "!!! " + e + " / " + e.getCause(); }
      boolean ok = text.contains(m.happened()) && text.contains(m.found()) && text.contains(m.fix());
      System.out.println((ok ? "ok  " : "BAD ") + (System.nanoTime() - t) / 1_000_000 + "ms " + m + "\n      " + text.replace("\n", "\n      "));
      if (!ok) System.out.println("   missing: " + (text.contains(m.happened()) ? "" : "[" + m.happened() + "]") + (text.contains(m.found()) ? "" : "[" + m.found() + "]") + (text.contains(m.fix()) ? "" : "[" + m.fix() + "]"));
    }
    System.exit(0);
  }
}
