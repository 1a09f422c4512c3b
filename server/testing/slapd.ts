import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthority } from './authority.ts'
import { freePort } from './free-port.ts'
import { isListening, until } from './process.ts'

const PROGRAM = '/usr/sbin/slapd'

/** Debian's OpenLDAP server; tests that need it are skipped without. */
export const hasSlapd = existsSync(PROGRAM)

export const BASE = 'dc=school,dc=example'
export const READER = { user: `cn=reader,${BASE}`, password: 'reads-only' }

/** The root of the directory and its reader, in LDIF. */
export const BASE_ENTRIES = `dn: ${BASE}
objectClass: domain
dc: school

dn: ${READER.user}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: reader
userPassword: ${READER.password}
`

export type Slapd = {
  port: number
  tlsPort: number
  /** The authority of its certificate, which is for `localhost` and 127.0.0.1; it also listens at 127.0.0.2. */
  ca: string
  /** Adds entries, in LDIF, as the directory's administrator. */
  add(ldif: string): void
  stop(): Promise<void>
}

const config = (folder: string, limit: string) => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
pidfile ${folder}/slapd.pid
TLSCACertificateFile ${folder}/ca.pem
TLSCertificateFile ${folder}/cert.pem
TLSCertificateKeyFile ${folder}/key.pem
database mdb
suffix "${BASE}"
rootdn "cn=admin,${BASE}"
rootpw owner
directory ${folder}/data
dbnosync
maxsize 268435456
limits dn.exact="${READER.user}" ${limit}
overlay memberof
access to attrs=userPassword by * auth
access to * by dn.exact="${READER.user}" read by anonymous auth
`

/** Starts a directory server on loopback, in a temporary folder. @param limit how much the reader may read */
export async function startSlapd(limit = 'size=unlimited size.pr=unlimited'): Promise<Slapd> {
  const folder = mkdtempSync(join(tmpdir(), 'slapd-'))
  const authority = createAuthority()
  const issued = authority.issue()
  mkdirSync(join(folder, 'data'))
  writeFileSync(join(folder, 'ca.pem'), authority.certificate)
  writeFileSync(join(folder, 'cert.pem'), issued.cert)
  writeFileSync(join(folder, 'key.pem'), issued.key)
  writeFileSync(join(folder, 'slapd.conf'), config(folder, limit))
  const [port, tlsPort] = [await freePort(), await freePort()]
  const urls = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${tlsPort} ldaps://127.0.0.2:${tlsPort}`
  const child = spawn(PROGRAM, ['-h', urls, '-f', join(folder, 'slapd.conf'), '-d', '0'], { stdio: 'ignore' })
  await until(() => isListening(tlsPort), 20_000)
  return {
    ...{ port, tlsPort, ca: authority.certificate },
    add(ldif) {
      const login = ['-x', '-H', `ldap://127.0.0.1:${port}`, '-D', `cn=admin,${BASE}`, '-w', 'owner']
      execFileSync('/usr/bin/ldapadd', login, { input: ldif, stdio: ['pipe', 'ignore', 'pipe'] })
    },
    async stop() {
      await end(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
