package holdfast.spring.test;

import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Two data sources, neither of them primary. */
@Configuration
public class TwoDataSources {

  @Bean
  DataSource orders() {
    return new DriverManagerDataSource("jdbc:h2:mem:orders");
  }

  @Bean
  DataSource archive() {
    return new DriverManagerDataSource("jdbc:h2:mem:archive");
  }
}
