import { expect, onTestFinished, test } from 'vitest'
import type { BookSync } from '#shared/contract/address-books.ts'
import { BookWorld, OPEN } from '../../testing/address-books.ts'
import { messagesTo } from '../../testing/messages.ts'
import { addPerson } from '../../testing/people.ts'
import { startDueBooks } from './index.ts'

const books = new BookWorld({ env: { DEMO: '1' } })

const HOURLY = { schedule: { cron: '0 * * * *', zone: 'Asia/Shanghai' } }
/** Runs the timed job of each minute. @returns the last run. */
async function tick(sync: BookSync) {
  await startDueBooks(books.server.platform)
  const [last] = await books.runs(sync)
  return last && (await books.settled(last.id))
}
const pause = (isPaused: boolean) => books.root.call('/directory_sync_switch/update/', { body: { isPaused } })

test('a scheduled sync runs when it is due, and not while all syncs are paused', async () => {
  const sync = await books.filledSync('qywx', HOURLY)
  expect(sync.nextRunAt).not.toBe(null)
  const count = async () => (await books.runs(sync)).length
  await tick(sync)
  expect(await count()).toBe(1)
  await books.changeHere(1, { name: 'By the clock' })
  await books.advance(3600)
  expect(await tick(sync)).toMatchObject({ state: 'done', startedBy: null, counts: { changed: 1 } })
  expect(books.there(1)?.name).toBe('By the clock')
  await tick(sync)
  expect(await count()).toBe(2)
  await pause(true)
  await books.advance(3600)
  await tick(sync)
  expect(await count()).toBe(2)
  await pause(false)
  await tick(sync)
  expect(await count()).toBe(2)
  await books.advance(3600)
  expect(await tick(sync)).toMatchObject({ state: 'done', counts: { unchanged: 4 } })
})

test('a sync that is due during another run starts shortly after', async () => {
  const sync = await books.filledSync('qywx', HOURLY)
  const [run] = await books.runs(sync)
  await books.sql`update book_runs set state = 'applying' where id = ${run?.id ?? ''}`
  // By the server's clock, which these tests move.
  const alive = new Date(books.server.platform.now().getTime() + 7_200_000)
  await books.sql`
    update background_tasks set state = 'running', runner = gen_random_uuid(), heartbeat_at = ${alive}
    where id = (select task_id from book_runs where id = ${run?.id ?? ''})`
  await books.advance(3600)
  await startDueBooks(books.server.platform)
  const [next] = await books.sql<{ at: Date }[]>`select next_run_at as at from book_syncs where id = ${sync.id}`
  const left = (next?.at.getTime() ?? 0) - books.server.platform.now().getTime()
  expect(left).toBeLessThanOrEqual(120_000)
  expect(left).toBeGreaterThan(60_000)
  expect(await books.runs(sync)).toHaveLength(1)
  // Frees the vendor for the other tests.
  await books.sql`update book_runs set state = 'done' where id = ${run?.id ?? ''}`
  await books.sql`update background_tasks set state = 'done' where runner is not null and heartbeat_at = ${alive}`
})

test('the people responsible are notified once of a run that waits or failed, with what has been written', async () => {
  const mailbox = `${books.account(90)}@example.edu`
  const boss = await addPerson(books.server, { account: books.account(90), name: 'Boss', isSuperUser: true, mailbox })
  const sync = await books.newSync('qywx', { responsibleIds: [boss] })
  expect(sync.responsible).toEqual([{ id: boss, account: books.account(90), name: 'Boss' }])
  const told = async () => {
    const [row] = await books.sql<{ n: number }[]>`
      select count(*)::int as n from messages where template = 'notice.sync-held' and user_id = ${boss}`
    return row?.n
  }
  await books.run(sync, true)
  expect(await told()).toBe(0)
  const held = await books.run(sync)
  expect(await told()).toBe(1)
  const [first] = await messagesTo(books.server, mailbox)
  expect(first?.subject).toContain(sync.name)
  expect(first?.text).toContain(`/manage/exterPhone-sync/${sync.id}`)
  books.vendor.book.isWritable = false
  expect(await books.decide('approve', held)).toMatchObject({ state: 'failed' })
  expect(await told()).toBe(2)
  const mails = await messagesTo(books.server, mailbox, 2)
  expect(mails.filter(({ text }) => /Nothing has been written yet|尚未写入/.test(text))).toHaveLength(1)
})

test('a bad schedule, a responsible person who is no super user, a missing or repeated department and a missing category are named', async () => {
  const somebody = await addPerson(books.server, { account: books.account(91), name: 'Somebody' })
  const gone = '019f0000-0000-7000-8000-000000000000'
  const top = { organizationId: books.top, departmentId: 1 }
  const refused = async (more: object) => {
    const { envelope } = await books.root.call<{ fields: (string | { field: string })[] }>('/book_sync/create/', {
      body: await books.fieldsOf('qywx', { ...OPEN, ...more }),
    })
    return [envelope.code, envelope.data?.fields.map((one) => (typeof one === 'string' ? one : one.field))]
  }
  expect([
    await refused({ schedule: { cron: '61 * * * *', zone: 'Asia/Shanghai' } }),
    await refused({ schedule: { cron: '0 * * * *', zone: 'Mars/Base' } }),
    await refused({ responsibleIds: [somebody] }),
    await refused({ roots: [top, { organizationId: gone, departmentId: 1 }] }),
    await refused({ roots: [top, { ...top, departmentId: 2 }] }),
    await refused({ categoryIds: [gone] }),
  ]).toEqual([
    ['directory-sync.bad-schedule', ['cron']],
    ['directory-sync.bad-zone', ['zone']],
    ['directory-sync.not-responsible', ['responsibleIds']],
    ['book-sync.no-root', ['roots.1.organizationId']],
    ['request.invalid', ['roots.1.organizationId']],
    ['book-sync.no-category', ['categoryIds']],
  ])
})

test('an interrupted run of which nobody can be told keeps no other sync from starting', async () => {
  const { sql } = books
  const mailbox = `${books.account(92)}@example.edu`
  const boss = await addPerson(books.server, { account: books.account(92), name: 'Boss', isSuperUser: true, mailbox })
  const broken = await books.newSync('dingding', { name: 'Broken', responsibleIds: [boss] })
  const held = await books.run(broken)
  const sync = await books.filledSync('qywx', HOURLY)
  await sql`update book_runs set state = 'applying' where id = ${held.id}`
  const stored = () => sql`select state from book_runs where id = ${held.id}`
  onTestFinished(async () => void (await sql`drop function if exists refuse cascade`))
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$;
    create trigger refuse before insert on messages for each row execute function refuse()`)
  await books.advance(3600)
  await startDueBooks(books.server.platform)
  const [last, ...former] = await books.runs(sync)
  expect(former).toHaveLength(1)
  expect(last && (await books.settled(last.id))).toMatchObject({ state: 'done', startedBy: null })
  expect(await stored()).toEqual([{ state: 'applying' }])
  await sql`drop function refuse cascade`
  await startDueBooks(books.server.platform)
  expect(await stored()).toEqual([{ state: 'failed' }])
})
