import { expect, test } from 'vitest'
import { reportOf, settled, step, upload } from '../../testing/imports.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { school } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'
import { runTasks } from '../../testing/tasks.ts'
import { importTasks } from './index.ts'

test('before an import its changes are shown per person, and for unreadable values only that they change', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  await runTasks(server, importTasks)
  const root = await openPortal(server, { isSuperUser: true })
  const importer = await openPortal(server, { permissions: ['import'], administers: organizationId('cs') })
  const fields = { name: 'Lin', gender: 'male', mailbox: 'lin@school.test', idNumber: '11010519491231002X' }
  await root.call(`/user_information/${id('20260001')}/update/`, { body: { version: 1, ...fields } })
  const columns = 'account,name,gender,mailbox,idNumber,validUntil'
  const row = '20260001,Lin Wei,male,wei@school.test,110105194912310038,2030-06-30'
  const changes = async (page: Portal) => {
    const run = (await upload(page, `${columns}\n${row}\n`)).data
    await step(page, run.id, 'check', columns.split(',') as never)
    await settled(page, run.id)
    const [found] = await reportOf(page, run.id)
    return Object.fromEntries(found?.changes.map(({ field, values }) => [field, values]) ?? [])
  }
  const shown = { name: { before: 'Lin', after: 'Lin Wei' }, validUntil: { before: '', after: '2030-06-30' } }
  const mailbox = { before: expect.stringMatching(/^l\*+/), after: expect.stringMatching(/^w\*+/) }
  expect(await changes(root)).toEqual({ ...shown, mailbox, idNumber: null })
  expect(await changes(importer)).toEqual({ ...shown, mailbox: null, idNumber: null })
})
