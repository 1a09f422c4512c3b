import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { LOG_STREAM_PROBLEMS, type LogStream, type LogStreamProblem } from '#shared/contract/log-streams.ts'
import en from '#shared/locales/en.json' with { type: 'json' }
import { createAuthority } from '../../testing/authority.ts'
import { freePort } from '../../testing/free-port.ts'
import { openBatchSink, openSyslogSink } from '../../testing/log-sinks.ts'
import { openPortal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'

const SECRET = 'a secret of the collector'
const syslog = (port: number, more: object = {}) => ({ kind: 'syslog', host: '127.0.0.1', port, tls: 'off', ...more })
const https = (url: string) => ({ kind: 'https', url, secret: SECRET })

const problemOf = async (fields: object, fetch?: typeof globalThis.fetch) => (await tested(fields, fetch)).problem

async function tested(fields: object, fetch?: typeof globalThis.fetch) {
  const server = await testServer(fetch && { fetch })
  const root = await openPortal(server, { isSuperUser: true, account: 'root' })
  const { data } = await root.call<LogStream>('/log_stream/create/', {
    body: { name: 'Collector', logs: ['login'], ...fields },
  })
  type Tested = { problem: LogStreamProblem | null; words: string | null }
  return (await root.call<Tested>(`/log_stream/${data.id}/test/`, { body: {} })).data
}

test('each way in which a receiver can be away is told apart, for syslog', async () => {
  const sink = await openSyslogSink(createAuthority().issue())
  expect(await problemOf(syslog(await freePort()))).toBe('connection-refused')
  expect(await problemOf(syslog(514, { host: '169.254.169.254' }))).toBe('forbidden-address')
  expect(await problemOf(syslog(sink.port, { tls: 'verify' }))).toBe('certificate')
})

test('each way in which a receiver can be away is told apart, for an endpoint', async () => {
  const sink = await openBatchSink(SECRET)
  expect(await problemOf(https(`https://127.0.0.1:${await freePort()}/`))).toBe('connection-refused')
  const noSuchName = () =>
    Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('no name'), { code: 'ENOTFOUND' }) }))
  expect(await problemOf(https(sink.url), noSuchName)).toBe('no-such-host')
  expect(await problemOf(https('https://169.254.169.254/'))).toBe('forbidden-address')
  expect(await problemOf(https(sink.url.replace('http:', 'https:')))).toBe('no-encryption')
  const tooSlow = () => Promise.reject(new DOMException('late', 'TimeoutError'))
  expect(await problemOf(https(sink.url), tooSlow)).toBe('timeout')
  sink.status = 503
  expect(await problemOf(https(sink.url))).toBe('refused')
  const mailServer = createServer((socket) => socket.end('220 mail.example.edu ESMTP\r\n')).listen(0, '127.0.0.1')
  onTestFinished(() => void mailServer.close())
  await once(mailServer, 'listening')
  const { port } = mailServer.address() as AddressInfo
  expect(await problemOf(https(`http://127.0.0.1:${port}/`))).toBe('bad-answer')
})

test('what Node advises about certificates is for nobody who reads the page', async () => {
  const words = 'unable to verify the first certificate'
  const advice = 'if the root CA is installed locally, try running Node.js with --use-system-ca'
  const cause = Object.assign(new Error(`${words}; ${advice}`), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
  const distrusting = () => Promise.reject(new TypeError('fetch failed', { cause }))
  expect(await tested(https('https://collector.test/'), distrusting)).toEqual({ problem: 'certificate', words })
})

test('each problem has a sentence of its own', () => {
  const sentences = LOG_STREAM_PROBLEMS.map((problem) => en[`log-stream-problem.${problem}`])
  expect(new Set(sentences).size).toBe(LOG_STREAM_PROBLEMS.length)
})
