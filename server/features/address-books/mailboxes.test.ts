import { expect, test } from 'vitest'
import type { SyncRunBase } from '#shared/contract/sync-runs.ts'
import { OPEN } from '../../testing/address-books.ts'
import {
  account,
  address,
  ask,
  CREATE,
  change,
  create,
  decide,
  fieldsOf,
  filled,
  ids,
  lines,
  newSync,
  PLACE,
  PROVIDERS,
  prepareMailboxRuns,
  provider,
  renewRoot,
  root,
  rowsOf,
  run,
  server,
  settled,
  start,
  there,
  word,
} from '../../testing/mailbox-runs.ts'
import { addMailboxes, BY_NUMBER } from '../../testing/mailboxes.ts'
import { openPortal } from '../../testing/portal.ts'
import { startDueBooks } from './index.ts'

prepareMailboxRuns()

test.each(PROVIDERS)(
  '%s: the first plan waits with each address; then the mailboxes stand there, and a second run writes nothing',
  async (driver) => {
    const sync = await newSync(driver)
    const held = await run(sync)
    expect(held).toMatchObject({ state: 'held', counts: { new: 2 }, heldFor: [{ kind: 'first-run', count: 2 }] })
    const { rows } = await rowsOf(held.id)
    expect(rows.map(({ externalId, person, department }) => [externalId, person?.account, department])).toEqual([
      [address(1), account(1), null],
      [address(2), account(2), null],
    ])
    expect(provider.mailboxes.size).toBe(0)
    await decide('approve', held)
    expect(there(1)).toMatchObject({ name: 'Person 1', isDisabled: false, mobile: expect.stringMatching(/^13\d{9}$/) })
    // Nobody learns the password, and no two are alike.
    expect(there(1)?.password).toMatch(/^[A-Za-z\d]{24}$/)
    expect(there(1)?.password).not.toBe(there(2)?.password)
    provider.calls.length = 0
    expect(await run(sync)).toMatchObject({ state: 'done', counts: { unchanged: 2 }, heldFor: [] })
    expect(provider.calls.filter((call) => /create|update|change|delete/i.test(call))).toEqual([])
  },
)

test.each(PROVIDERS)(
  '%s: the mailbox of a leaver is disabled and opens no more; who comes back has it again',
  async (driver) => {
    const sync = await filled(driver, { leavers: 'disable' })
    await change(1, { enabled: false })
    const gone = await run(sync)
    expect(gone).toMatchObject({ state: 'done', counts: { leaver: 1, unchanged: 1 } })
    expect(there(1)).toMatchObject({ isDisabled: true })
    await change(1, { enabled: true })
    const owner = await openPortal(server, { userId: ids.get(1) ?? '' })
    const open = async () => (await owner.call('/corporate_mailbox/open/', { body: {} })).envelope.code
    expect(await open()).toBe('corporate-mailbox.stopped')
    expect(await run(sync)).toMatchObject({ state: 'done', counts: { changed: 1, unchanged: 1 } })
    expect(await open()).not.toBe('corporate-mailbox.stopped')
  },
)

test.each(PROVIDERS)('%s: no log, record or row of a run contains the password of a new mailbox', async (driver) => {
  await filled(driver)
  const [kept] = await server.platform.sql<{ text: string }[]>`
    select concat((select string_agg(a::text, '') from audit_records a), (select string_agg(r::text, '') from book_rows r),
      (select string_agg(l::text, '') from book_links l)) as text`
  const all = lines.join('\n') + (kept?.text ?? '')
  expect(all).toContain(account(1))
  for (const { password } of provider.mailboxes.values()) expect(all).not.toContain(password)
})

test('leavers keep their mailbox unless it was chosen otherwise, and more of them than the threshold wait', async () => {
  const kept = await filled('exmail')
  await change(1, { enabled: false })
  expect(await run(kept)).toMatchObject({ state: 'done', counts: { missing: 1 } })
  expect(there(1)).toMatchObject({ isDisabled: false })
  await change(1, { enabled: true })
  await server.platform.sql`delete from book_syncs`
  const body = await fieldsOf('exmail', { leavers: 'disable', thresholds: { ...OPEN.thresholds, missing: 10 } })
  const { data: sync } = await create(body)
  await decide('approve', await run(sync))
  await change(1, { enabled: false })
  expect(await run(sync)).toMatchObject({ state: 'held', heldFor: [{ kind: 'missing', count: 1, of: 2 }] })
  expect(there(1)).toMatchObject({ isDisabled: false })
  expect((await create({ ...body, name: 'Other', leavers: 'delete' })).envelope.code).toBe('book-sync.no-delete')
})

