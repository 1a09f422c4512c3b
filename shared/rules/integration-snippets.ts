/** The values of a snippet, all of this application. */
export type SnippetOptions = {
  protocol: 'cas' | 'oauth2'
  /** `https://portal.school.edu`, without a trailing slash. */
  publicUrl: string
  /** The registered return address of a login. */
  address: string
  clientId: string
  scopes: readonly string[]
  hasSecret: boolean
}

type Snippet = { key: string; name: string; file: string; text: string }

/** Where the secret goes: it can't be shown. */
export const SECRET_PLACEHOLDER = 'CLIENT_SECRET'

/** The addresses that a client's documentation asks for; each has the message `endpoint-name.<key>`. */
export function integrationEndpoints({ protocol, publicUrl }: Pick<SnippetOptions, 'protocol' | 'publicUrl'>) {
  const cas = `${publicUrl}/fwk_cas_service`
  const issuer = `${cas}/oidc`
  const names =
    protocol === 'cas'
      ? { login: `${cas}/login`, validate: `${cas}/p3/serviceValidate`, logout: `${cas}/logout` }
      : {
          issuer,
          discovery: `${issuer}/.well-known/openid-configuration`,
          authorize: `${issuer}/authorize`,
          token: `${issuer}/token`,
          userinfo: `${issuer}/userinfo`,
        }
  return Object.entries(names) as [EndpointName, string][]
}
type EndpointName = 'login' | 'validate' | 'logout' | 'issuer' | 'discovery' | 'authorize' | 'token' | 'userinfo'

/** Configuration of the most common clients, ready to paste. */
export const integrationSnippets = (facts: SnippetOptions): Snippet[] =>
  facts.protocol === 'cas' ? casSnippets(facts) : openIdSnippets(facts)

function casSnippets({ publicUrl, address }: SnippetOptions): Snippet[] {
  const server = new URL(publicUrl)
  const { origin } = new URL(address)
  const port = server.port || (server.protocol === 'https:' ? '443' : '80')
  const cas = `${publicUrl}/fwk_cas_service`
  return [
    {
      key: 'phpcas',
      name: 'phpCAS',
      file: 'index.php',
      text: `require_once 'vendor/autoload.php';
phpCAS::client(CAS_VERSION_3_0, '${server.hostname}', ${port}, '/fwk_cas_service', '${origin}');
phpCAS::setCasServerCACert('/etc/ssl/certs/ca-certificates.crt');
phpCAS::handleLogoutRequests(true, ['${server.hostname}']);
phpCAS::forceAuthentication();
$user = phpCAS::getUser();
$attributes = phpCAS::getAttributes();`,
    },
    {
      key: 'mod-auth-cas',
      name: 'Apache mod_auth_cas',
      file: 'cas.conf',
      text: `CASLoginURL ${cas}/login
CASValidateURL ${cas}/p3/serviceValidate
CASCookiePath /var/cache/apache2/mod_auth_cas/
CASRootProxiedAs ${origin}
CASSSOEnabled On
<Location "${new URL(address).pathname}">
  AuthType CAS
  Require valid-user
</Location>`,
    },
    {
      key: 'spring-cas',
      name: 'Spring Security (CAS)',
      file: 'CasConfiguration.java',
      text: `@Bean ServiceProperties serviceProperties() {
  ServiceProperties service = new ServiceProperties();
  service.setService("${origin}/login/cas");
  return service;
}
@Bean CasAuthenticationEntryPoint entryPoint(ServiceProperties service) {
  CasAuthenticationEntryPoint entry = new CasAuthenticationEntryPoint();
  entry.setLoginUrl("${cas}/login");
  entry.setServiceProperties(service);
  return entry;
}
@Bean TicketValidator ticketValidator() {
  return new Cas30ServiceTicketValidator("${cas}");
}`,
    },
    {
      key: 'django-cas',
      name: 'django-cas-ng',
      file: 'settings.py',
      text: `INSTALLED_APPS += ['django_cas_ng']
AUTHENTICATION_BACKENDS = [
    'django.contrib.auth.backends.ModelBackend',
    'django_cas_ng.backends.CASBackend',
]
CAS_SERVER_URL = '${cas}/'
CAS_ROOT_PROXIED_AS = '${origin}'
CAS_VERSION = '3'
CAS_APPLY_ATTRIBUTES_TO_USER = True`,
    },
  ]
}

function openIdSnippets({ publicUrl, address, clientId, scopes, hasSecret }: SnippetOptions): Snippet[] {
  const issuer = `${publicUrl}/fwk_cas_service/oidc`
  const secret = hasSecret ? SECRET_PLACEHOLDER : ''
  const scope = scopes.join(' ')
  return [
    {
      key: 'spring-oidc',
      name: 'Spring Security (OpenID Connect)',
      file: 'application.yml',
      text: `spring:
  security:
    oauth2:
      client:
        registration:
          gatehouse:
            client-id: "${clientId}"
            ${hasSecret ? `client-secret: "${secret}"` : 'client-authentication-method: none'}
            authorization-grant-type: authorization_code
            redirect-uri: "${address}"
            scope: [${scopes.join(', ')}]
        provider:
          gatehouse:
            issuer-uri: ${issuer}`,
    },
    {
      key: 'mod-auth-openidc',
      name: 'Apache mod_auth_openidc',
      file: 'openidc.conf',
      text: `OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID "${clientId}"
${hasSecret ? `OIDCClientSecret "${secret}"` : 'OIDCProviderTokenEndpointAuth none'}
OIDCRedirectURI ${address}
OIDCPKCEMethod S256
OIDCScope "${scope}"
OIDCCryptoPassphrase "exec:/usr/bin/openssl rand -base64 32"
<Location "/">
  AuthType openid-connect
  Require valid-user
</Location>`,
    },
    {
      key: 'oauth2-proxy',
      name: 'nginx + oauth2-proxy',
      file: 'oauth2-proxy.cfg',
      text: `provider = "oidc"
oidc_issuer_url = "${issuer}"
client_id = "${clientId}"
${hasSecret ? `client_secret = "${secret}"` : 'client_secret_file = "/etc/oauth2-proxy/empty"'}
redirect_url = "${address}"
scope = "${scope}"
code_challenge_method = "S256"
email_domains = ["*"]
reverse_proxy = true`,
    },
    {
      key: 'node-openid-client',
      name: 'Node.js openid-client',
      file: 'login.mjs',
      text: `import * as client from 'openid-client'

const config = await client.discovery(
  new URL('${issuer}'),
  '${clientId}',
  ${hasSecret ? `'${secret}'` : 'undefined, client.None()'},
)
const verifier = client.randomPKCECodeVerifier()
const address = client.buildAuthorizationUrl(config, {
  redirect_uri: '${address}',
  scope: '${scope}',
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})`,
    },
  ]
}
