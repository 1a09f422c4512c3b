import { expect, test } from 'vitest'
import { type IpRangeImportReport, MAX_IP_RANGES } from '#shared/contract/ip-ranges.ts'
import { openPortal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'

const place = (at: number) => `10.${at >> 8}.${at & 255}`
const file = (rows: readonly string[]) => ['name,kind,networks', ...rows].join('\n')
/** One around all others, which are networks of their own. */
const FULL = [
  'Campus,campus,10.0.0.0/8',
  ...Array.from({ length: MAX_IP_RANGES - 1 }, (_, at) => `Room ${at},other,${place(at)}.0/24`),
]
/** However many rows there are. */
const MAX_STATEMENTS = 60

test('as many ranges as there may be are imported in few statements, and the smallest network decides among them', async () => {
  let statements = 0
  // Of the import: the server polls its queues meanwhile.
  const onStatement = (text: string) => {
    if (/ip_ranges|audit_records/.test(text)) statements += 1
  }
  const server = await testServer({ onStatement })
  const root = await openPortal(server, { isSuperUser: true })
  const send = async (verb: 'check' | 'run', rows: readonly string[]) => {
    const form = new FormData()
    form.set('file', new File([file(rows)], 'ranges.csv'))
    statements = 0
    const { data, envelope } = await root.call<IpRangeImportReport>(`/ip_range/import/${verb}/`, { body: form })
    expect(statements).toBeGreaterThan(0)
    expect(statements).toBeLessThan(MAX_STATEMENTS)
    return envelope.state === 200 ? data.counts : envelope.code
  }
  const lookUp = async (ip: string) => {
    const { data } = await root.call<{ onCampus: boolean; matches: { name: string }[] }>(`/ip_range/lookup/?ip=${ip}`)
    return [data.onCampus, ...data.matches.map(({ name }) => name)]
  }
  const none = { new: 0, changed: 0, unchanged: 0, refused: 0 }
  expect(await send('check', FULL)).toEqual({ ...none, new: MAX_IP_RANGES })
  expect(await send('run', FULL)).toEqual({ ...none, new: MAX_IP_RANGES })
  expect(await lookUp(`${place(0)}.7`)).toEqual([false, 'Room 0', 'Campus'])
  expect(await lookUp(`${place(MAX_IP_RANGES - 2)}.7`)).toEqual([false, `Room ${MAX_IP_RANGES - 2}`, 'Campus'])
  expect(await lookUp(`${place(MAX_IP_RANGES)}.7`)).toEqual([true, 'Campus'])
  expect(await lookUp('203.0.113.1')).toEqual([false])
  // Every range is changed, and the one more is refused.
  expect(
    await send(
      'run',
      FULL.map((row) => row.replace(',other,', ',trusted,')),
    ),
  ).toEqual({
    ...none,
    changed: MAX_IP_RANGES - 1,
    unchanged: 1,
  })
  expect(await send('run', ['One more,other,203.0.113.0/24'])).toBe('ip-range.too-many')
  expect(await lookUp('203.0.113.1')).toEqual([false])
})
