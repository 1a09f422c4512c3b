import { afterAll, beforeAll, expect, test } from 'vitest'
import { importFile, upload } from '../../testing/imports.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { signedFetch } from '../../testing/signed.ts'
import { startTasks } from '../background-tasks/index.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { importTasks } from './index.ts'

let server: TestServer
let root: Portal
let stop: () => Promise<void>
beforeAll(async () => {
  server = await startTestServer()
  ;({ stop } = await startTasks(server.platform, importTasks))
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
  await applyBootstrap(
    server.platform,
    {
      organizations: [
        { code: 'uni', name: 'Uni' },
        { code: 'cs', name: 'CS', parent: 'uni' },
        { code: 'ee', name: 'EE', parent: 'uni' },
      ],
      userCategories: [{ code: 'student', name: 'Student' }],
    },
    { source: 'test' },
  )
  await addPerson(server, {
    account: '001',
    name: '=cmd|calc',
    organization: 'cs',
    phone: '13800000001',
    category: 'student',
  })
  await addPerson(server, {
    account: '002',
    name: '𠮷',
    organization: 'ee',
    mailbox: 'two@demo.edu',
    idNumber: '11010519900101123X',
  })
})
afterAll(async () => {
  await stop()
  await server.close()
})

const exported = async (page: Portal, query: string) => {
  const cookie = page.browser.cookieHeader('/auth_service/')
  const answer = await signedFetch(server, `/user_information/export/?format=csv${query}`, {
    token: page.token,
    cookie,
  })
  return { status: answer.status, text: (await answer.text()).replace(/^\ufeff/, '') }
}

test('the list of people is exported with its filters; formulas stay text, and the file can be imported unchanged', async () => {
  const all = await exported(root, '&search=00')
  expect(all.text).toContain("001,'=cmd|calc,Student,Uni/CS,,,unknown,,'+8613800000001,")
  expect(all.text).toContain('002,𠮷,,Uni/EE,')
  expect(all.text).not.toContain('19900101')
  expect((await exported(root, '&search=002&searchBy=1')).text.split('\r\n').filter(Boolean)).toHaveLength(2)
  const lines = await server.platform.sql`
    select after from audit_records where action = 'users.export' order by at, id`
  expect(lines.at(-1)?.['after']).toEqual({ format: 'csv', filters: { search: '002', searchBy: '1' } })
  const run = await importFile(root, all.text)
  expect(run.counts).toMatchObject({ new: 0, changed: 0, bad: 0, written: 0 })
  expect(run.counts.unchanged).toBeGreaterThan(1)
})

test('whatever separator a program uses, no cell of an exported file is a formula, and the texts can be imported', async () => {
  const nickname = 'a;=1+1;b; -2'
  await addPerson(server, { account: '003', name: 'a;=1;b', organization: 'cs' })
  await server.platform.sql`update users set nickname = ${nickname} where account = '003'`
  const { text } = await exported(root, '&search=003')
  expect(text).toContain('"a;\'=1;b"')
  for (const separator of [',', ';', /[,;]/]) {
    const cells = text.split(/\r\n/).flatMap((line) => line.split(separator))
    expect(cells.filter((cell) => /^"?\s*[=+\-@]/.test(cell))).toEqual([])
  }
  expect((await importFile(root, text)).counts).toMatchObject({ changed: 0, bad: 0, unchanged: 1 })
})

test('an administrator exports people where permitted, masked where they may not edit', async () => {
  const [cs] = await server.platform.sql<{ id: string }[]>`select id from organizations where code = 'cs'`
  const importer = await openPortal(server, { permissions: ['import'], administers: cs?.id ?? '' })
  const masked = (await exported(importer, '')).text
  expect(masked).toContain('138****0001')
  expect(masked).not.toContain('002,')
  expect(masked).not.toContain('Uni')
  const editor = await openPortal(server, { permissions: ['import', 'edit'], administers: cs?.id ?? '' })
  expect((await exported(editor, '')).text).toContain('13800000001')
  const onlooker = await openPortal(server, { permissions: ['edit'], administers: cs?.id ?? '' })
  expect((await exported(onlooker, '')).status).toBe(403)
  expect((await upload(onlooker, 'account\n1\n')).status).toBe(403)
})
