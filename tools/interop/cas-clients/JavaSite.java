import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.EnumSet;
import java.util.Map;
import javax.servlet.DispatcherType;
import javax.servlet.Filter;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.jasig.cas.client.authentication.AttributePrincipal;
import org.jasig.cas.client.authentication.AuthenticationFilter;
import org.jasig.cas.client.authentication.Saml11AuthenticationFilter;
import org.jasig.cas.client.session.SingleSignOutFilter;
import org.jasig.cas.client.session.SingleSignOutHttpSessionListener;
import org.jasig.cas.client.util.HttpServletRequestWrapperFilter;
import org.jasig.cas.client.validation.Cas30ProxyReceivingTicketValidationFilter;
import org.jasig.cas.client.validation.Saml11TicketValidationFilter;

/** A site behind the filters of the Apereo Java client 3.6, in the order and with the parameters of its README. */
public final class JavaSite {
    public static void main(String[] arguments) throws Exception {
        URI base = URI.create(arguments[0]);
        String cas = arguments[1];
        boolean saml = arguments[2].equals("saml11");
        String site = base.getScheme() + "://" + base.getAuthority();
        ServletContextHandler context = new ServletContextHandler(ServletContextHandler.SESSIONS);
        context.addEventListener(new SingleSignOutHttpSessionListener());
        Map<String, String> login = Map.of("casServerLoginUrl", cas + "/login", "serverName", site);
        Map<String, String> validation = Map.of("casServerUrlPrefix", cas, "serverName", site);
        Map<String, String> out = Map.of("casServerUrlPrefix", cas);
        add(context, new SingleSignOutFilter(), saml ? Map.of("artifactParameterName", "SAMLart") : out);
        add(context, saml ? new Saml11AuthenticationFilter() : new AuthenticationFilter(), login);
        add(context, saml ? new Saml11TicketValidationFilter() : new Cas30ProxyReceivingTicketValidationFilter(), validation);
        add(context, new HttpServletRequestWrapperFilter(), Map.of());
        context.addServlet(new ServletHolder(new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.setContentType("text/plain; charset=utf-8");
                AttributePrincipal person = (AttributePrincipal) request.getUserPrincipal();
                response.getWriter().println(person.getName());
                for (Map.Entry<String, Object> one : person.getAttributes().entrySet())
                    response.getWriter().println(one.getKey() + "=" + one.getValue());
            }
        }), "/");
        Server server = new Server(new InetSocketAddress("127.0.0.1", base.getPort()));
        server.setHandler(context);
        server.start();
        server.join();
    }

    private static void add(ServletContextHandler context, Filter filter, Map<String, String> parameters) {
        var holder = new org.eclipse.jetty.servlet.FilterHolder(filter);
        holder.setInitParameters(parameters);
        context.addFilter(holder, "/*", EnumSet.of(DispatcherType.REQUEST));
    }
}
