import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { errors } from '../errors.ts'
import { logFailure } from './responses.ts'

test('a log line about errors in an outage names the latest reason, and their number', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: unknown[] = []
  const log = { error: (line: unknown) => void lines.push(line) } as unknown as FastifyBaseLogger
  const refuse = (error: unknown) => logFailure({ log }, {} as FastifyRequest, error, 'request failed')
  refuse(errors['service.unavailable']({ retryAfter: 2 }))
  refuse(Object.assign(new Error('no room'), { code: '53100' }))
  refuse(Object.assign(new Error('no room'), { code: '53100' }))
  vi.advanceTimersByTime(3000)
  refuse(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
  expect(lines).toMatchObject([
    { code: 'service.unavailable', refused: 1 },
    { code: '53100', reason: 'no room', refused: 2 },
    { code: 'ECONNREFUSED', refused: 1 },
  ])
})
