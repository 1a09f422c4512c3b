import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '#shared/rules/durations.ts'
import { SyncWorld } from '../../testing/directory-syncs.ts'
import { messagesTo } from '../../testing/messages.ts'
import { addPerson } from '../../testing/people.ts'
import { startEventSyncs } from './index.ts'

const syncs = new SyncWorld({ env: { DEMO: '1' } })

const noticesTo = async (userId: string) =>
  await syncs.sql<{ n: number }[]>`
    select count(*)::int as n from messages where template = 'notice.sync-held' and user_id = ${userId}`

test('the people responsible are notified once of a run that waits or failed, and never of a dry run', async () => {
  const mailbox = `${syncs.account(1)}@example.edu`
  const boss = await addPerson(syncs.server, { account: syncs.account(1), name: 'Boss', isSuperUser: true, mailbox })
  const other = await addPerson(syncs.server, { account: syncs.account(2), name: 'Nobody special' })
  const body = {
    name: syncs.named('Told'),
    sourceId: await syncs.newSource(),
    keyColumn: 'no',
    mapping: [{ column: 'account', field: 'account' }],
  }
  const refused = await syncs.root.call('/directory_sync/create/', { body: { ...body, responsibleIds: [other] } })
  expect(refused.envelope).toMatchObject({
    code: 'directory-sync.not-responsible',
    data: { fields: ['responsibleIds'] },
  })
  const sync = await syncs.newSync({ responsibleIds: [boss] })
  expect(sync.responsible).toEqual([{ id: boss, account: syncs.account(1), name: 'Boss' }])
  await syncs.give(sync, syncs.numbered(2, 'Person', 5))
  expect((await syncs.run(sync, true)).state).toBe('held')
  expect(await noticesTo(boss)).toEqual([{ n: 0 }])
  expect((await syncs.run(sync)).state).toBe('held')
  expect(await noticesTo(boss)).toEqual([{ n: 1 }])
  const [mail] = await messagesTo(syncs.server, mailbox)
  expect(mail?.subject).toContain(sync.name)
  expect(mail?.text).toContain(`/manage/org-sync-detail?sync=${sync.id}`)
  await syncs.giveText(sync, 'no,account\nK,1\n')
  expect((await syncs.run(sync)).state).toBe('failed')
  expect(await noticesTo(boss)).toEqual([{ n: 2 }])
  const [run] = await syncs.runs(sync)
  expect(run?.problem).toMatch(/\(name\)\.$/)
  const mails = await messagesTo(syncs.server, mailbox, 2)
  expect(mails.filter(({ text }) => text.includes('（name）'))).toHaveLength(1)
})

test('a source that shrinks a little in each run is compared with what it had in the past month', async () => {
  const sync = await syncs.filledSync(syncs.numbered(20, 'Person', 20), {
    thresholds: { missing: 100, changed: 100, created: 100, field: 100, bad: 100, rows: 90 },
  })
  const runWith = async (count: number) => {
    await syncs.give(sync, syncs.numbered(count, 'Person', 20))
    return await syncs.run(sync)
  }
  expect([(await runWith(19)).state, (await runWith(18)).state]).toEqual(['done', 'done'])
  const held = await runWith(17)
  expect(held).toMatchObject({ state: 'held', heldFor: [{ kind: 'fewer-rows', count: 17, of: 20, threshold: 90 }] })
  // Whoever approves it sets the figure anew.
  expect((await syncs.approve(held)).state).toBe('done')
  expect((await runWith(16)).state).toBe('done')
  await syncs.advance((31 * DAY_MS) / 1000)
  // After a month only the last good run is left to compare with.
  expect((await runWith(15)).state).toBe('done')
})

test('the people responsible are notified once of an interrupted run, and of what it had written', async () => {
  const mailbox = `${syncs.account(1)}@example.edu`
  const boss = await addPerson(syncs.server, { account: syncs.account(1), name: 'Boss', isSuperUser: true, mailbox })
  const sync = await syncs.newSync({ responsibleIds: [boss] })
  await syncs.give(sync, syncs.numbered(2, 'Person', 5))
  const { sql } = syncs
  onTestFinished(async () => void (await sql`drop function if exists refuse cascade`))
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$;
    create trigger refuse before insert on directory_sync_rows for each row execute function refuse()`)
  expect((await syncs.run(sync)).state).toBe('failed')
  for (let minute = 0; minute < 2; minute++) await startEventSyncs(syncs.server.platform)
  expect(await noticesTo(boss)).toEqual([{ n: 1 }])
  await sql`drop function refuse cascade`
  const held = await syncs.run(sync)
  expect(await noticesTo(boss)).toEqual([{ n: 2 }])
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$;
    create trigger refuse before insert on users for each row execute function refuse()`)
  expect((await syncs.approve(held)).state).toBe('failed')
  // The start of the next run ends the former one, and tells of it just the same.
  await sql`drop function refuse cascade`
  expect((await syncs.run(sync, true)).state).toBe('held')
  expect(await noticesTo(boss)).toEqual([{ n: 3 }])
  const mails = (await messagesTo(syncs.server, mailbox)).filter(({ text }) => /was interrupted|中断/.test(text))
  expect(mails.map(({ text }) => /Nothing has been written yet|尚未写入/.test(text)).toSorted()).toEqual([false, true])
})

test("a plan older than two days can't be applied: the source must be read again", async () => {
  const sync = await syncs.newSync()
  await syncs.give(sync, syncs.numbered(2))
  const held = await syncs.run(sync)
  await syncs.advance(2 * 86_400 + 60)
  const late = await syncs.root.call(`/directory_sync_run/${held.id}/approve/`, { body: { reason: 'At last' } })
  expect(late.envelope).toMatchObject({ state: 409, code: 'directory-sync.too-old' })
  expect(await syncs.people()).toEqual([])
  expect(await syncs.approve(await syncs.run(sync))).toMatchObject({ state: 'done', counts: { new: 2 } })
})
