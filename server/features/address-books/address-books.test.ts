import { expect, test } from 'vitest'
import type { BookSync } from '#shared/contract/address-books.ts'
import { BookWorld, OPEN } from '../../testing/address-books.ts'
import { forgetBookRows } from './index.ts'

const books = new BookWorld()

test.each(['qywx', 'dingding'] as const)(
  '%s: the first run waits for approval; then departments and people exist there, and a second run writes nothing',
  async (key) => {
    const sync = await books.newSync(key)
    const held = await books.run(sync)
    expect(held).toMatchObject({ state: 'held', counts: { new: 4 }, heldFor: [{ kind: 'first-run' }] })
    expect(books.there(1)).toBe(undefined)
    expect(await books.decide('approve', held)).toMatchObject({
      state: 'done',
      counts: { new: 4 },
      reason: 'Looked at',
    })
    expect(books.department('Optics')?.parentId).toBe(books.department('Physics')?.id)
    expect(books.there(2)).toMatchObject({ name: 'Person 2', departments: [books.department('Optics')?.id] })
    expect(books.there(2)?.mobile).toMatch(/^13\d{9}$/)
    books.vendor.calls.length = 0
    expect(await books.run(sync)).toMatchObject({ state: 'done', counts: { unchanged: 4 }, heldFor: [] })
    expect(books.vendor.calls.filter((call) => /create|update|delete/.test(call))).toEqual([])
  },
)

// Into the whole corporation, or into one of its departments.
test.each([1, 3])(
  "local changes are written there, below department %s: a name, a move; values that the sync doesn't manage stay",
  async (departmentId) => {
    const sync = await books.filledSync('qywx', { roots: [{ organizationId: books.top, departmentId }] })
    books.there(1)?.departments.push(4)
    await books.changeHere(1, { name: 'Renamed', organization_id: books.optics })
    await books.sql`update organizations set name = ${`Lasers ${books.word}`}, version = version + 1 where id = ${books.optics}`
    const done = await books.run(sync)
    expect(done).toMatchObject({ state: 'done', counts: { moved: 1, changed: 1, unchanged: 2 } })
    expect(books.there(1)).toMatchObject({ name: 'Renamed', departments: [books.department('Lasers')?.id, 4] })
    const { rows } = await books.details(done.id)
    const lasers = `Lasers ${books.word}`
    expect(rows.flatMap(({ changes }) => changes)).toEqual([
      { field: 'name', values: { before: `Optics ${books.word}`, after: lasers } },
      { field: 'name', values: { before: 'Person 1', after: 'Renamed' } },
      {
        field: 'organizationId',
        values: { before: `Physics ${books.word}, 计算机学院 / 软件工程系 (4)`, after: lasers },
      },
    ])
  },
)

test('exactly the approved plan is written: people changed since, on either side, are skipped and named', async () => {
  const sync = await books.filledSync('qywx')
  await books.addSomebody(3, books.physics)
  for (const at of [1, 2, 3]) await books.changeHere(at, { name: `New ${at}` })
  const plan = await books.run(sync, true)
  expect(plan).toMatchObject({ state: 'planned', counts: { changed: 2, new: 1 } })
  await books.changeHere(1, { name: 'By hand' })
  Object.assign(books.there(2) ?? {}, { name: 'By somebody else' })
  expect(await books.decide('approve', plan)).toMatchObject({ state: 'done', counts: { new: 1, 'changed-since': 2 } })
  expect([books.there(1)?.name, books.there(2)?.name, books.there(3)?.name]).toEqual([
    'Person 1',
    'By somebody else',
    'New 3',
  ])
  const { rows } = await books.details(plan.id, 'outcome=changed-since')
  expect(rows.map(({ person, problems }) => [person?.account, problems])).toEqual([
    [books.account(1), [expect.stringContaining('changed here')]],
    [books.account(2), [expect.stringContaining('changed in the address book')]],
  ])
})

