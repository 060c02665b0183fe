package demo.outbox.spring;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A line of the README that calls {@code curl}, run without it. */
final class CurlLine {
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Deque<String> words = new ArrayDeque<>();

  CurlLine(String line) {
    Matcher word = WORD.matcher(line);
    while (word.find()) {
      words.add(word.group(1) == null ? word.group(2) : word.group(1));
    }
    words.removeFirst();
  }

  HttpResponse<String> run(String port) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder();
    String method = "GET";
    HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.noBody();
    while (words.size() > 1) {
      String option = words.removeFirst();
      String value = words.removeFirst();
      switch (option) {
        case "-X" -> method = value;
        case "-d" -> body = HttpRequest.BodyPublishers.ofString(value);
        case "-H" -> request.header(value.split(": ", 2)[0], value.split(": ", 2)[1]);
        default -> throw new IllegalArgumentException("unknown option " + option);
      }
    }
    String address = "http://" + words.removeFirst().replace(":8080", ":" + port);
    request.uri(URI.create(address)).method(method, body);
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
