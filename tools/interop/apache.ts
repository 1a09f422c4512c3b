import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ports } from './ports.types.ts'
import { type Authority, writeSites } from './sites.ts'

/** A throw-away authority with one certificate for localhost; its key disappears with the folder. */
export function makeAuthority(folder: string): Authority {
  const at = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl(
    'req',
    '-x509',
    ...curve,
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
    '-days',
    '2',
    '-subj',
    '/CN=Throw-away authority',
  )
  openssl('req', ...curve, '-keyout', at('server.key'), '-out', at('server.csr'), '-subj', '/CN=localhost')
  writeFileSync(at('san'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n')
  openssl(
    'x509',
    '-req',
    '-in',
    at('server.csr'),
    '-CA',
    at('ca.pem'),
    '-CAkey',
    at('ca.key'),
    '-CAcreateserial',
    '-out',
    at('server.pem'),
    '-days',
    '2',
    '-extfile',
    at('san'),
  )
  return { ca: at('ca.pem'), cert: at('server.pem'), key: at('server.key') }
}

/** Starts a separate Apache in the foreground; stop it with SIGTERM. */
export function startApache(folder: string, ports: Ports, tls: Authority): ChildProcess {
  const file = writeSites(folder, ports, tls)
  // In its own process group: on exit Apache signals its whole group, which would include us and our shell.
  return spawn('/usr/sbin/apache2', ['-f', file, '-DFOREGROUND'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
}
