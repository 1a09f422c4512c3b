import { expect, test } from 'vitest'
import { textToSign, WEB_APP_KEY } from '#shared/contract/signature.ts'
import { randomUuid, signRequest, softwareHmac } from './signing.ts'

const query = new URLSearchParams({ uuids: 'b', search: '图书 馆&x', 'a b': '1' })
const parts = ['1700000000000', 'POST', '/auth_service/app_visit/save/', query, '{"appId":"图书馆"}'] as const
const encoder = new TextEncoder()
const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

test('the library for browsers without crypto.subtle (plain http off localhost) computes HMAC-SHA-256', async () => {
  // RFC 4231, test case 2.
  const bytes = await softwareHmac(encoder.encode('Jefe'), encoder.encode('what do ya want for nothing?'))
  expect(hex(bytes)).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
})

test('both implementations sign a call alike, whatever the script of its values', async () => {
  const bytes = await softwareHmac(encoder.encode(WEB_APP_KEY), encoder.encode(textToSign(...parts)))
  expect(await signRequest(...parts)).toBe(hex(bytes).toUpperCase())
})

test('every request gets a unique v4 UUID', () => {
  const names = Array.from({ length: 1000 }, randomUuid)
  expect(new Set(names).size).toBe(1000)
  for (const name of names)
    expect(name).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
