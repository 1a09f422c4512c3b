import { expect, test } from 'vitest'
import { beforeCursor } from '../../features/directory-syncs/cursor.rules.ts'
import { quote, sinceOf, textOf } from './columns.rules.ts'

test('a name stays a name, whatever it contains', () => {
  expect(quote('no] from x; drop table y --')).toBe('[no]] from x; drop table y --]')
})

test.each([
  // A type, a sample of its text, and from where the next run reads.
  ['datetime', '2026-11-26T08:00:00.123', 'convert(datetime, @since, 126)', '2026-11-26T07:50:00'],
  ['datetime2', '2026-11-26T08:00:00.1234567', 'convert(datetime2, @since, 126)', '2026-11-26T07:50:00'],
  ['datetimeoffset', '2026-11-26T08:00:00.1+08:00', 'convert(datetimeoffset, @since)', '2026-11-26T07:50:00+08:00'],
  ['date', '2026-11-26', 'convert(date, @since, 23)', '2026-11-26'],
  ['bigint', '5000', 'convert(bigint, @since)', '4000'],
  ['timestamp', '5000', 'convert(binary(8), convert(bigint, @since))', '4000'],
])('%s is a change column', (type, latest, text, since) => {
  expect(sinceOf({ type }, beforeCursor(latest) ?? '')).toEqual({ text, since })
})

test('a type without an order of its own as text is read as something ordered', () => {
  expect(textOf({ name: 'rv', type: 'timestamp' })).toBe('convert(nvarchar(20), convert(bigint, [rv]))')
  expect(textOf({ name: 'no', type: 'float' })).toContain('format(')
  expect(textOf({ name: 'no', type: 'nvarchar Chinese_PRC_CI_AS' })).toBe('convert(nvarchar(max), [no])')
})
