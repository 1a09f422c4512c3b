import { expect, test } from 'vitest'
import { reportOf, settled, step, upload } from '../../testing/imports.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { school } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'
import { runTasks } from '../../testing/tasks.ts'
import { importTasks } from './index.ts'

test('a check tells nobody that they guessed a number which they may not read', async () => {
  const server = await testServer()
  const { id, place } = await school(server)
  await runTasks(server, importTasks)
  const root = await openPortal(server, { isSuperUser: true })
  const importer = await openPortal(server, { powers: ['import'], administers: place('cs') })
  const editor = await openPortal(server, { powers: ['import', 'edit'], administers: place('cs') })
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
  // What is shown to them anyway.
  expect(await outcome(editor, 'phone', '13800001234')).toEqual(['unchanged'])
  expect(await outcome(editor, 'idNumber', number)).toEqual(['changed'])
  expect(await outcome(importer, 'gender', 'unknown')).toEqual(['unchanged'])
})

test('nor whether a number or mailbox belongs to somebody elsewhere; the import itself refuses it', async () => {
  const server = await testServer()
  const { id, place } = await school(server)
  await runTasks(server, importTasks)
  const importer = await openPortal(server, { powers: ['import'], administers: place('cs') })
  await server.platform.sql`update users set organization_id = ${place('art')} where id = ${id('20260001')}`
  const run = (await upload(importer, 'account,name,organization,phone\nx1,X,cs,13800001234\nx2,Y,cs,13800001235')).data
  await step(importer, run.id, 'check')
  await settled(importer, run.id)
  expect((await reportOf(importer, run.id)).map((row) => row.outcome)).toEqual(['new', 'new'])
  await step(importer, run.id, 'start')
  await settled(importer, run.id)
  const [row] = await server.platform.sql`select count(*)::int as written from users where account in ('x1', 'x2')`
  expect(row).toEqual({ written: 1 })
})
