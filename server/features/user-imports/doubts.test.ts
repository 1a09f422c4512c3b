import { expect, test } from 'vitest'
import { accept, listedReportOf, runOf, settled, step, upload } from '../../testing/imports.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'
import { runTasks } from '../../testing/tasks.ts'
import { importTasks } from './index.ts'

const FILE = `account,name,gender,birthday,mailbox
1,Other,,,one@school.test
2,,female,,
3,,,2003-03-03,
4, LIN  wei ,male,2004-04-04,four@school.test
5,Five,<>,<>,five@school.test
6,New,,,
7,Bad,x,,`

async function checkedFile() {
  const server = await testServer()
  await runTasks(server, importTasks)
  for (const [account, name] of Object.entries({ 1: 'One', 2: 'Two', 3: 'Three', 4: 'Lin Wei', 5: 'Five' })) {
    await addPerson(server, { account, name })
  }
  const { sql } = server.platform
  await sql`update users set gender = 'male', birthday = '2000-01-01' where account in ('2', '3', '5')`
  const root = await openPortal(server, { isSuperUser: true })
  const { id } = (await upload(root, FILE)).data
  await step(root, id, 'check')
  await settled(root, id)
  const nameOf = async (account: string) => (await sql`select name from users where account = ${account}`)[0]?.['name']
  return { server, root, id, nameOf }
}

test('a row that would turn a person into somebody else is reported first and excluded', async () => {
  const { root, id, nameOf } = await checkedFile()
  expect((await runOf(root, id)).counts).toEqual({
    ...{ new: 1, changed: 2, doubtful: 3, unchanged: 0, bad: 1, accepted: 0, written: 0 },
  })
  expect((await listedReportOf(root, id)).map(({ account, outcome }) => `${account} ${outcome}`)).toEqual([
    ...['7 bad', '1 doubtful', '2 doubtful', '3 doubtful', '4 changed', '5 changed', '6 new'],
  ])
  const [, first] = await listedReportOf(root, id)
  expect(first?.changes).toContainEqual({ field: 'name', values: { before: 'One', after: 'Other' } })
  await step(root, id, 'start')
  expect((await settled(root, id)).counts).toMatchObject({ new: 1, changed: 2, doubtful: 3, bad: 1, written: 3 })
  expect(await nameOf('1')).toBe('One')
})

test('it is imported after confirmation, one by one or all; a new check resets this', async () => {
  const { server, root, id, nameOf } = await checkedFile()
  expect((await accept(root, id, [2])).data.counts).toMatchObject({ accepted: 1 })
  expect((await accept(root, id)).data.counts).toMatchObject({ doubtful: 3, accepted: 3 })
  expect((await accept(root, id, [3, 4], false)).data.counts).toMatchObject({ accepted: 1 })
  // Only doubtful rows can be accepted.
  expect((await accept(root, id, [7, 8])).data.counts).toMatchObject({ accepted: 1 })
  await step(root, id, 'check')
  expect((await settled(root, id)).counts).toMatchObject({ doubtful: 3, accepted: 0 })
  await accept(root, id, [2])
  await step(root, id, 'start')
  expect((await settled(root, id)).counts).toMatchObject({ changed: 3, doubtful: 2, accepted: 0, written: 4 })
  expect(await nameOf('1')).toBe('Other')
  const late = await accept(root, id)
  expect(late).toMatchObject({ status: 409, envelope: { code: 'import.wrong-state' } })
  const lines = await server.platform.sql`
    select count(*)::int as lines from audit_records where action = 'user-import.accept' and target_id = ${id}`
  expect(lines).toEqual([{ lines: 5 }])
  await step(root, id, 'undo')
  await settled(root, id)
  expect(await nameOf('1')).toBe('One')
})
