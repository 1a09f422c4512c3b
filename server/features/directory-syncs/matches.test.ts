import { expect, test } from 'vitest'
import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import type { SyncMatch } from '#shared/contract/sync-matches.ts'
import { SYNC_MAPPING, SyncWorld } from '../../testing/directory-syncs.ts'
import { addPerson } from '../../testing/people.ts'

const syncs = new SyncWorld()

const MAPPING = [...SYNC_MAPPING, { column: 'mailbox', field: 'mailbox' }, { column: 'phone', field: 'phone' }]
const ROOMY = { missing: 100, changed: 100, created: 100, field: 100, bad: 100, rows: 0 }

const queue = async (sync: DirectorySync) =>
  (await syncs.root.call<{ open: number; records: SyncMatch[] }>(`/directory_sync_match/query/?syncId=${sync.id}`)).data
const decide = (sync: DirectorySync, body: object) =>
  syncs.root.call(`/directory_sync_match/${sync.id}/decide/`, { body })

test('a person found under another number waits for a decision, and takes the new number or keeps their own', async () => {
  const mailbox = `${syncs.account(1)}@example.edu`
  const one = await addPerson(syncs.server, { account: syncs.account(1), name: 'By mailbox', mailbox })
  const other = await addPerson(syncs.server, { account: syncs.account(2), name: 'By phone', phone: '+8613800001111' })
  const sync = await syncs.newSync({ mapping: MAPPING, matchBy: ['mailbox', 'phone'], thresholds: ROOMY })
  const file = `no,account,name,mailbox,phone\nK1,${syncs.account(9)},Somebody,${mailbox},\nK2,${syncs.account(8)},Another,,13800001111\n`
  await syncs.giveText(sync, file)
  await syncs.approve(await syncs.run(sync))
  const { open, records } = await queue(sync)
  expect(open).toBe(2)
  expect(records[0]).toMatchObject({
    ...{ externalId: 'K1', kind: 'other-account', choices: ['rename', 'keep', 'new', 'ignore'] },
    people: [{ id: one, account: syncs.account(1), name: 'By mailbox' }],
  })
  expect(records[0]?.source).toContainEqual({ field: 'name', value: 'Somebody' })
  // Contacts are masked on both sides.
  expect(JSON.stringify(records)).not.toContain(mailbox)
  expect((await decide(sync, { externalId: 'K1', decision: 'rename', userId: other })).envelope.code).toBe(
    'directory-sync.bad-decision',
  )
  expect((await decide(sync, { externalId: 'K1', decision: 'rename', userId: one })).envelope.state).toBe(200)
  expect((await decide(sync, { externalId: 'K2', decision: 'keep' })).envelope.state).toBe(200)
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { changed: 2 } })
  const now = new Map((await syncs.people()).map(({ id, account, name }) => [id, [account, name]]))
  expect(now.get(one)).toEqual([syncs.account(9), 'Somebody'])
  expect(now.get(other)).toEqual([syncs.account(2), 'Another'])
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { unchanged: 2 } })
  const [line] = await syncs.sql`
    select before, after from audit_records where action = 'account.rename' and target_id = ${one}`
  expect(line).toMatchObject({ before: { account: syncs.account(1) }, after: { account: syncs.account(9) } })
})

test('both sides are told in the same words, and a field says whether it differs', async () => {
  const one = syncs.account(1)
  const mailbox = `${one}@example.edu`
  const create = async (path: string, body: object) => {
    const { data, envelope } = await syncs.root.call<{ id: string }>(path, { body })
    expect(envelope).toMatchObject({ state: 200 })
    return data.id
  }
  const names = { en: `Student ${one}` }
  const student = await create('/user_category/create/', { code: `cat-${one}`, name: `本科生 ${one}`, names })
  const unit = { code: `cs-${one}`, name: `Computing ${one}`, parentId: null }
  const cs = await create('/organization/create/', unit)
  const user = await addPerson(syncs.server, { account: one, name: 'One', mailbox, phone: '+8613800004444' })
  await syncs.sql`update users set category_id = ${student}, organization_id = ${cs}, gender = 'male' where id = ${user}`
  const more = ['gender', 'organization', 'category'].map((field) => ({ column: field, field }))
  const sync = await syncs.newSync({ mapping: [...MAPPING, ...more], matchBy: ['mailbox'], thresholds: ROOMY })
  const row = `K1,${syncs.account(9)},One,${mailbox.toUpperCase()},138 0000 4444,男,cs-${one},cat-${one}`
  await syncs.giveText(sync, `no,account,name,mailbox,phone,gender,organization,category\n${row}\n`)
  await syncs.run(sync)
  const [match] = (await queue(sync)).records
  expect(match?.source.map(({ field, value }) => [field, value])).toEqual([
    ['account', syncs.account(9)],
    ['name', 'One'],
    ['mailbox', `${one.slice(0, 1)}***@example.edu`],
    ['phone', '138****4444'],
    ['gender', 'Male'],
    ['organization', `Computing ${one}`],
    ['category', `Student ${one}`],
  ])
  const [person] = match?.people ?? []
  expect(person?.values.filter(({ differs }) => differs)).toEqual([{ field: 'account', value: one, differs: true }])
  expect(person?.values.slice(1).map(({ value }) => value)).toEqual(match?.source.slice(1).map(({ value }) => value))
})

