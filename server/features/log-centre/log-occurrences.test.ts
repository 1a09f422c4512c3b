import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { HOUR_MS } from '#shared/rules/durations.ts'
import { addCasApplication } from '../../testing/people.ts'
import { insertPerson, openPortal } from '../../testing/portal.ts'
import { insertLoginRecord } from '../../testing/records.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { rollUp } from '../statistics/index.ts'

type Found = { records: { id: string }[]; searchedBackTo: string | null; next: string | null }

async function openLog(server: TestServer) {
  const admin = await openPortal(server, { account: 'root', isSuperUser: true })
  await server.platform.sql`delete from login_records`
  const find = async (query: Record<string, string>, path = 'login_log') => {
    const ids: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const all = new URLSearchParams({ ...query, pageSize: '25', ...(after && { after }) })
      const { data }: { data: Found } = await admin.call<Found>(`/${path}/query/?${all}`)
      ids.push(...data.records.map(({ id }) => id))
      after = data.next
    }
    return ids
  }
  return { sql: server.platform.sql, find }
}

/** Each value with the logins that have it, and what finds the others. */
const VALUES = [
  ['browser', 'Netscape 4'],
  ['device', 'Amiga'],
  ['clientType', 'tablet'],
  ['authType', 'qq'],
] as const

test('what counted hours have no record of is not read, and everything else is found', async () => {
  const server = await testServer()
  const { sql, find } = await openLog(server)
  const person = await insertPerson(server)
  const now = server.platform.now().getTime()
  const all: string[] = []
  const rare = new Map<string, string[]>()
  const library = await addCasApplication(server, { appId: 'library' })
  const rule = v7()
  for (let hours = 0; hours < 24 * 20; hours += 7) {
    const [name, value] = VALUES[hours % VALUES.length] ?? VALUES[0]
    const isRare = hours % 5 === 0
    const common = { browser: 'Chrome 140', device: 'Windows 11', applicationId: library }
    const id = await insertLoginRecord(server, person, {
      ...common,
      ...(isRare && { [name]: value }),
      at: new Date(now - hours * HOUR_MS),
    })
    if (isRare) rare.set(name, [...(rare.get(name) ?? []), id])
    if (hours % 3 === 0) {
      const said = JSON.stringify([{ rule, name: 'At night', outcome: 'notify', mode: 'report' }])
      await sql`update login_records set second_factor = 'totp', rule_outcomes = ${said}::text::jsonb where id = ${id}`
      rare.set('factor', [...(rare.get('factor') ?? []), id])
    }
    all.push(id)
  }
  const asked = async () => {
    for (const [name, value] of VALUES) {
      const having = rare.get(name) ?? []
      expect(await find({ [name]: value }), name).toEqual(having)
      const others = all.filter((id) => !having.includes(id))
      expect(await find({ without: `${name}=${value}` }), `without ${name}`).toEqual(others)
    }
    const proved = rare.get('factor') ?? []
    for (const query of [{ factor: 'totp' }, { without: 'factor=none' }, { rule }, { ruleOutcome: 'would-notify' }])
      expect(await find(query), JSON.stringify(query)).toEqual(proved)
    expect(await find({ authType: 'third-party' })).toEqual(rare.get('authType'))
    expect(await find({ factor: 'none', result: '1', applicationId: library.toUpperCase() })).toEqual(
      all.filter((id) => !proved.includes(id)),
    )
    const both = proved.filter((id) => rare.get('device')?.includes(id))
    expect(await find({ device: 'Amiga', factor: 'totp' })).toEqual(both)
    expect(await find({ ruleOutcome: 'notify' })).toEqual([])
    expect(await find({ result: '0' })).toEqual([])
  }
  await asked()
  await rollUp(server.platform)
  await asked()
  // The hours of it are known, so that others are not read, whatever is in them.
  await sql`update login_records set browser = 'Netscape 4' where at < ${new Date(now - 100 * HOUR_MS)}`
  expect(await find({ browser: 'Netscape 4' })).toEqual(rare.get('browser'))
  // Those of the last two days may be counted only at night.
  await sql`update login_records set device = 'Lisa'`
  expect(await find({ device: 'Lisa' })).toEqual(all.filter((_, index) => index * 7 < 48))
})

test('visits that hardly any hour has are found in those, before and after they are counted', async () => {
  const server = await testServer()
  const { sql, find } = await openLog(server)
  const person = await insertPerson(server)
  const library = await addCasApplication(server, { appId: 'library' })
  const written: { id: string; way: string; refusal: string | null; range: string | null }[] = []
  for (let hours = 0; hours < 24 * 20; hours += 9) {
    const way = hours % 4 === 0 ? 'application' : 'portal'
    const line = {
      id: v7(),
      way,
      refusal: hours % 5 ? null : 'application.not-granted',
      range: hours % 7 ? null : 'Library',
    }
    const at = new Date(server.platform.now().getTime() - hours * HOUR_MS)
    await sql`
      insert into visit_records (id, at, user_id, application_id, way, ip, client_type, on_campus, refusal, ip_range)
      values (${line.id}, ${at}, ${person}, ${library}, ${way}, '192.0.2.7', 'pc', ${hours % 2 > 0}, ${line.refusal}, ${line.range})`
    written.push(line)
  }
  const where = (condition: (line: (typeof written)[number]) => boolean) =>
    written.filter(condition).map(({ id }) => id)
  for (const isCounted of [false, true]) {
    if (isCounted) await rollUp(server.platform)
    const visits = (query: Record<string, string>) => find(query, 'app_visit_log')
    expect(await visits({ way: 'application' })).toEqual(where(({ way }) => way === 'application'))
    expect(await visits({ result: '0' })).toEqual(where(({ refusal }) => refusal !== null))
    expect(await visits({ reason: 'application.not-granted', ipRange: 'Library' })).toEqual(
      where(({ refusal, range }) => refusal !== null && range !== null),
    )
    expect(await visits({ without: 'ipRange=Library', way: 'portal' })).toEqual(
      where(({ way, range }) => range === null && way === 'portal'),
    )
    expect(await visits({ clientType: 'tablet' })).toEqual([])
  }
})
