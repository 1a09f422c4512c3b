import { expect, test } from 'vitest'
import { accept, reportOf, settled, step, upload } from '../../testing/imports.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { school } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'
import { runTasks } from '../../testing/tasks.ts'
import { importTasks } from './index.ts'

test('a check does not confirm guesses of numbers that the importer may not read', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  await runTasks(server, importTasks)
  const root = await openPortal(server, { isSuperUser: true })
  const importer = await openPortal(server, { permissions: ['import'], administers: organizationId('cs') })
  const editor = await openPortal(server, { permissions: ['import', 'edit'], administers: organizationId('cs') })
  const number = '11010519491231002X'
  await root.call(`/user_information/${id('20260001')}/update/`, { body: { version: 1, idNumber: number } })
  const outcome = async (page: Portal, column: string, value: string) => {
    const run = (await upload(page, `account,${column}\n20260001,${value}`)).data
    const mapping = ['account', column] as ('account' | 'phone' | 'idNumber' | 'gender')[]
    expect((await step(page, run.id, 'check', mapping)).status).toBe(200)
    await settled(page, run.id)
    return (await reportOf(page, run.id)).map((row) => row.outcome)
  }
  for (const [column, right, wrong] of [
    ['phone', '13800001234', '13800001235'],
    ['idNumber', number, '110105194912310038'],
  ] as const) {
    const told = [await outcome(importer, column, right), await outcome(importer, column, wrong)]
    expect([column, ...told]).toEqual([column, ['changed'], ['changed']])
    expect([column, await outcome(root, column, right)]).toEqual([column, ['unchanged']])
  }
  // Visible to them anyway.
  expect(await outcome(editor, 'phone', '13800001234')).toEqual(['unchanged'])
  expect(await outcome(editor, 'idNumber', number)).toEqual(['changed'])
  expect(await outcome(importer, 'gender', 'unknown')).toEqual(['unchanged'])
})

test('nor whether a number or mailbox belongs to somebody elsewhere; the import itself rejects it', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  await runTasks(server, importTasks)
  const importer = await openPortal(server, { permissions: ['import'], administers: organizationId('cs') })
  await server.platform.sql`update users set organization_id = ${organizationId('art')} where id = ${id('20260001')}`
  const run = (await upload(importer, 'account,name,organization,phone\nx1,X,cs,13800001234\nx2,Y,cs,13800001235')).data
  await step(importer, run.id, 'check')
  await settled(importer, run.id)
  expect((await reportOf(importer, run.id)).map((row) => row.outcome)).toEqual(['new', 'new'])
  await step(importer, run.id, 'start')
  await settled(importer, run.id)
  const [row] = await server.platform.sql`select count(*)::int as written from users where account in ('x1', 'x2')`
  expect(row).toEqual({ written: 1 })
})

/** A person who may import into Computing; in Art there is 20260003, and T-100 once was. */
async function besideOthers() {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  await runTasks(server, importTasks)
  const importer = await openPortal(server, { permissions: ['import', 'edit'], administers: organizationId('cs') })
  await server.platform.sql`update users set deleted_at = now(), last_login_at = now() where account = 'T-100'`
  await server.platform.sql`delete from login_names where user_id = ${id('T-100')}`
  return { server, importer, id, organizationId }
}

const told = async (page: Portal, id: string) => {
  const { counts } = await settled(page, id)
  const rows = await reportOf(page, id)
  return { counts, rows: rows.map(({ outcome, problems, changes }) => [outcome, problems, changes]) }
}

async function checked(page: Portal, file: string) {
  const { id } = (await upload(page, file)).data
  expect((await step(page, id, 'check')).status).toBe(200)
  return { id, ...(await told(page, id)) }
}

test('a check reveals nothing about accounts of people elsewhere: they look like free ones', async () => {
  const { server, importer, id } = await besideOthers()
  const { sql } = server.platform
  await sql`insert into login_names (canonical, user_id, kind) values ('borrowed', ${id('20260003')}, 'alias')`
  // Whole rows, rows that are valid only for an existing person, cells that are wrong anyway, and login names of others.
  const kinds: ((account: string, name: string) => string)[] = [
    (account) => `${account},X,cs,,`,
    (account) => `${account},,,F,`,
    (account) => `${account},X,,,`,
    (account) => `${account},X,cs,x,`,
    (account, name) => `new-${account},X,cs,,${name}`,
  ]
  const people = [
    ['20260003', 'borrowed'],
    ['T-100', 'nobodys'],
    ['20269999', 'nobodys-too'],
  ] as const
  for (const [at, rowOf] of kinds.entries()) {
    const file = people.map(([account, name]) => rowOf(account, name))
    const { rows } = await checked(importer, ['account,name,organization,gender,alias', ...file].join('\n'))
    const [elsewhere, deleted, nobody] = people.map(([account], row) =>
      JSON.parse(JSON.stringify(rows[row]).replaceAll(account, 'account')),
    )
    expect([at, elsewhere, deleted]).toEqual([at, nobody, nobody])
  }
})

test('the import itself says no more than that an account is taken, and its undo reveals nothing about who left', async () => {
  const { server, importer, organizationId } = await besideOthers()
  const { sql } = server.platform
  const file = 'account,name,organization\n20260003,X,cs\nT-100,X,cs\nown,Own,cs\nleft,Left,cs\n20260001,Other,cs'
  const { id: run, counts } = await checked(importer, file)
  expect(counts).toMatchObject({ new: 4, doubtful: 1, bad: 0 })
  await accept(importer, run)
  await step(importer, run, 'start')
  const written = await told(importer, run)
  const taken = (value: string) => ['bad', [{ column: 'account', value, reason: 'Already belongs to someone.' }], []]
  expect(written.rows).toEqual([
    taken('20260003'),
    taken('T-100'),
    ['new', [], []],
    ['new', [], []],
    ['changed', [], []],
  ])
  const create = (account: string) =>
    importer.call(`/user_information/create/`, { body: { account, name: 'X', organizationId: organizationId('cs') } })
  const reason = 'Already belongs to someone.'
  for (const account of ['20260003', 'T-100'])
    expect((await create(account)).envelope.data).toEqual({ fields: [{ field: 'account', reason }] })
  await sql`update users set organization_id = ${organizationId('art')}, version = 2 where account in ('left', '20260001')`
  await step(importer, run, 'undo')
  await settled(importer, run)
  const gone = 'Not undone: deleted in the meantime, or no longer administered by you'
  expect((await reportOf(importer, run)).slice(2).map(({ undo }) => undo)).toEqual(['Undone', gone, gone])
})