test('the plan lists people without an address of their own with the reason, and a changed rule renames no mailbox', async () => {
  const sync = await filled('exmail')
  await change(2, { account: `第${word}` })
  const { id } = await run(sync, true)
  expect((await rowsOf(id)).rows.map(({ outcome, problems }) => [outcome, problems])).toEqual([
    ['unchanged', []],
    ['bad', ["The account can't be part of an address"]],
  ])
  const { data: stored } = await root.call<{ version: number; settings: object }>('/corporate_mailbox/details/')
  const rules = [{ ...BY_NUMBER, prefix: 's' }]
  await root.call('/corporate_mailbox/update/', { body: { ...stored, enabled: true, rules } })
  const other = await run(sync, true)
  const [first] = (await rowsOf(other.id)).rows
  expect([first?.outcome, first?.problems[0]]).toEqual(['conflict', expect.stringContaining(`s${address(1)}`)])
  expect(provider.mailboxes.size).toBe(2)
})

test.each(PROVIDERS)(
  '%s: what the provider refuses is shown at its row; a lost right or a full licence ends the run',
  async (driver) => {
    const sync = await newSync(driver)
    const held = await run(sync)
    provider.book.failNext.push({ path: CREATE[driver], problem: 'name', times: 1 })
    const done = await decide('approve', held)
    if (driver === 'exmail') {
      expect(done).toMatchObject({ state: 'done', counts: { bad: 1, new: 1 } })
      expect((await rowsOf(held.id)).rows[0]?.problems[0]).toContain('60112')
    } else expect(done).toMatchObject({ state: 'failed', problem: expect.stringContaining('39') })
    provider.mostMailboxes = provider.mailboxes.size
    const again = await decide('approve', await run(sync, true))
    if (driver === 'coremail') expect(again).toMatchObject({ state: 'failed', problem: expect.stringContaining('59') })
    else
      expect((await rowsOf(again.id)).rows.map(({ problems }) => problems.join())).toContain(
        'The provider refused it with code 60116.',
      )
  },
)

test('an answer that was lost creates nobody twice', async () => {
  const sync = await newSync('exmail')
  const held = await run(sync)
  await server.platform.sql`update book_rows set is_attempted = true where run_id = ${held.id} and row = 1`
  const [found] = await server.platform.sql<{ phone: string }[]>`select phone from users where account = ${account(1)}`
  provider.mailboxes.set(address(1), {
    ...{
      address: address(1),
      name: 'Person 1',
      mobile: found?.phone.slice(3) ?? '',
      departments: [1],
      isDisabled: false,
      password: 'x1',
    },
  })
  expect(await decide('approve', held)).toMatchObject({ state: 'done', counts: { new: 2 } })
  expect(provider.calls.filter((call) => call.endsWith('/user/create'))).toHaveLength(1)
})

test('off starts nothing; preview plans and writes nothing, also by the clock', async () => {
  const schedule = { cron: '0 * * * *', zone: 'Asia/Shanghai' }
  const sync = await newSync('exmail', { mode: 'preview', schedule })
  expect((await start(sync)).envelope.code).toBe('book-sync.preview-only')
  const planned = await run(sync, true)
  expect((await ask('approve', planned)).envelope.code).toBe('book-sync.preview-only')
  server.advance(3600)
  await renewRoot()
  await startDueBooks(server.platform)
  const runs = async () =>
    (await root.call<{ records: SyncRunBase[] }>(`/book_sync_run/query/?syncId=${sync.id}`)).data.records
  const [last] = await runs()
  expect(await settled(last?.id ?? '')).toMatchObject({ dryRun: true, startedBy: null, state: 'held' })
  const off = { ...(await fieldsOf('exmail', { mode: 'off', schedule })), version: sync.version }
  const { application, secret, host, ...same } = off as unknown as Record<string, unknown>
  await root.call(`/book_sync/${sync.id}/update/`, { body: { ...same, application, secret, host } })
  expect((await start(sync, true)).envelope.code).toBe('book-sync.off')
  server.advance(3600)
  await renewRoot()
  await startDueBooks(server.platform)
  expect(await runs()).toHaveLength(2)
  expect(provider.mailboxes.size).toBe(0)
})

test('there is one, at the provider of the mailboxes, with what that provider needs', async () => {
  const body = await fieldsOf('exmail')
  const coremail = { ...body, vendor: 'coremail', coremail: PLACE }
  expect((await create(coremail)).envelope.code).toBe('book-sync.other-provider')
  expect((await create({ ...coremail, host: '', coremail: null })).envelope.data).toEqual({
    fields: ['host', 'coremail'],
  })
  const { data: sync } = await create(body)
  expect((await create({ ...body, name: 'Other' })).envelope.code).toBe('book-sync.one-provider')
  expect(sync.secret).toBe('******')
  await addMailboxes(server, root, 'coremail')
  expect((await start(sync, true)).envelope.code).toBe('book-sync.other-provider')
})

test('the secret of single sign-on may not read mailboxes at Exmail, and the run says so with the code', async () => {
  const sync = await newSync('exmail', { secret: 'nothing-secret-in-a-simulator' })
  expect(await run(sync)).toMatchObject({ state: 'failed', problem: expect.stringContaining('48002') })
})