test('a person whose number exists is skipped, or linked by decision only', async () => {
  const mailbox = `${syncs.account(1)}@example.edu`
  await addPerson(syncs.server, { account: syncs.account(1), name: 'Here', mailbox })
  const sync = await syncs.newSync({ mapping: SYNC_MAPPING, matchBy: [], thresholds: ROOMY })
  await syncs.giveText(sync, `no,account,name\nK1,${syncs.account(1)},Same number\n`)
  await syncs.approve(await syncs.run(sync))
  expect((await queue(sync)).records).toMatchObject([{ kind: 'account-taken', choices: ['link', 'ignore'] }])
  expect((await decide(sync, { externalId: 'K1', decision: 'new' })).envelope.code).toBe('directory-sync.bad-decision')
  expect((await decide(sync, { externalId: 'K1', decision: 'ignore' })).envelope.state).toBe(200)
  const left = await syncs.run(sync)
  expect(left.counts).toEqual({ ignored: 1 })
  expect(await queue(sync)).toMatchObject({ open: 0, records: [{ decision: 'ignore', choices: ['reopen'] }] })
  expect((await decide(sync, { externalId: 'K1', decision: 'reopen' })).envelope.state).toBe(200)
  expect((await decide(sync, { externalId: 'K1', decision: 'link' })).envelope.state).toBe(200)
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { changed: 1 } })
  expect(await queue(sync)).toEqual({ open: 0, records: [] })
})

test('if two rules find two people both are shown, and the chosen one is linked', async () => {
  const [one, two, given] = [1, 2, 3].map((at) => syncs.account(at)) as [string, string, string]
  const mailbox = `${one}@example.edu`
  await addPerson(syncs.server, { account: one, name: 'One', mailbox })
  const chosen = await addPerson(syncs.server, { account: two, name: 'Two', phone: '+8613800002222' })
  const sync = await syncs.newSync({ mapping: MAPPING, matchBy: ['mailbox', 'phone'], thresholds: ROOMY })
  await syncs.giveText(sync, `no,account,name,mailbox,phone\nK1,${given},Both,${mailbox},13800002222\n`)
  await syncs.approve(await syncs.run(sync))
  expect((await queue(sync)).records).toMatchObject([
    { kind: 'several-people', people: [{ account: one }, { account: two }], choices: ['link', 'new', 'ignore'] },
  ])
  expect((await decide(sync, { externalId: 'K1', decision: 'link' })).envelope.code).toBe('directory-sync.bad-decision')
  expect((await decide(sync, { externalId: 'K1', decision: 'link', userId: chosen })).envelope.state).toBe(200)
  await syncs.giveText(sync, `no,account,name,mailbox,phone\nK1,${two},Both,,13800002222\n`)
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { changed: 1 } })
  expect((await syncs.people()).map(({ name }) => name)).toEqual(['One', 'Both'])
})

test('a person found by a rule can still be declared new', async () => {
  const [one, two] = [1, 2].map((at) => syncs.account(at)) as [string, string]
  await addPerson(syncs.server, { account: one, name: 'One', phone: '+8613800003333' })
  const sync = await syncs.newSync({ mapping: MAPPING, matchBy: ['phone'], thresholds: ROOMY })
  await syncs.giveText(sync, `no,account,name,mailbox,phone\nK1,${two},Two,,13800003333\n`)
  await syncs.approve(await syncs.run(sync))
  expect((await queue(sync)).records).toMatchObject([{ kind: 'other-account', people: [{ account: one }] }])
  expect((await decide(sync, { externalId: 'K1', decision: 'new' })).envelope.state).toBe(200)
  // The phone belongs to somebody else, as the row then says.
  expect((await syncs.run(sync)).counts).toEqual({ bad: 1 })
  await syncs.giveText(sync, `no,account,name,mailbox,phone\nK1,${two},Two,,\n`)
  expect(await syncs.approve(await syncs.run(sync))).toMatchObject({ state: 'done', counts: { new: 1 } })
  expect((await syncs.people()).map(({ account }) => account)).toEqual([one, two])
  expect(await queue(sync)).toEqual({ open: 0, records: [] })
})

