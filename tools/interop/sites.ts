import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLIENT_SECRET } from './content.ts'
import { galleryInstructions } from './gallery-clients.ts'
import type { Ports } from './ports.types.ts'

export type Authority = { ca: string; cert: string; key: string }

const MODULES = [
  'mpm_prefork',
  'authn_core',
  'authz_core',
  'authz_user',
  'alias',
  'dir',
  'mime',
  'headers',
  'setenvif',
  'socache_shmcb',
  'ssl',
  'proxy',
  'proxy_http',
  'auth_cas',
  'auth_openidc',
]

const MODULE_FOLDER = '/usr/lib/apache2/modules'

/** PHP's module is named after its version. */
const phpModule = () => readdirSync(MODULE_FOLDER).find((name) => /^libphp[\d.]*\.so$/.test(name)) ?? 'libphp.so'

/** A page that shows what the module in front of it knows about the visitor. */
const whoami = (prefix: string) => `<?php header('Content-Type: application/json'); $a = [];
foreach ($_SERVER as $k => $v) if (strpos($k, '${prefix}') === 0) $a[strtolower(substr($k, ${prefix.length}))] = $v;
echo json_encode(['user' => $_SERVER['REMOTE_USER'] ?? null, 'attributes' => $a]);`

function writePages(folder: string, ports: Ports, tls: Authority): void {
  for (const name of ['mod-auth-cas', 'php-cas', 'mod-auth-openidc', 'cas-cache', 'php-sessions', 'zabbix/zabbix'])
    mkdirSync(join(folder, name), { recursive: true })
  for (const name of ['cas-cache', 'php-sessions']) chmodSync(join(folder, name), 0o1777)
  writeFileSync(join(folder, 'mod-auth-cas', 'index.php'), whoami('HTTP_CAS_'))
  writeFileSync(join(folder, 'mod-auth-openidc', 'index.php'), whoami('OIDC_CLAIM_'))
  for (const page of ['index_http.php', 'api_jsonrpc.php']) {
    writeFileSync(join(folder, 'zabbix/zabbix', page), whoami('OIDC_CLAIM_'))
  }
  writeFileSync(
    join(folder, 'php-cas', 'index.php'),
    `<?php require '/usr/share/php/CAS.php';
session_save_path('${folder}/php-sessions');
phpCAS::setLogger(); phpCAS::setVerbose(true);
phpCAS::client(CAS_VERSION_3_0, 'localhost', ${ports.sso}, '/fwk_cas_service', 'https://localhost:${ports.phpCas}');
phpCAS::setCasServerCACert('${tls.ca}');
phpCAS::handleLogoutRequests(true, ['localhost', '127.0.0.1', 'ip6-localhost']);
if (isset($_GET['logout'])) phpCAS::logoutWithRedirectService('https://localhost:${ports.phpCas}/');
phpCAS::forceAuthentication();
header('Content-Type: application/json');
echo json_encode(['user' => phpCAS::getUser(), 'attributes' => phpCAS::getAttributes()]);`,
  )
}

/**
 * Writes the sites: https in front of Gatehouse, and one each behind mod_auth_cas, with phpCAS, behind
 * mod_auth_openidc.
 */
export function writeSites(folder: string, ports: Ports, tls: Authority): string {
  writePages(folder, ports, tls)
  const ssl = `SSLEngine on\n  SSLCertificateFile ${tls.cert}\n  SSLCertificateKeyFile ${tls.key}`
  const cas = `https://localhost:${ports.sso}/fwk_cas_service`
  const conf = `
ServerRoot ${folder}
PidFile ${folder}/apache.pid
ErrorLog ${folder}/apache.log
LogLevel warn auth_cas:info
Mutex file:${folder}
User www-data
Group www-data
ServerName localhost
UseCanonicalName On
${MODULES.map((name) => `LoadModule ${name}_module ${MODULE_FOLDER}/mod_${name}.so`).join('\n')}
LoadModule php_module ${MODULE_FOLDER}/${phpModule()}
TypesConfig /etc/mime.types
DirectoryIndex index.php
AddHandler application/x-httpd-php .php
SSLSessionCache none
${[ports.sso, ports.modAuthCas, ports.phpCas, ports.modAuthOpenidc, ports.zabbix].map((port) => `Listen 127.0.0.1:${port}`).join('\n')}
CASVersion 2
CASLoginURL ${cas}/login
CASValidateURL ${cas}/p3/serviceValidate
CASCertificatePath ${tls.ca}
CASCookiePath ${folder}/cas-cache/
CASSSOEnabled On
CASAttributePrefix CAS-
<VirtualHost 127.0.0.1:${ports.sso}>
  ServerName https://localhost:${ports.sso}
  ${ssl}
  ProxyPreserveHost On
  RequestHeader set X-Forwarded-Proto https
  ProxyPass / http://127.0.0.1:${ports.gatehouse}/
</VirtualHost>
<VirtualHost 127.0.0.1:${ports.modAuthCas}>
  ServerName https://localhost:${ports.modAuthCas}
  ${ssl}
  DocumentRoot ${folder}/mod-auth-cas
  <Location />
    AuthType CAS
    CASAuthNHeader On
    Require valid-user
  </Location>
</VirtualHost>
<VirtualHost 127.0.0.1:${ports.phpCas}>
  ServerName https://localhost:${ports.phpCas}
  ${ssl}
  DocumentRoot ${folder}/php-cas
  <Directory ${folder}/php-cas>
    Require all granted
  </Directory>
</VirtualHost>
<VirtualHost 127.0.0.1:${ports.modAuthOpenidc}>
  ServerName https://localhost:${ports.modAuthOpenidc}
  ${ssl}
  DocumentRoot ${folder}/mod-auth-openidc
  OIDCProviderMetadataURL https://localhost:${ports.sso}/fwk_cas_service/oidc/.well-known/openid-configuration
  OIDCClientID mod-auth-openidc
  OIDCClientSecret ${CLIENT_SECRET}
  OIDCRedirectURI https://localhost:${ports.modAuthOpenidc}/redirect_uri
  OIDCCryptoPassphrase ${CLIENT_SECRET}
  OIDCScope "openid profile email"
  OIDCPKCEMethod S256
  OIDCRemoteUserClaim sub
  OIDCSessionType server-cache
  OIDCCABundlePath ${tls.ca}
  <Location />
    AuthType openid-connect
    Require valid-user
  </Location>
</VirtualHost>
<VirtualHost 127.0.0.1:${ports.zabbix}>
  ServerName https://localhost:${ports.zabbix}
  ${ssl}
  DocumentRoot ${folder}/zabbix
  OIDCCABundlePath ${tls.ca}
${galleryInstructions('zabbix-oidc', `https://localhost:${ports.zabbix}/zabbix`, `https://localhost:${ports.sso}`).snippet?.text}
</VirtualHost>
`
  const file = join(folder, 'apache.conf')
  writeFileSync(file, conf)
  return file
}
