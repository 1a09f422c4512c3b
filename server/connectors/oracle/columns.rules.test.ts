import { expect, test } from 'vitest'
import { beforeCursor } from '../../features/directory-syncs/cursor.rules.ts'
import { quote, sinceOf, textOf } from './columns.rules.ts'

test('a name stays a name, whatever it contains', () => {
  expect(quote('NO" from x --')).toBe('"NO from x --"')
})

test.each([
  // A type, its select expression, a sample value, from where the next run reads, and how that is compared.
  [
    'DATE',
    `to_char("C", 'YYYY-MM-DD HH24:MI:SS')`,
    ...['2026-11-26 08:00:00', '2026-11-26 07:50:00', `to_date(:since, 'YYYY-MM-DD HH24:MI:SS')`],
  ],
  [
    'TIMESTAMP(6)',
    `to_char("C", 'YYYY-MM-DD HH24:MI:SS.FF6')`,
    ...['2026-11-26 08:00:00.123456', '2026-11-26 07:50:00', `to_timestamp(:since, 'YYYY-MM-DD HH24:MI:SS')`],
  ],
  [
    'TIMESTAMP(6) WITH TIME ZONE',
    `to_char("C", 'YYYY-MM-DD HH24:MI:SS.FF6TZH:TZM')`,
    ...['2026-11-26 08:00:00.123456+08:00', '2026-11-26 07:50:00+08:00'],
    `to_timestamp_tz(:since, 'YYYY-MM-DD HH24:MI:SSTZH:TZM')`,
  ],
  ['NUMBER', '"C"', '5000', '4000', 'to_number(:since)'],
])('%s is a change column', (type, text, latest, since, read) => {
  expect(textOf({ name: 'C', type })).toBe(text)
  expect(beforeCursor(latest)).toBe(since)
  expect(sinceOf({ type })).toBe(read)
})