test('a changed number is one decision: the person is renamed and keeps everything', async () => {
  const sync = await syncs.filledSync(syncs.numbered(2), { thresholds: ROOMY })
  const before = await syncs.people()
  const fresh = syncs.account(77)
  await syncs.giveText(sync, syncs.csv(syncs.numbered(2)).replace(`,${before[0]?.account},`, `,${fresh},`))
  const run = await syncs.run(sync)
  expect(run.counts).toEqual({ conflict: 1, unchanged: 1 })
  const { records } = await queue(sync)
  expect(records).toMatchObject([
    { kind: 'renamed', people: [{ id: before[0]?.id }], choices: ['rename', 'keep', 'ignore'] },
  ])
  const externalId = records[0]?.externalId
  // Their alias too, for which the account's row was enough.
  const former = before[0]?.account ?? ''
  await syncs.sql`update users set alias = ${former} where id = ${before[0]?.id ?? ''}`
  expect((await decide(sync, { externalId, decision: 'rename' })).envelope.state).toBe(200)
  expect(await syncs.sql`select user_id, kind from login_names where canonical = ${former.toLowerCase()}`).toEqual([
    { userId: before[0]?.id, kind: 'alias' },
  ])
  expect(await syncs.run(sync)).toMatchObject({ counts: { unchanged: 2 } })
  const after = await syncs.people()
  expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort())
  expect(after.find(({ id }) => id === before[0]?.id)?.account).toBe(fresh)
  const [name] = await syncs.sql`select user_id from login_names where canonical = ${fresh.toLowerCase()}`
  expect(name?.['userId']).toBe(before[0]?.id)
  // A number that somebody else has can't be taken.
  await syncs.giveText(sync, syncs.csv(syncs.numbered(2)).replace(`,${before[0]?.account},`, `,${before[1]?.account},`))
  await syncs.run(sync)
  const refused = await decide(sync, { externalId, decision: 'rename' })
  expect(refused.envelope).toMatchObject({ state: 409, code: 'directory-sync.account-refused' })
  expect((await syncs.people()).find(({ id }) => id === before[0]?.id)?.account).toBe(fresh)
})

test('discarding a plan takes back the conflicts that only it found', async () => {
  const sync = await syncs.filledSync(syncs.numbered(3), { thresholds: ROOMY })
  const discard = async ({ id }: { id: string }) =>
    (await syncs.root.call(`/directory_sync_run/${id}/discard/`, { body: {} })).envelope.state
  const renamed = (...numbers: number[]) =>
    numbers.reduce(
      (text, at) => text.replace(`,${syncs.account(at)},`, `,${syncs.account(70 + at)},`),
      syncs.csv(syncs.numbered(3)),
    )
  // Numbers of an old backup: everybody seems to be renamed.
  await syncs.giveText(sync, renamed(0, 1, 2))
  const wrong = await syncs.run(sync, true)
  expect((await queue(sync)).open).toBe(3)
  expect((await decide(sync, { externalId: `K${syncs.account(2)}`, decision: 'ignore' })).envelope.state).toBe(200)
  expect(await discard(wrong)).toBe(200)
  expect(await queue(sync)).toMatchObject({ open: 0, records: [{ decision: 'ignore' }] })
  // What an applied run left open stays, also when a later plan that found it again is discarded.
  await syncs.giveText(sync, renamed(0))
  expect(await syncs.run(sync)).toMatchObject({ state: 'done' })
  await syncs.giveText(sync, renamed(0, 1))
  expect(await discard(await syncs.run(sync, true))).toBe(200)
  const { open, records } = await queue(sync)
  expect(open).toBe(1)
  expect(records.filter(({ decision }) => !decision)).toMatchObject([{ externalId: `K${syncs.account(0)}` }])
})

