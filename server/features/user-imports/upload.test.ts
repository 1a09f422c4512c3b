import { afterAll, beforeAll, expect, test } from 'vitest'
import { importFile, reportOf, upload } from '../../testing/imports.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { workbookOf } from '../../testing/sheets.ts'
import { startTasks } from '../background-tasks/index.ts'
import { importTasks } from './index.ts'

let server: TestServer
let root: Portal
let stop: () => Promise<void>
beforeAll(async () => {
  server = await startTestServer()
  ;({ stop } = await startTasks(server.platform, importTasks))
  root = await openPortal(server, { isSuperUser: true })
})
afterAll(async () => {
  await stop()
  await server.close()
})

test('a file that is no file is refused in words, and leaves nothing behind', async () => {
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

test('half a sign in a workbook is told of its cell and does not end the check of the file', async () => {
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
  const reason = expect.stringContaining('holds a sign that was lost')
  expect((await reportOf(root, run.id)).map(({ row, outcome, problems }) => [row, outcome, ...problems])).toEqual([
    [2, 'bad', { column: 'name', value: '\ufffd', reason }],
    [3, 'bad', { column: 'account', value: '29302\ufffd', reason }],
    [4, 'bad', { column: 'mailbox', value: 'a\ufffd@demo.edu', reason }],
    [5, 'new'],
  ])
})

/** The longest that anybody else waits for an answer meanwhile, in milliseconds. */
async function longestWait(work: Promise<unknown>): Promise<number> {
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  let longest = 0
  while (!isOver) {
    const asked = performance.now()
    await (await fetch(`${server.url}/healthz`)).text()
    longest = Math.max(longest, performance.now() - asked)
  }
  await over
  return longest
}

test('while a large file is read everybody else is answered', { timeout: 60_000 }, async () => {
  const formulas = `account${',x'.repeat(255)}\n${`${Array(256).fill('=').join(',')}\n`.repeat(8000)}`
  const lines = `a,b\n1,2\n${'\n'.repeat(5_000_000)}`
  for (const file of [formulas, lines]) {
    const bytes = Buffer.from(file)
    expect(await longestWait(upload(root, bytes))).toBeLessThan(500)
  }
})
