package holdfast.spring.test;

import holdfast.testkit.process.LastLineContract;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** Runs the application whose class it is given until the JVM ends; closes nothing itself. */
public final class ExitingApp {
  private ExitingApp() {}

  public static void main(String[] args) throws Exception {
    new SpringApplicationBuilder(Class.forName(args[1])).web(WebApplicationType.NONE).run();
    LastLineContract.ready(args);
  }
}
