import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createAuthority } from './authority.ts'
import { freePort } from './free-port.ts'
import { isListening, until } from './process.ts'

const PROGRAM = '/usr/sbin/rsyslogd'

/** Debian's rsyslog with its TLS driver; the tests that need it are skipped without. */
export const hasRsyslogd = existsSync(PROGRAM) && existsSync('/usr/lib/x86_64-linux-gnu/rsyslog/lmnsd_gtls.so')

const config = (folder: string, port: number, tls: boolean) => `
global(workDirectory="${folder}" maxMessageSize="16k" defaultNetstreamDriverCAFile="${folder}/ca.pem"
  defaultNetstreamDriverCertFile="${folder}/cert.pem" defaultNetstreamDriverKeyFile="${folder}/key.pem")
module(load="imtcp"${tls ? ' StreamDriver.Name="gtls" StreamDriver.Mode="1" StreamDriver.AuthMode="anon"' : ''})
input(type="imtcp" address="127.0.0.1" port="${port}")
template(name="json" type="list" option.jsonf="on") {
  property(outname="pri" name="pri" format="jsonf")
  property(outname="host" name="hostname" format="jsonf")
  property(outname="app" name="app-name" format="jsonf")
  property(outname="kind" name="msgid" format="jsonf")
  property(outname="data" name="structured-data" format="jsonf")
  property(outname="text" name="msg" format="jsonf")
}
action(type="omfile" file="${folder}/arrived" template="json" flushInterval="1" asyncWriting="off")
`

export type Arrived = { pri: string; host: string; app: string; kind: string; data: string; text: string }

/** Starts a log server of its own on loopback, in a folder that is gone afterwards; it is stopped with the test. */
export async function startRsyslogd(tls: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'rsyslogd-'))
  const authority = createAuthority()
  const issued = authority.issue()
  const port = await freePort()
  writeFileSync(join(folder, 'ca.pem'), authority.certificate)
  writeFileSync(join(folder, 'cert.pem'), issued.cert)
  writeFileSync(join(folder, 'key.pem'), issued.key)
  writeFileSync(join(folder, 'rsyslog.conf'), config(folder, port, tls))
  const start = async () => {
    const given = ['-n', '-f', join(folder, 'rsyslog.conf'), '-i', join(folder, 'pid')]
    const child = spawn(PROGRAM, given, { stdio: 'ignore' })
    await until(() => isListening(port), 20_000)
    return child
  }
  let child = await start()
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }
  onTestFinished(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const arrived = (): Arrived[] => {
    const file = join(folder, 'arrived')
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
    return lines.map((line) => JSON.parse(line) as Arrived)
  }
  const restart = async () => {
    child = await start()
  }
  return { port, ca: authority.certificate, arrived, stop, restart }
}
