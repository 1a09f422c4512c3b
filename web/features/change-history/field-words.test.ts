import i18next from 'i18next'
import { beforeAll, expect, test, vi } from 'vitest'
import type { z } from 'zod'
import { BookSyncFields } from '#shared/contract/address-books.ts'
import { DirectorySyncFields } from '#shared/contract/directory-syncs.ts'
import { LogStreamFields } from '#shared/contract/log-streams.ts'
import en from '#shared/locales/en.json' with { type: 'json' }
import { choiceText, fieldLabel } from './field-words.ts'

// A page knows its address.
vi.hoisted(() => vi.stubGlobal('location', new URL('https://portal.test/')))

beforeAll(async () => {
  const shipped = { lng: 'en', resources: { en: { translation: en } } }
  await i18next.init({ ...shipped, keySeparator: false, nsSeparator: false, interpolation: { escapeValue: false } })
})

const kinds: [string, z.ZodObject][] = [
  ['log-stream', LogStreamFields],
  ['book-sync', BookSyncFields],
  ['directory-sync', DirectorySyncFields],
]

test.each(kinds)('each field of a %s has a name in words', (kind, { shape }) => {
  const fields = Object.keys(shape)
  expect(fields.length).toBeGreaterThan(10)
  expect(fields.filter((field) => fieldLabel(kind, field) === field)).toEqual([])
})

test('fields and choices are worded as in their forms', () => {
  expect(fieldLabel('log-stream', 'host')).toBe('Host')
  expect(fieldLabel('log-stream', 'secret')).toBe('Signing secret')
  expect(fieldLabel('log-stream', 'ca')).toBe('Custom certificate authority')
  expect(fieldLabel('settings', 'host')).toBe('Server')
  expect(choiceText('log-stream', 'kind', 'https')).toBe('HTTPS endpoint')
  expect(choiceText('log-stream', 'tls', 'off')).toBe('None')
  expect(fieldLabel('book-sync', 'mode')).toBe('Mode')
  expect(fieldLabel('book-sync', 'cosId', 'coremail.cosId')).toBe('Class of service ID (cos_id)')
  expect(fieldLabel('scim-client', 'callsPerMinute')).toBe('Requests per minute')
  expect(fieldLabel('scim-client', 'moved', 'changedLastDay.moved')).toBe('Moved')
  expect(choiceText('book-sync', 'vendor', 'exmail')).toBe('Tencent Exmail')
  expect(fieldLabel('book-sync', 'departmentId', 'roots.departmentId')).toBe('Department ID there')
  expect(fieldLabel('directory-sync', 'missing', 'thresholds.missing')).toBe('Missing people exceed (%)')
  expect(choiceText('directory-sync', 'leavers.action', 'freeze')).toBe('Freeze')
})