test('a linked person who was deleted and recreated under the same account is linked again by decision', async () => {
  const sync = await syncs.filledSync(syncs.numbered(2), { thresholds: ROOMY })
  const [former, other] = await syncs.people()
  const removed = await syncs.root.call(`/user_information/${former?.id}/delete/`, { body: { reason: 'Left' } })
  expect(removed.envelope.state).toBe(200)
  expect((await syncs.run(sync)).counts).toEqual({ conflict: 1, unchanged: 1 })
  expect((await queue(sync)).records).toMatchObject([{ kind: 'deleted-here', choices: ['ignore'] }])
  const again = await addPerson(syncs.server, { account: former?.account ?? '', name: 'Back' })
  await syncs.run(sync)
  expect((await queue(sync)).records).toMatchObject([
    { kind: 'recreated', people: [{ id: again, account: former?.account }], choices: ['link', 'ignore'] },
  ])
  const externalId = `K${former?.account}`
  expect((await decide(sync, { externalId, decision: 'link', userId: former?.id })).envelope.code).toBe(
    'directory-sync.bad-decision',
  )
  expect((await decide(sync, { externalId, decision: 'link' })).envelope.state).toBe(200)
  expect((await syncs.run(sync)).counts).toEqual({ changed: 1, unchanged: 1 })
  expect((await syncs.people()).map(({ id, name }) => [id, name])).toEqual(
    expect.arrayContaining([
      [again, 'Person 0'],
      [other?.id, 'Person 1'],
    ]),
  )
  expect(await queue(sync)).toEqual({ open: 0, records: [] })
  const links = await syncs.sql`select user_id from directory_links where sync_id = ${sync.id} order by external_id`
  expect(links.map((link) => link['userId'])).toEqual([again, other?.id])
})

test('no decision links or renames super users', async () => {
  await addPerson(syncs.server, { account: syncs.account(1), name: 'Boss', isSuperUser: true })
  const sync = await syncs.newSync({ matchBy: [], thresholds: ROOMY })
  await syncs.giveText(sync, `no,account,name\nK1,${syncs.account(1)},Taken over\n`)
  await syncs.run(sync)
  const { records } = await queue(sync)
  // Refused before anybody could decide.
  const asked = await decide(sync, { externalId: 'K1', decision: 'link' })
  expect([records[0]?.kind ?? 'none', asked.envelope.code]).toEqual(['account-taken', 'directory-sync.protected'])
})

test('accounts that differ only in case are one decision, and a row whose account is taken says by which row', async () => {
  const [one, two] = [`Zhang${syncs.account(1)}`, `li${syncs.account(2)}`] as const
  const here = await addPerson(syncs.server, { account: one.toLowerCase(), name: 'Here' })
  const kept = await addPerson(syncs.server, { account: two.toUpperCase(), name: 'Kept' })
  const sync = await syncs.newSync({ mapping: SYNC_MAPPING, matchBy: ['account'], thresholds: ROOMY })
  const file = `no,account,name\nK1,${one},From the source\nK2,${two},Second\n`
  await syncs.giveText(sync, file)
  const run = await syncs.approve(await syncs.run(sync))
  expect(run.counts).toEqual({ conflict: 2 })
  const { rows } = await syncs.details(run.id)
  expect(rows[0]?.problems).toEqual([expect.stringContaining(`${one} already exists here as ${one.toLowerCase()}`)])
  const choices = ['rename', 'keep', 'ignore']
  expect((await queue(sync)).records).toMatchObject([
    { externalId: 'K1', kind: 'other-account', choices, people: [{ id: here }] },
    { externalId: 'K2', kind: 'other-account', choices, people: [{ id: kept }] },
  ])
  expect((await decide(sync, { externalId: 'K1', decision: 'new' })).envelope.code).toBe('directory-sync.bad-decision')
  expect((await decide(sync, { externalId: 'K1', decision: 'rename' })).envelope.state).toBe(200)
  expect((await decide(sync, { externalId: 'K2', decision: 'keep' })).envelope.state).toBe(200)
  // A second row for the first of them.
  await syncs.giveText(sync, `${file}K3,${one.toUpperCase()},Third\n`)
  const next = await syncs.run(sync)
  expect(next).toMatchObject({ state: 'done', counts: { changed: 2, conflict: 1 } })
  const accounts = await syncs.sql`select account, name from users where id in (${here}, ${kept}) order by name`
  expect(accounts).toEqual([
    { account: one, name: 'From the source' },
    { account: two.toUpperCase(), name: 'Second' },
  ])
  const conflict = (await syncs.details(next.id, 'outcome=conflict')).rows
  expect(conflict.map(({ problems }) => problems)).toEqual([
    [expect.stringContaining(`${one} is already linked to the row K1 of the data source`)],
  ])
  expect((await queue(sync)).records).toMatchObject([
    {},
    { externalId: 'K3', kind: 'linked-already', choices: ['ignore'] },
  ])
})