test('a run over a threshold waits, and nothing is written before approval', async () => {
  const sync = await books.filledSync('qywx', { thresholds: { changed: 10 } })
  await books.changeHere(1, { name: 'Other' })
  expect(await books.run(sync)).toMatchObject({
    state: 'held',
    heldFor: [{ kind: 'changed', count: 1, of: 4 }, { kind: 'field' }],
  })
  expect(books.there(1)?.name).toBe('Person 1')
})

test('a leaver stays there unless the administrator chose otherwise, and is enabled again when they return', async () => {
  const kept = await books.filledSync('qywx')
  await books.changeHere(1, { enabled: false })
  expect(await books.run(kept)).toMatchObject({ state: 'done', counts: { missing: 1, unchanged: 3 } })
  expect(books.there(1)).toMatchObject({ status: 4 })
  await books.root.call(`/book_sync/${kept.id}/delete/`, { body: { version: 1 } })

  const sync = await books.newSync('qywx', { ...OPEN, leavers: 'disable', name: `Disabling ${books.word}` })
  await books.changeHere(1, { enabled: true })
  await books.decide('approve', await books.run(sync))
  await books.changeHere(1, { enabled: false })
  expect(await books.run(sync)).toMatchObject({ counts: { leaver: 1 } })
  expect(books.there(1)?.status).toBe(2)
  expect(await books.run(sync)).toMatchObject({ counts: { missing: 1, unchanged: 3 } })
  await books.changeHere(1, { enabled: true })
  expect(await books.run(sync)).toMatchObject({ counts: { changed: 1 } })
  expect(books.there(1)?.status).not.toBe(2)
})

test('with deletion chosen, leavers are deleted, and nobody who was not linked', async () => {
  const sync = await books.filledSync('dingding', { leavers: 'delete' })
  await books.changeHere(1, { enabled: false })
  expect(await books.run(sync)).toMatchObject({ counts: { leaver: 1 } })
  expect(books.there(1)).toBe(undefined)
  expect(books.vendor.book.users.has('lilei')).toBe(true)
})

test('an undo deletes people the run created unless they joined or were changed since', async () => {
  const sync = await books.filledSync('qywx')
  await books.addSomebody(3, books.physics)
  await books.addSomebody(4, books.physics)
  await books.changeHere(1, { name: 'Renamed' })
  await books.changeHere(2, { name: 'Renamed too' })
  const done = await books.run(sync)
  expect(done).toMatchObject({ counts: { new: 2, changed: 2 } })
  Object.assign(books.there(4) ?? {}, { status: 1 })
  Object.assign(books.there(2) ?? {}, { name: 'By somebody else' })
  const undone = await books.decide('undo', done)
  expect(undone).toMatchObject({ state: 'undone', undo: { undone: 1, removed: 1, touched: 2 } })
  expect(undone).toMatchObject({ decidedBy: null, reason: null, undoReason: 'Looked at' })
  expect([books.there(1)?.name, books.there(2)?.name, books.there(3)]).toEqual([
    'Person 1',
    'By somebody else',
    undefined,
  ])
  expect(books.there(4)?.name).toBe('Person 4')
})

test('a run whose rows are forgotten can not be undone, and is not called undone', async () => {
  const sync = await books.filledSync('qywx')
  const [done] = await books.runs(sync)
  await books.advance(31 * 86_400)
  await forgetBookRows(books.server.platform)
  const { envelope } = await books.root.call(`/book_sync_run/${done?.id}/undo/`, { body: { reason: 'A mistake' } })
  expect(envelope).toMatchObject({ state: 409, code: 'book-sync.forgotten' })
  expect(await books.runs(sync)).toMatchObject([{ state: 'done' }])
})

