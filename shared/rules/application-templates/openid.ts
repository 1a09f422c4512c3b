import type { ReleasedAttribute } from '../../contract/attributes.ts'
import type { ApplicationTemplate } from './template.ts'

/** Account, name and email address under their OpenID Connect names; gender and birthday are not released. */
const CLAIMS: ReleasedAttribute[] = [
  { name: 'preferred_username', from: 'account' },
  { name: 'name', from: 'name' },
  { name: 'email', from: 'mailbox' },
]
const OPENID = { scopes: ['openid', 'profile', 'email'], attributes: CLAIMS }
const SCOPE = 'openid profile email'

/** Products that log in by OpenID Connect, or by plain OAuth 2.0. */
export const OPENID_TEMPLATES: readonly ApplicationTemplate[] = [
  {
    key: 'moodle-oidc',
    product: 'Moodle',
    protocol: 'oauth2',
    baseSetting: '$CFG->wwwroot',
    example: 'https://moodle.school.edu',
    filled: {
      ...OPENID,
      redirectUris: ['{base}/admin/oauth2callback.php'],
      attributes: [...CLAIMS, { name: 'given_name', from: 'name' }],
    },
    settings: [
      ['Client ID', '{clientId}'],
      ['Client secret', '{secret}'],
      ['Service base URL', '{issuer}'],
      ['Scopes included in a login request', SCOPE],
      ['User field mappings', 'preferred_username → username'],
    ],
    docs: 'https://docs.moodle.org/en/OAuth_2_services',
    proof: null,
  },
  {
    key: 'nextcloud-oidc',
    product: 'Nextcloud',
    protocol: 'oauth2',
    baseSetting: 'overwrite.cli.url',
    example: 'https://cloud.school.edu',
    filled: {
      ...OPENID,
      redirectUris: ['{base}/apps/user_oidc/code', '{base}/index.php/apps/user_oidc/code'],
      postLogoutRedirectUris: ['{base}/'],
      backchannelLogoutUri: '{base}/index.php/apps/user_oidc/backchannel-logout/gatehouse',
    },
    snippet: {
      file: 'occ',
      text: `php occ app:install user_oidc
php occ user_oidc:provider gatehouse \\
  --clientid="{clientId}" --clientsecret="{secret}" \\
  --discoveryuri="{discovery}" --scope="${SCOPE}" \\
  --unique-uid=0 --mapping-uid="preferred_username" \\
  --mapping-display-name="name" --mapping-email="email"`,
    },
    docs: 'https://github.com/nextcloud/user_oidc#readme',
    proof: null,
  },
  {
    key: 'gitlab-oidc',
    product: 'GitLab',
    protocol: 'oauth2',
    baseSetting: 'external_url',
    example: 'https://gitlab.school.edu',
    filled: { ...OPENID, redirectUris: ['{base}/users/auth/openid_connect/callback'] },
    snippet: {
      file: '/etc/gitlab/gitlab.rb',
      text: `gitlab_rails['omniauth_allow_single_sign_on'] = ['openid_connect']
gitlab_rails['omniauth_block_auto_created_users'] = false
gitlab_rails['omniauth_providers'] = [
  {
    name: 'openid_connect',
    label: 'Gatehouse',
    args: {
      name: 'openid_connect',
      scope: ['openid', 'profile', 'email'],
      response_type: 'code',
      issuer: '{issuer}',
      discovery: true,
      client_auth_method: 'basic',
      uid_field: 'preferred_username',
      pkce: true,
      client_options: {
        identifier: '{clientId}',
        secret: '{secret}',
        redirect_uri: '{base}/users/auth/openid_connect/callback'
      }
    }
  }
]`,
    },
    docs: 'https://docs.gitlab.com/administration/auth/oidc/',
    proof: 'gitlab-omniauth-openid-connect 0.10',
  },
  {
    key: 'grafana-oidc',
    product: 'Grafana',
    protocol: 'oauth2',
    baseSetting: '[server] root_url',
    example: 'https://grafana.school.edu',
    filled: { ...OPENID, redirectUris: ['{base}/login/generic_oauth'] },
    snippet: {
      file: 'grafana.ini',
      text: `[server]
root_url = {base}/

[auth.generic_oauth]
enabled = true
name = Gatehouse
client_id = {clientId}
client_secret = {secret}
scopes = ${SCOPE}
auth_url = {issuer}/authorize
token_url = {issuer}/token
api_url = {issuer}/userinfo
use_pkce = true
allow_sign_up = true
login_attribute_path = preferred_username
name_attribute_path = name
email_attribute_path = email`,
    },
    docs: 'https://grafana.com/docs/grafana/latest/setup-grafana/configure-access/configure-authentication/generic-oauth/',
    proof: null,
  },
  {
    key: 'jenkins-oidc',
    product: 'Jenkins',
    protocol: 'oauth2',
    baseSetting: 'Jenkins URL',
    example: 'https://jenkins.school.edu',
    filled: {
      ...OPENID,
      redirectUris: ['{base}/securityRealm/finishLogin'],
      postLogoutRedirectUris: ['{base}/OicLogout'],
    },
    settings: [
      ['Client id', '{clientId}'],
      ['Client secret', '{secret}'],
      ['Well-known configuration endpoint', '{discovery}'],
      ['Scopes', SCOPE],
      ['User name field name', 'preferred_username'],
      ['Full name field name', 'name'],
      ['Email field name', 'email'],
    ],
    docs: 'https://plugins.jenkins.io/oic-auth/',
    proof: null,
  },
  {
    key: 'zabbix-oidc',
    product: 'Zabbix',
    protocol: 'oauth2',
    baseSetting: 'Frontend URL',
    example: 'https://zabbix.school.edu/zabbix',
    filled: {
      scopes: ['openid', 'profile'],
      attributes: [{ name: 'preferred_username', from: 'account' }],
      redirectUris: ['{base}/oidc-callback'],
      postLogoutRedirectUris: ['{base}/'],
      backchannelLogoutUri: '{base}/oidc-callback?logout=backchannel',
    },
    snippet: {
      file: 'zabbix-login.conf',
      text: `OIDCProviderMetadataURL {discovery}
OIDCClientID "{clientId}"
OIDCClientSecret "{secret}"
OIDCRedirectURI {base}/oidc-callback
OIDCScope "openid profile"
OIDCPKCEMethod S256
OIDCRemoteUserClaim preferred_username
OIDCSessionType server-cache
OIDCCryptoPassphrase "exec:/usr/bin/openssl rand -base64 32"
<LocationMatch "^{basePath}/(index_http\\.php|oidc-callback)$">
  AuthType openid-connect
  Require valid-user
</LocationMatch>`,
    },
    docs: 'https://www.zabbix.com/documentation/current/en/manual/web_interface/frontend_sections/users/authentication/http',
    proof: 'mod_auth_openidc 2.4',
  },
  {
    key: 'wordpress-oidc',
    product: 'WordPress',
    protocol: 'oauth2',
    baseSetting: 'WordPress Address (URL)',
    example: 'https://www.school.edu',
    filled: { ...OPENID, redirectUris: ['{base}/wp-admin/admin-ajax.php?action=openid-connect-authorize'] },
    settings: [
      ['Client ID', '{clientId}'],
      ['Client Secret Key', '{secret}'],
      ['OpenID Scope', SCOPE],
      ['Login Endpoint URL', '{issuer}/authorize'],
      ['Userinfo Endpoint URL', '{issuer}/userinfo'],
      ['Token Validation Endpoint URL', '{issuer}/token'],
      ['Identity Key', 'preferred_username'],
      ['Nickname Key', 'preferred_username'],
      ['Email Formatting', '{email}'],
      ['Display Name Formatting', '{name}'],
    ],
    docs: 'https://wordpress.org/plugins/daggerhart-openid-connect-generic/',
    proof: null,
  },
  {
    key: 'discourse-oidc',
    product: 'Discourse',
    protocol: 'oauth2',
    baseSetting: 'DISCOURSE_HOSTNAME',
    example: 'https://forum.school.edu',
    filled: { ...OPENID, redirectUris: ['{base}/auth/oidc/callback'] },
    settings: [
      ['openid connect enabled', 'Yes'],
      ['openid connect discovery document', '{discovery}'],
      ['openid connect client id', '{clientId}'],
      ['openid connect client secret', '{secret}'],
      ['openid connect authorize scope', SCOPE],
    ],
    docs: 'https://meta.discourse.org/t/openid-connect-authentication-plugin/103632',
    proof: 'omniauth-oauth2 1.8',
  },
  {
    key: 'seafile-oauth',
    product: 'Seafile',
    protocol: 'oauth2',
    isPlainOAuth: true,
    baseSetting: 'SERVICE_URL',
    example: 'https://files.school.edu',
    filled: { ...OPENID, redirectUris: ['{base}/oauth/callback/'] },
    snippet: {
      file: 'conf/seahub_settings.py',
      text: `ENABLE_OAUTH = True
OAUTH_CLIENT_ID = '{clientId}'
OAUTH_CLIENT_SECRET = '{secret}'
OAUTH_REDIRECT_URL = '{base}/oauth/callback/'
OAUTH_PROVIDER = 'gatehouse'
OAUTH_PROVIDER_DOMAIN = '{host}'
OAUTH_AUTHORIZATION_URL = '{issuer}/authorize'
OAUTH_TOKEN_URL = '{issuer}/token'
OAUTH_USER_INFO_URL = '{issuer}/userinfo'
OAUTH_SCOPE = ['openid', 'profile', 'email']
OAUTH_ATTRIBUTE_MAP = {
    'sub': (True, 'uid'),
    'name': (False, 'name'),
    'email': (False, 'contact_email'),
}`,
    },
    docs: 'https://manual.seafile.com/latest/config/oauth/',
    proof: 'requests-oauthlib 1.3',
  },
  {
    key: 'openedx-oidc',
    product: 'Open edX',
    protocol: 'oauth2',
    baseSetting: 'LMS_ROOT_URL',
    example: 'https://courses.school.edu',
    filled: { ...OPENID, redirectUris: ['{base}/auth/complete/oidc/'] },
    snippet: {
      file: 'lms.yml',
      text: `FEATURES:
  ENABLE_THIRD_PARTY_AUTH: true
THIRD_PARTY_AUTH_BACKENDS:
  - social_core.backends.open_id_connect.OpenIdConnectAuth
SOCIAL_AUTH_OIDC_OIDC_ENDPOINT: "{issuer}"
SOCIAL_AUTH_OIDC_SCOPE: [openid, profile, email]
SOCIAL_AUTH_OAUTH_SECRETS:
  oidc: "{secret}"`,
    },
    settings: [
      ['Backend name', 'oidc'],
      ['Client ID', '{clientId}'],
      ['Client Secret', '{secret}'],
    ],
    docs: 'https://docs.openedx.org/en/latest/site_ops/install_configure_run_guide/configuration/tpa/index.html',
    proof: 'python-social-auth 4.3',
  },
  {
    key: 'dspace-oidc',
    product: 'DSpace',
    protocol: 'oauth2',
    baseSetting: 'dspace.server.url',
    example: 'https://repository.school.edu/server',
    filled: { ...OPENID, redirectUris: ['{base}/api/authn/oidc'] },
    snippet: {
      file: 'config/local.cfg',
      text: `plugin.sequence.org.dspace.authenticate.AuthenticationMethod = org.dspace.authenticate.OidcAuthentication
plugin.sequence.org.dspace.authenticate.AuthenticationMethod = org.dspace.authenticate.PasswordAuthentication
authentication-oidc.authorize-endpoint = {issuer}/authorize
authentication-oidc.token-endpoint = {issuer}/token
authentication-oidc.user-info-endpoint = {issuer}/userinfo
authentication-oidc.client-id = {clientId}
authentication-oidc.client-secret = {secret}
authentication-oidc.redirect-url = {base}/api/authn/oidc
authentication-oidc.scopes = openid,email,profile
authentication-oidc.user-info.email = email
authentication-oidc.user-info.first-name = name
authentication-oidc.can-self-register = true`,
    },
    docs: 'https://wiki.lyrasis.org/display/DSDOC7x/Authentication+Plugins',
    proof: null,
  },
  {
    key: 'jupyterhub-oidc',
    product: 'JupyterHub',
    protocol: 'oauth2',
    baseSetting: 'JupyterHub.public_url',
    example: 'https://jupyter.school.edu',
    filled: { ...OPENID, redirectUris: ['{base}/hub/oauth_callback'] },
    snippet: {
      file: 'jupyterhub_config.py',
      text: `from oauthenticator.generic import GenericOAuthenticator

c.JupyterHub.authenticator_class = GenericOAuthenticator
c.GenericOAuthenticator.client_id = '{clientId}'
c.GenericOAuthenticator.client_secret = '{secret}'
c.GenericOAuthenticator.oauth_callback_url = '{base}/hub/oauth_callback'
c.GenericOAuthenticator.authorize_url = '{issuer}/authorize'
c.GenericOAuthenticator.token_url = '{issuer}/token'
c.GenericOAuthenticator.userdata_url = '{issuer}/userinfo'
c.GenericOAuthenticator.scope = ['openid', 'profile', 'email']
c.GenericOAuthenticator.username_claim = 'preferred_username'
c.GenericOAuthenticator.login_service = 'Gatehouse'
c.GenericOAuthenticator.allow_all = True`,
    },
    docs: 'https://oauthenticator.readthedocs.io/en/latest/tutorials/provider-specific-setup/providers/generic.html',
    proof: null,
  },
  {
    key: 'greenlight-oidc',
    product: 'BigBlueButton (Greenlight)',
    protocol: 'oauth2',
    baseSetting: 'URL_HOST',
    example: 'https://meeting.school.edu',
    filled: { ...OPENID, redirectUris: ['{base}/auth/openid_connect/callback'] },
    snippet: {
      file: '.env',
      text: `OPENID_CONNECT_CLIENT_ID={clientId}
OPENID_CONNECT_CLIENT_SECRET={secret}
OPENID_CONNECT_ISSUER={issuer}
OPENID_CONNECT_REDIRECT={base}
OPENID_CONNECT_UID_FIELD=preferred_username`,
    },
    docs: 'https://docs.bigbluebutton.org/greenlight/v3/external-authentication/',
    proof: 'gitlab-omniauth-openid-connect 0.10',
  },
  {
    key: 'superset-oidc',
    product: 'Superset',
    protocol: 'oauth2',
    baseSetting: 'WEBDRIVER_BASEURL_USER_FRIENDLY',
    example: 'https://charts.school.edu',
    filled: { ...OPENID, redirectUris: ['{base}/oauth-authorized/gatehouse'] },
    snippet: {
      file: 'superset_config.py',
      text: `from flask_appbuilder.security.manager import AUTH_OAUTH
from superset.security import SupersetSecurityManager


class GatehouseSecurityManager(SupersetSecurityManager):
    def oauth_user_info(self, provider, response=None):
        person = self.appbuilder.sm.oauth_remotes[provider].get('userinfo').json()
        return {
            'username': person['preferred_username'],
            'first_name': person.get('name', ''),
            'last_name': '',
            'email': person.get('email', ''),
        }


AUTH_TYPE = AUTH_OAUTH
CUSTOM_SECURITY_MANAGER = GatehouseSecurityManager
AUTH_USER_REGISTRATION = True
AUTH_USER_REGISTRATION_ROLE = 'Gamma'
OAUTH_PROVIDERS = [
    {
        'name': 'gatehouse',
        'icon': 'fa-key',
        'token_key': 'access_token',
        'remote_app': {
            'client_id': '{clientId}',
            'client_secret': '{secret}',
            'server_metadata_url': '{discovery}',
            'api_base_url': '{issuer}/',
            'client_kwargs': {'scope': '${SCOPE}', 'code_challenge_method': 'S256'},
        },
    }
]`,
    },
    docs: 'https://superset.apache.org/docs/configuration/configuring-superset/#custom-oauth2-configuration',
    proof: 'Authlib 1.2',
  },
]
