import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../server/testing/free-port.ts'
import { until } from './step.ts'

/** The required packages; `.ci/interop` names them. */
export const CAS_CLIENTS_NEED = [
  '/usr/lib/python3/dist-packages/cas/backends.py',
  '/usr/share/simplesamlphp/modules/cas/lib/Auth/Source/CAS.php',
  '/usr/share/perl5/Lemonldap/NG/Portal/Auth/CAS.pm',
  '/usr/share/perl5/Authen/CAS/Client.pm',
  '/usr/bin/php',
  '/usr/bin/plackup',
]

/** Debian ships no Java client: set this to a folder with its jars and their dependencies. */
const javaJars = process.env['CAS_CLIENT_JARS'] ?? ''

const NAMES = ['django-casclient', 'simplesamlphp', 'lemonldap', 'java-cas30', 'java-saml11', 'perl'] as const
type Name = (typeof NAMES)[number]

/** The address of each. */
export type CasClients = Record<Name, string>

export async function placeCasClients(): Promise<CasClients> {
  const places: [Name, string][] = []
  for (const name of NAMES) places.push([name, `http://localhost:${await freePort()}`])
  return Object.fromEntries(places) as CasClients
}

/** Their applications for the bootstrap file. */
export const casClientApplications = (places: CasClients): object[] =>
  Object.entries(places).map(([name, url]) => ({
    appId: name,
    name,
    protocol: 'cas',
    type: 'whitelist',
    url: `${url}/`,
    serviceUrls: [`${url}/**`],
    attributes: ['name', 'mailbox', { name: 'tier', value: 'gold' }],
    // These two know only /serviceValidate, and expect attributes there.
    casOptions: { attributesInCas2: name === 'simplesamlphp' || name === 'lemonldap' },
  }))

export const hasJavaClient = (): boolean => javaJars !== ''

const at = (file: string) => fileURLToPath(new URL(`cas-clients/${file}`, import.meta.url))

export type CasClientRun = { cas: string; ca: string; folder: string }

/** Starts them all, with their output in `cas-clients.log`; stop each with SIGTERM. */
export function startCasClients(places: CasClients, { cas, ca, folder }: CasClientRun): ChildProcess[] {
  const output = openSync(join(folder, 'cas-clients.log'), 'a')
  const start = (program: string, args: string[], env: Record<string, string> = {}) =>
    spawn(program, args, {
      stdio: ['ignore', output, output],
      cwd: folder,
      env: { ...process.env, SSL_CERT_FILE: ca, PERL_LWP_SSL_CA_FILE: ca, ...env },
    })
  const port = (name: Name) => new URL(places[name]).port
  writeSimpleSaml(places.simplesamlphp, cas, folder)
  const java = hasJavaClient() ? javaSites(places, { cas, ca, folder }) : []
  return [
    start('/usr/bin/python3', [at('django_site.py'), places['django-casclient'], cas, folder]),
    start(
      '/usr/bin/php',
      ['-d', `openssl.cafile=${ca}`, '-S', `localhost:${port('simplesamlphp')}`, '-t', join(folder, 'simplesaml')],
      { SIMPLESAMLPHP_CONFIG_DIR: join(folder, 'simplesaml-config') },
    ),
    start('/usr/bin/plackup', ['-E', 'deployment', '-o', '127.0.0.1', '-p', port('lemonldap'), at('lemonldap.psgi')], {
      BASE_URL: places.lemonldap,
      CAS_URL: cas,
      FOLDER: folder,
    }),
    ...java.map((args) => start('java', args)),
  ]
}

export async function casClientsAnswer(places: CasClients): Promise<void> {
  for (const [name, url] of Object.entries(places)) {
    if (name === 'perl' || (name.startsWith('java') && !hasJavaClient())) continue
    await until(name, () => fetch(url, { redirect: 'manual' }).then(() => true))
  }
}

/** As its module's documentation says, without the optional directory server. */
function writeSimpleSaml(url: string, cas: string, folder: string): void {
  const config = join(folder, 'simplesaml-config')
  const pages = join(folder, 'simplesaml')
  for (const one of [config, pages, join(folder, 'simplesaml-data')]) mkdirSync(one)
  symlinkSync('/usr/share/simplesamlphp/www', join(pages, 'simplesaml'))
  writeFileSync(
    join(config, 'config.php'),
    `<?php $config = ['baseurlpath' => '${url}/simplesaml/', 'secretsalt' => 'a salt of this run', 'timezone' => 'UTC',
  'technicalcontact_email' => 'nobody@example.edu', 'datadir' => '${folder}/simplesaml-data/', 'tempdir' => '${folder}/simplesaml-data',
  'loggingdir' => '${folder}/simplesaml-data/', 'logging.handler' => 'errorlog', 'logging.level' => 4, 'session.cookie.secure' => false,
  'store.type' => 'phpsession', 'session.phpsession.savepath' => '${folder}/simplesaml-data', 'showerrors' => true, 'errorreporting' => false,
  'module.enable' => ['cas' => true, 'core' => true], 'trusted.url.domains' => [], 'language.default' => 'en'];`,
  )
  const attribute = (name: string) =>
    `'${name}' => '/cas:serviceResponse/cas:authenticationSuccess/cas:attributes/cas:${name}'`
  writeFileSync(
    join(config, 'authsources.php'),
    `<?php $config = ['gatehouse' => ['cas:CAS', 'cas' => ['login' => '${cas}/login', 'serviceValidate' => '${cas}/serviceValidate',
  'logout' => '${cas}/logout', 'attributes' => ['uid' => '/cas:serviceResponse/cas:authenticationSuccess/cas:user',
  ${['name', 'mailbox', 'tier'].map(attribute).join(', ')}]], 'ldap' => ['servers' => null]]];`,
  )
  writeFileSync(
    join(pages, 'index.php'),
    `<?php require '/usr/share/simplesamlphp/lib/_autoload.php';
$as = new \\SimpleSAML\\Auth\\Simple('gatehouse');
if (isset($_GET['logout'])) $as->logout('${url}/');
$as->requireAuth();
header('Content-Type: application/json');
echo json_encode($as->getAttributes());`,
  )
}

const JETTY = ['server', 'servlet', 'http', 'io', 'util', 'security', 'util-ajax'].map(
  (one) => `/usr/share/java/jetty9-${one}.jar`,
)

function javaSites(places: CasClients, { cas, ca, folder }: CasClientRun): string[][] {
  const trust = join(folder, 'trust.p12')
  execFileSync('/usr/bin/keytool', [
    ...['-importcert', '-noprompt', '-alias', 'ca', '-file', ca],
    ...['-keystore', trust, '-storetype', 'PKCS12', '-storepass', 'throw-away'],
  ])
  const jars = readdirSync(javaJars).flatMap((name) => (name.endsWith('.jar') ? [join(javaJars, name)] : []))
  const classes = [...jars, ...JETTY.filter((jar) => existsSync(jar)), '/usr/share/java/servlet-api.jar'].join(':')
  const trusting = [`-Djavax.net.ssl.trustStore=${trust}`, '-Djavax.net.ssl.trustStorePassword=throw-away']
  return (['cas30', 'saml11'] as const).map((way) => [
    ...trusting,
    ...['-cp', classes, at('JavaSite.java'), places[`java-${way}`], cas, way],
  ])
}
