import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#shared/rules/durations.ts'
import { addCasApplication } from '../../testing/people.ts'
import { insertPerson, openPortal, type Portal } from '../../testing/portal.ts'
import { insertLoginRecord } from '../../testing/records.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { recountLateRecords, rollUp } from '../statistics/index.ts'

type Found = { records: { id: string }[]; searchedBackTo: string | null; next: string | null }

async function openLog(server: TestServer) {
  const admin = await openPortal(server, { account: 'root', isSuperUser: true })
  await server.platform.sql`delete from login_records`
  const find = (query: Record<string, string>, path = 'login_log') => findAll(admin, query, path)
  return { sql: server.platform.sql, find }
}

async function findAll(page: Portal, query: Record<string, string>, path = 'login_log'): Promise<string[]> {
  const ids: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const all = new URLSearchParams({ ...query, pageSize: '25', ...(after && { after }) })
    const { data }: { data: Found } = await page.call<Found>(`/${path}/query/?${all}`)
    ids.push(...data.records.map(({ id }) => id))
    after = data.next
  }
  return ids
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
  const written: { id: string; entry: string; refusal: string | null; range: string | null }[] = []
  for (let hours = 0; hours < 24 * 20; hours += 9) {
    const entry = hours % 4 === 0 ? 'application' : 'portal'
    const line = {
      id: v7(),
      entry,
      refusal: hours % 5 ? null : 'application.not-granted',
      range: hours % 7 ? null : 'Library',
    }
    const at = new Date(server.platform.now().getTime() - hours * HOUR_MS)
    await sql`
      insert into visit_records (id, at, user_id, application_id, entry, ip, client_type, on_campus, refusal, ip_range)
      values (${line.id}, ${at}, ${person}, ${library}, ${entry}, '192.0.2.7', 'pc', ${hours % 2 > 0}, ${line.refusal}, ${line.range})`
    written.push(line)
  }
  const where = (condition: (line: (typeof written)[number]) => boolean) =>
    written.filter(condition).map(({ id }) => id)
  for (const isCounted of [false, true]) {
    if (isCounted) await rollUp(server.platform)
    const visits = (query: Record<string, string>) => find(query, 'app_visit_log')
    expect(await visits({ entry: 'application' })).toEqual(where(({ entry }) => entry === 'application'))
    expect(await visits({ result: '0' })).toEqual(where(({ refusal }) => refusal !== null))
    expect(await visits({ reason: 'application.not-granted', ipRange: 'Library' })).toEqual(
      where(({ refusal, range }) => refusal !== null && range !== null),
    )
    expect(await visits({ without: 'ipRange=Library', entry: 'portal' })).toEqual(
      where(({ entry, range }) => range === null && entry === 'portal'),
    )
    expect(await visits({ clientType: 'tablet' })).toEqual([])
  }
})

const AMIGA = { device: 'Amiga' }

test('records written up to two days late are found at once, and counted in the next nightly run, however many were missed', async () => {
  const server = await testServer()
  const { sql } = await openLog(server)
  const person = await insertPerson(server)
  const ago = (hours: number) => new Date(server.platform.now().getTime() - hours * HOUR_MS)
  const late: string[] = []
  await insertLoginRecord(server, person, { at: ago(24 * 30) })
  await rollUp(server.platform)
  for (const nights of [1, 1, 6]) {
    server.advance((nights * DAY_MS) / 1000)
    await rollUp(server.platform)
    await recountLateRecords(server.platform)
    server.advance((2 * HOUR_MS) / 1000)
    // Of before the days that the last nightly run has recounted for the last time.
    late.unshift(await insertLoginRecord(server, person, { at: ago(47), ...AMIGA }))
    for (const hours of [0, 2, 20]) {
      server.advance((hours * HOUR_MS) / 1000)
      await rollUp(server.platform)
      const admin = await openPortal(server, { account: `root-${late.length}-${hours}`, isSuperUser: true })
      expect(await findAll(admin, AMIGA), `${nights} nights, ${hours} hours later`).toEqual(late)
    }
  }
  await recountLateRecords(server.platform)
  expect(
    await sql`select sum(succeeded)::int as count from log_hours where facet = 'device' and value = 'Amiga'`,
  ).toEqual([{ count: late.length }])
})

test('records older than the roll-ups are found', async () => {
  const server = await testServer()
  const { sql, find } = await openLog(server)
  const person = await insertPerson(server)
  const at = (days: number) => ({ at: new Date(server.platform.now().getTime() - days * DAY_MS) })
  const ids: string[] = []
  for (const days of [1, 20, 39, 41, 60]) {
    ids.push(await insertLoginRecord(server, person, { ...at(days), ...AMIGA }))
    await insertLoginRecord(server, person, at(days + 0.5))
  }
  await rollUp(server.platform)
  // As each night, with those of more than 400 days.
  await sql`delete from log_hours where hour < ${at(40).at}`
  expect(await find(AMIGA)).toEqual(ids)
  expect(await find({ without: 'device=Windows 11' })).toEqual(ids)
  // Between the roll-ups and the last days only the former are asked.
  await sql`update log_hours set value = 'Lisa' where facet = 'device' and value = 'Amiga'`
  expect(await find(AMIGA)).toEqual([ids[0], ids[3], ids[4]])
})

test('hours that can not be looked up in time are read', async () => {
  const server = await testServer()
  const { sql, find } = await openLog(server)
  const person = await insertPerson(server)
  const now = server.platform.now().getTime()
  const id = await insertLoginRecord(server, person, { at: new Date(now - 5 * DAY_MS), ...AMIGA })
  await insertLoginRecord(server, person, { at: new Date(now - 9 * DAY_MS) })
  await rollUp(server.platform)
  await sql.begin(async (tx) => {
    await tx`lock table log_hours in access exclusive mode`
    expect(await find(AMIGA)).toEqual([id])
  })
})

test('a scoped administrator finds the same where hours are skipped', async () => {
  const server = await testServer()
  await openLog(server)
  const dean = await openPortal(server, { account: 'dean', permissions: [] })
  const { sql } = server.platform
  await sql`delete from login_records`
  const [own, other] = [await insertPerson(server), await insertPerson(server)]
  await sql`
    update users set organization_id = (select organization_id from appointments where user_id = ${dean.user.userId})
    where id = ${own}`
  const now = server.platform.now().getTime()
  const ids: string[] = []
  for (let hours = 0; hours < 24 * 20; hours += 6) {
    const line = { at: new Date(now - hours * HOUR_MS), device: hours % 5 ? 'Windows 11' : 'Amiga' }
    const id = await insertLoginRecord(server, hours % 4 ? other : own, line)
    if (hours % 60 === 0) ids.push(id)
  }
  const query = { ...AMIGA, from: new Date(now - 15 * DAY_MS).toISOString() }
  const first = async () => {
    const all = new URLSearchParams({ ...query, pageSize: '5' })
    const { searchedBackTo, records } = (await dean.call<Found>(`/login_log/query/?${all}`)).data
    return { searchedBackTo, ids: records.map(({ id }) => id) }
  }
  const expected = ids.filter((_, index) => index * 60 <= 15 * 24)
  const before = { all: await findAll(dean, query), first: await first() }
  expect(before.all).toEqual(expected)
  await rollUp(server.platform)
  expect({ all: await findAll(dean, query), first: await first() }).toEqual(before)
  const none = await dean.call<Found>(`/login_log/query/?${new URLSearchParams({ ...query, device: 'Lisa' })}`)
  expect(none.data).toMatchObject({ records: [], next: null, searchedBackTo: null })
})
