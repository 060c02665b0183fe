package org.springframework.web.client;

/** Looks like one of the client's exceptions. */
public class HttpClientErrorException extends RestClientResponseException {
  private static final long serialVersionUID = 1;

  public HttpClientErrorException(int status) {
    super(status);
  }
}
