import { expect, test } from 'vitest'
import { createAuthority } from '../../testing/authority.ts'
import { openSyslogSink } from '../../testing/log-sinks.ts'
import type { LogSinkDestination } from './log-sink.types.ts'
import { sendBySyslog } from './syslog.service.ts'

const SILENCE_MS = 50
const BATCH = { records: [{ log: 'test', id: '1', at: '2026-01-01T00:00:00Z' }], sender: 'portal' } as const

async function problemOf(destination: Partial<LogSinkDestination>): Promise<unknown> {
  const whole = {
    host: '127.0.0.1',
    port: 0,
    tls: 'off',
    ca: '',
    facility: 10,
    url: '',
    secret: '',
    ...destination,
  } as const
  return await sendBySyslog(whole, BATCH, SILENCE_MS).then(
    () => null,
    ({ problem }) => problem,
  )
}

test('a receiver that hangs is named as silent, also while encryption begins, and not as one with a bad certificate', async () => {
  const { port } = Object.assign(await openSyslogSink(), { mood: 'silent' })
  expect(await problemOf({ port })).toBe('timeout')
  expect(await problemOf({ port, tls: 'verify' })).toBe('timeout')
  const encrypted = await openSyslogSink(createAuthority().issue())
  expect(await problemOf({ port: encrypted.port, tls: 'verify' })).toBe('certificate')
})
