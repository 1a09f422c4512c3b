import { afterAll, beforeAll, expect, test } from 'vitest'
import { importFile, reportOf, settled, step, upload } from '../../testing/imports.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { workbookOf } from '../../testing/sheets.ts'
import { startTasks } from '../background-tasks/index.ts'
import { importTasks } from './index.ts'

let server: TestServer
let root: Portal
let stop: () => Promise<void>
const statements: string[] = []
beforeAll(async () => {
  server = await startTestServer({ onStatement: (text) => statements.push(text) })
  ;({ stop } = await startTasks(server.platform, importTasks))
  root = await openPortal(server, { isSuperUser: true })
})
afterAll(async () => {
  await stop()
  await server.close()
})

test('an invalid file is rejected in words, and leaves nothing behind', async () => {
  const count = async () => (await server.platform.sql`select 1 from user_imports`).length
  const before = await count()
  const answers = [
    await upload(root, '<html></html>', 'people.xlsx'),
    await upload(root, 'account,name\n28990,Text\n', 'people.xlsx'),
    await upload(root, 'account,name\n'),
    await upload(root, ''),
    await root.call('/user_information/import/upload/?fileName=a.csv', { body: { a: 1 } }),
  ]
  expect(answers.map(({ envelope }) => envelope.code)).toEqual([
    ...['sheet.not-a-sheet', 'import.not-excel', 'import.no-rows', 'sheet.empty', 'request.invalid'],
  ])
  expect(await count()).toBe(before)
})

test.each([
  ['学号/工号', '工号', '学号', '学工号', '工号/学号', '学号（工号）', '职工号', '教工号', '员工编号', '学号或工号'],
  ['學號/員工編號', '學號', '工號', '員工編號', '學工號', '學號／工號', '教職員編號', '帳號'],
  ['Number', 'Student ID / Staff ID', 'student no.', 'Employee number', 'ACCOUNT *', 'user name', 'ID'],
])('%s is read as the account, and so are its variants', async (...headings) => {
  for (const heading of headings) {
    const { data } = await upload(root, `No.,${heading},姓名\n1,29401,Name\n`)
    expect([heading, data.mapping]).toEqual([heading, [null, 'account', 'name']])
  }
})

test('a heading in an added language is recognised too', async () => {
  const fields = { name: 'ئۇيغۇرچە', direction: 'rtl', fallback: 'zh_CN', position: 9 }
  expect((await root.call('/language/ug/add/', { body: fields })).status).toBe(200)
  const texts = [{ key: 'import-field.name', text: 'ئىسمى', version: 0 }]
  expect((await root.call('/language/ug/update/', { body: { texts } })).status).toBe(200)
  const { data } = await upload(root, '工号,ئىسمى\n29402,Name\n')
  expect(data.mapping).toEqual(['account', 'name'])
})

test('words for two fields in one heading name neither', async () => {
  const { data } = await upload(root, '学号,姓名/手机\n29401,Name\n')
  expect(data.mapping).toEqual(['account', null])
})

test('half a surrogate pair in a workbook is reported at its cell and does not end the check of the file', async () => {
  const rows = [
    ['account', 'name', 'mailbox', 'nickname', `x${'🙂'.repeat(60)}`],
    ['29301', '_xD800_', '', ''],
    ['29302_xDFFF_', 'Name', '', ''],
    ['29303', 'Name', 'a_xD800_@demo.edu', ''],
    ['29304', 'Name', '', ''],
  ]
  const cells = (row: string[]) => row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')
  const sheet = `<sheetData>${rows.map((row) => `<row>${cells(row)}</row>`).join('')}</sheetData>`
  const run = await importFile(root, workbookOf({ sheet }))
  expect(run).toMatchObject({ state: 'finished', task: { error: null } })
  const reason = expect.stringContaining('contains a character that was lost')
  expect((await reportOf(root, run.id)).map(({ row, outcome, problems }) => [row, outcome, ...problems])).toEqual([
    [2, 'bad', { column: 'name', value: '\ufffd', reason }],
    [3, 'bad', { column: 'account', value: '29302\ufffd', reason }],
    [4, 'bad', { column: 'mailbox', value: 'a\ufffd@demo.edu', reason }],
    [5, 'new'],
  ])
})

test('a tiny workbook that would fill the database is rejected, with the row', async () => {
  const row = (count: number) => `<row>${'<c t="s"><v>0</v></c>'.repeat(count)}</row>`
  const sheet = `<sheetData>${row(1)}${row(256).repeat(400)}</sheetData>`
  const answer = await upload(root, workbookOf({ sheet, strings: ['A'.repeat(2000)] }))
  expect(answer.envelope).toMatchObject({ code: 'sheet.row-too-long' })
  expect(answer.envelope.message).toContain('Row 2 has more than 10000 characters')
  const [left] = await server.platform.sql`select count(*)::int as count from user_import_rows r join user_imports i
    on i.id = r.import_id where i.owner_id = ${root.user.userId} and length(r.cells) > 10000`
  expect(left?.['count']).toBe(0)
})

test('unused files make room for newer ones; an imported one that can be undone does not', async () => {
  const page = await openPortal(server, { isSuperUser: true })
  const { sql } = server.platform
  const take = (id: string, megabytes: number) =>
    sql`update user_imports set staged_bytes = ${megabytes * 1024 * 1024} where id = ${id}`
  const open = (await upload(page, 'account,name\n29401,Open\n')).data
  const done = await importFile(page, 'account,name\n29402,Done\n')
  const [size] = await sql`select staged_bytes::int as bytes from user_imports where id = ${done.id}`
  expect(size?.['bytes']).toBeGreaterThan(50)
  await take(open.id, 600)
  await take(done.id, 600)
  const next = await upload(page, 'account,name\n29403,Next\n')
  expect(next.status).toBe(200)
  expect((await step(page, open.id, 'check')).envelope.code).toBe('import.expired')
  await take(done.id, 1024)
  const refused = await upload(page, 'account,name\n29404,Refused\n')
  expect([refused.status, refused.envelope.code]).toEqual([409, 'import.no-room'])
  expect(refused.envelope.message).toContain('1024 MB')
  // A rejection loses nothing, and others have a quota of their own.
  await step(page, next.data.id, 'check')
  expect(await settled(page, next.data.id)).toMatchObject({ state: 'checked', counts: { new: 1 } })
  expect((await upload(root, 'account,name\n29404,Else\n')).status).toBe(200)
})

test('two files that come at once are read one after the other', async () => {
  const other = await openPortal(server, { isSuperUser: true })
  const file = `account,name\n${Array.from({ length: 3000 }, (_, at) => `t${at},Name`).join('\n')}\n`
  statements.length = 0
  const answers = await Promise.all([upload(root, file), upload(other, file)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const steps = statements.flatMap((text) => /(insert into|update) user_imports\b/.exec(text)?.[1] ?? [])
  expect(steps).toEqual(['insert into', 'update', 'insert into', 'update'])
})
