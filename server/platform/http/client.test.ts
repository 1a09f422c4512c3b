import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { clientOf } from './client.ts'

const ipOf = (ip: string | undefined, remoteAddress: string | undefined): string =>
  clientOf({ id: 'x', ip, socket: { remoteAddress }, headers: {} } as unknown as FastifyRequest).ip

test('the address of a caller is bare, and that of one who has hung up is none', () => {
  expect(ipOf('::ffff:203.0.113.7', undefined)).toBe('203.0.113.7')
  expect(ipOf('unknown', '198.51.100.2')).toBe('198.51.100.2')
  expect(ipOf(undefined, undefined)).toBe('0.0.0.0')
})