test('a row that the vendor refuses reports it, and the others continue', async () => {
  const sync = await books.newSync('qywx', OPEN)
  await books.sql`update users set phone = null where account = ${books.account(2)}`
  const [first] = books.vendor.book.users.values()
  await books.changeHere(1, { phone: `+86${first?.mobile}` })
  await books.addSomebody(3, books.physics)
  const held = await books.run(sync)
  expect(held.counts).toEqual({ new: 3, bad: 1, conflict: 1 })
  books.vendor.book.failNext.push({ path: '/cgi-bin/user/create', problem: 'email', times: 1 })
  await books.decide('approve', held)
  const { rows } = await books.details(held.id)
  expect(rows.slice(2).map(({ person, outcome, problems }) => [person?.account, outcome, problems[0]])).toEqual([
    [books.account(1), 'conflict', expect.stringContaining('LiLei')],
    [books.account(2), 'bad', expect.stringContaining('phone number or email')],
    [books.account(3), 'bad', expect.stringContaining('60105')],
  ])
})

test('a lost response creates nobody twice', async () => {
  const sync = await books.newSync('qywx', OPEN)
  const held = await books.run(sync)
  // As if the node had died after the call, before recording it.
  const { sql } = books
  await sql`update book_rows set is_attempted = true where run_id = ${held.id} and row in (1, 3)`
  books.vendor.book.departments.set(90, { id: 90, name: `Physics ${books.word}`, parentId: 1, order: 0 })
  const [row] = await sql<{ phone: string }[]>`select phone from users where account = ${books.account(1)}`
  books.vendor.book.users.set(books.account(1), {
    ...{ id: books.account(1), name: 'Person 1', mobile: row?.phone.slice(3) ?? '', email: '', title: '', number: '' },
    departments: [90],
    status: 4,
  })
  expect(await books.decide('approve', held)).toMatchObject({ state: 'done', counts: { new: 4 } })
  expect(books.department('Physics')?.id).toBe(90)
  expect([...books.vendor.book.users.keys()].filter((id) => id.startsWith(`p${books.word}-`))).toHaveLength(2)
})

test("an address book that can't be read completely is not planned, and the run says why", async () => {
  const sync = await books.newSync('qywx', { secret: 'wrong-secret-of-nobody' })
  expect(await books.run(sync)).toMatchObject({ state: 'failed', problem: expect.stringContaining('40001') })
  const other = await books.newSync('qywx', {
    name: `Elsewhere ${books.word}`,
    roots: [{ organizationId: books.top, departmentId: 77 }],
  })
  expect(await books.run(other)).toMatchObject({ state: 'failed', problem: expect.stringContaining('60003') })
  const endless = await books.newSync('qywx', { name: `Endless ${books.word}` })
  books.vendor.trouble = { token: 'huge' }
  const problem = expect.stringContaining('far too long')
  expect(await books.run(endless)).toMatchObject({ state: 'failed', problem })
})

test('departments are listed by their names in the language of the reader', async () => {
  const sync = await books.newSync('qywx')
  const [root] = sync.roots
  await books.sql`update organizations set names = ${books.sql.json({ en: 'Sciences' })} where id = ${root?.organizationId ?? ''}`
  const { data } = await books.root.call<{ records: BookSync[] }>('/book_sync/query/')
  expect(data.records.find(({ id }) => id === sync.id)?.rootNames).toEqual(['Sciences'])
})

test('one run per sync at a time; the secret is never shown and is sent to no other host', async () => {
  const sync = await books.newSync('qywx')
  expect(sync.secret).toBe('******')
  // The first run must still be reading when the second is asked for.
  books.vendor.delayMs = 2000
  const answers = await Promise.all([books.start(sync), books.start(sync)])
  books.vendor.delayMs = 0
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  await books.settled(answers.find(({ status }) => status === 200)?.data.id ?? '')
  const { id, version, rootNames, categoryNames, responsible, nextRunAt, ...more } = sync
  const { linkedPeople, linkedDepartments, lastRun, updatedAt, ...fields } = more
  const body = { ...fields, version, host: 'https://elsewhere.example' }
  const refused = { code: 'settings.secret-needed', data: { fields: ['secret'] } }
  expect((await books.root.call(`/book_sync/${id}/update/`, { body })).envelope).toMatchObject(refused)
  expect(
    (await books.root.call(`/book_sync/${id}/update/`, { body: { ...fields, version, note: 'Other' } })).status,
  ).toBe(200)
})
