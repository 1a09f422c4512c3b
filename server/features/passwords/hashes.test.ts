import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../platform/config.ts'
import type { Platform } from '../../platform/platform.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { hashPassword, importHash, isImportableHash } from './index.ts'

let server: TestServer
let platform: Platform
beforeAll(async () => {
  server = await startTestServer()
  platform = server.platform
})
afterAll(() => server.close())

test('a hash names its algorithm and the real cost, and the same password never gives the same hash', async () => {
  const real = { ...platform, config: { ...platform.config, passwordHashCost: readConfig({}).passwordHashCost } }
  const [one, two] = await Promise.all([hashPassword(real, 'a'), hashPassword(real, 'a')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(two).not.toBe(one)
})

test.each([
  '',
  'plain text',
  '{MD5}123',
  '{SM3}0123456789abcdef',
  '{SSHA}####',
  '{SHA}qUqP5cyxm6YcTAhz05Hph5gvu9M=',
  '$2a$10$tooshort',
  '$2b$04$abcdefghijklmnopqrstuvabcdefghijklmnopqrstuvwxyz01234',
  '$2a$31$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyz0123456',
  '$argon2id$v=19$m=99999999,t=2,p=1$c2FsdHNhbHRzYWx0$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaA',
  '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  '$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaA',
])('%j is not accepted as a password hash', async (text) => {
  expect(isImportableHash(text)).toBe(false)
  await expect(importHash(platform, text)).rejects.toThrow()
})
