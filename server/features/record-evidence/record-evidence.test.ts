import { createPublicKey, verify } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#shared/rules/durations.ts'
import { systemContext } from '../../platform/platform.ts'
import { insertPerson } from '../../testing/portal.ts'
import { insertAuditRecord, insertLoginRecord } from '../../testing/records.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { sealRecords, verifyRecords } from './index.ts'

let server: TestServer
let ids: string[]
const ago = (hours: number) => new Date(server.platform.now().getTime() - hours * HOUR_MS)
const findings = async () =>
  (await verifyRecords(systemContext(server.platform))).findings.map(({ log, kind, sealed, found }) => ({
    log,
    kind,
    sealed,
    found,
  }))

let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'records-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  server = await testServer({ env: { RECORD_ARCHIVE_DIR: dir } })
  const person = await insertPerson(server)
  ids = []
  for (const hours of [30, 30, 5, 5, 5]) ids.push(await insertLoginRecord(server, person, { at: ago(hours) }))
  await sealRecords(server.platform)
})

test('completed hours are sealed, once, also empty ones, and unmodified records verify', async () => {
  const { sql } = server.platform
  const entries = () => sql<{ rows: number }[]>`select rows from record_chain where log = 'login' order by until`
  const before = await entries()
  expect(before.length).toBeGreaterThanOrEqual(28)
  expect(before.filter(({ rows }) => rows > 0).map(({ rows }) => rows)).toEqual([2, 3])
  await sealRecords(server.platform)
  expect(await entries()).toHaveLength(before.length)
  // A logout is written into its login record later.
  await sql`update login_records set logout_at = now()`
  expect(await findings()).toEqual([])
  server.advance(3 * 3600)
  await sealRecords(server.platform)
  expect(await entries()).toHaveLength(before.length + 3)
  expect(await findings()).toEqual([])
})

test('a folder that can not be written to keeps no log from being sealed, and the run fails', async () => {
  await insertAuditRecord(server, await insertPerson(server))
  server.advance(3 * 3600)
  await rm(dir, { recursive: true })
  await writeFile(dir, 'not a folder')
  await expect(sealRecords(server.platform)).rejects.toThrow('EEXIST')
  const logs = await server.platform.sql`select distinct log from record_chain where until > ${ago(3)} order by log`
  expect(logs.map(({ log }) => log)).toEqual(expect.arrayContaining(['audit', 'login']))
})

test('a log that can not be sealed keeps no other from being sealed and published, and the run fails', async () => {
  const { sql } = server.platform
  await insertAuditRecord(server, await insertPerson(server), { at: ago(3) })
  await sql`
    create function refuse_login_links() returns trigger language plpgsql as $$
    begin raise exception 'no room for the links of logins'; end $$`
  await sql`
    create trigger refuse_login_links before insert on record_chain for each row when (new.log = 'login')
    execute function refuse_login_links()`
  server.advance(5 * 3600)
  const before = (await readLines()).length
  await expect(sealRecords(server.platform)).rejects.toThrow('no room for the links of logins')
  const seals = (await readLines()).slice(before).map((line) => JSON.parse(line) as Record<string, string>)
  const [newest] = await sql<{ until: Date }[]>`select max(until) as until from record_chain where log = 'audit'`
  expect(newest?.until.getTime()).toBeGreaterThan(ago(3).getTime())
  expect(seals).toMatchObject([{ log: 'audit', until: newest?.until.toISOString() }])
})

test('after an outage the logs catch up in turns, and a run that is over continues in the next', async () => {
  await insertAuditRecord(server, await insertPerson(server), { at: ago(30) })
  server.advance(24 * 3600)
  const sealed = async () => {
    const { sql } = server.platform
    const rows = await sql<{ log: string; count: number }[]>`
      select log, count(*)::int as count from record_chain group by log`
    return Object.fromEntries(rows.map(({ log, count }) => [log, count]))
  }
  const { login = 0, audit = 0 } = await sealed()
  let turns = 0
  await sealRecords(server.platform, () => ++turns === 5)
  expect(await sealed()).toMatchObject({ login: login + 5, audit: audit + 5 })
  await sealRecords(server.platform)
  expect(await sealed()).toMatchObject({ login: login + 24 })
  expect(await findings()).toEqual([])
})

test.each([
  ['changed', 'update login_records set succeeded = false', { sealed: 3, found: 3 }],
  ['changed', "update login_records set ip = '203.0.113.9'", { sealed: 3, found: 3 }],
  ['missing', 'delete from login_records', { sealed: 3, found: 2 }],
])('a record that a database administrator edits or removes is detected: %s by %s', async (kind, statement, rows) => {
  await server.platform.sql.unsafe(`${statement} where id = $1`, [ids[4] ?? ''])
  expect(await findings()).toEqual([{ log: 'login', kind, ...rows }])
})

test('a record inserted later is detected, in an empty hour and before all others too', async () => {
  const person = await insertPerson(server)
  await insertLoginRecord(server, person, { at: ago(20) })
  await insertLoginRecord(server, person, { at: ago(100) })
  expect(await findings()).toEqual([
    { log: 'login', kind: 'inserted', sealed: 0, found: 1 },
    { log: 'login', kind: 'inserted', sealed: 0, found: 1 },
  ])
})

test('the chain can neither be rewritten nor shortened with access to the database only', async () => {
  const { sql } = server.platform
  await sql`update login_records set account = 'other' where id = ${ids[4] ?? ''}`
  const wrong = await verifyRecords(systemContext(server.platform))
  expect(wrong.findings).toHaveLength(1)
  const hour = wrong.findings[0]?.until ?? new Date()
  await sql`
    update record_chain c set digest = encode(sha256(convert_to(p.digest || l.lines, 'UTF8')), 'hex')
    from record_chain p, (
      select string_agg(encode(sha256(convert_to(jsonb_strip_nulls(to_jsonb(r) - 'logout_at')::text, 'UTF8')), 'hex'), '' order by at, id)
        as lines from login_records r where at >= ${new Date(hour.getTime() - HOUR_MS)} and at < ${hour}
    ) l where c.log = 'login' and c.until = ${hour} and p.log = 'login' and p.until = ${new Date(hour.getTime() - HOUR_MS)}`
  expect((await findings()).map(({ kind }) => kind)).toContain('seal')
  await sql`delete from record_chain where log = 'login' and until = ${hour}`
  expect((await findings()).map(({ kind }) => kind)).toContain('gap')
})

test('months whose retention is over are not reported as missing', async () => {
  const { sql } = server.platform
  server.advance(470 * (DAY_MS / 1000))
  await sql`delete from login_records`
  expect(await findings()).toEqual([])
})

const readLines = async () => (await readFile(join(dir, 'seals.jsonl'), 'utf8')).trim().split('\n')

test('the newest seal of each log is stored outside the database, signed for holders of the public key', async () => {
  const seals = (await readLines()).map((line) => JSON.parse(line) as Record<string, string>)
  const login = seals.find(({ log }) => log === 'login')
  const text = ['log', 'until', 'rows', 'previous', 'digest'].map((name) => login?.[name]).join(' ')
  const key = createPublicKey(server.platform.secrets.publicKey())
  expect(verify(null, Buffer.from(text), key, Buffer.from(login?.['signature'] ?? '', 'base64'))).toBe(true)
  expect(await findings()).toEqual([])
})

test('an end cut off together with its seals is detected by the file of seals, and so is a forged line of that file', async () => {
  await server.platform.sql`delete from record_chain where log = 'login' and until > ${ago(10)}`
  await server.platform.sql`delete from login_records where at > ${ago(10)}`
  await sealRecords(server.platform)
  expect(new Set((await findings()).map(({ kind }) => kind))).toEqual(new Set(['rewritten']))
  const lines = await readLines()
  const forged = lines.map((line) => line.replace(/"digest":"[^"]+"/, `"digest":"${'0'.repeat(64)}"`))
  await writeFile(join(dir, 'seals.jsonl'), `${forged.join('\n')}\n{"log":`)
  const kinds = (await findings()).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'file')).toHaveLength(forged.length + 1)
})
