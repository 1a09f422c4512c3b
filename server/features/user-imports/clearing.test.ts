import { afterAll, beforeAll, expect, test } from 'vitest'
import { importFile, reportOf, settled, step } from '../../testing/imports.ts'
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
  root = await openPortal(server, { isSuperUser: true })
  await applyBootstrap(
    server.platform,
    {
      organizations: [
        { code: 'uni', name: 'Uni' },
        { code: 'cs', name: 'CS', parent: 'uni' },
      ],
      userCategories: [{ code: 'student', name: 'Student' }],
      roles: [{ code: 'lib', name: 'Library' }],
    },
    { source: 'test' },
  )
})
afterAll(async () => {
  await stop()
  await server.close()
})

const person = async (account: string) => {
  const [row] = await server.platform.sql`
    select u.name, u.nickname, u.gender, u.birthday::text, u.phone, u.mailbox, u.alias, u.id_number,
      u.category_id is not null as has_category, u.personnel_type_id as personnel_type, u.valid_until,
      o.code as organization, array(select r.code from role_members m join roles r on r.id = m.role_id where m.user_id = u.id) as roles,
      array(select so.code from user_organizations uo join organizations so on so.id = uo.organization_id
        where uo.user_id = u.id) as secondary
    from users u left join organizations o on o.id = u.organization_id where u.account = ${account}`
  return { ...row, idNumber: row?.['idNumber'] && server.platform.secrets.open(row['idNumber']) }
}

const HEADINGS =
  'account,name,nickname,gender,birthday,phone,mailbox,alias,idNumber,category,organization,secondaryOrganizations,roles,validUntil,enabled'
const FULL =
  '3001,Ann,Annie,female,2001-02-03,13800003001,ann@demo.edu,annie,11010519900101123X,student,cs,uni,lib,2099-01-01,1'
const WITH = {
  name: 'Ann',
  nickname: 'Annie',
  gender: 'female',
  birthday: '2001-02-03',
  phone: '+8613800003001',
  mailbox: 'ann@demo.edu',
  alias: 'annie',
  idNumber: '11010519900101123X',
  hasCategory: true,
  organization: 'cs',
  roles: ['lib'],
  secondary: ['uni'],
}
const WITHOUT = {
  name: 'Ann',
  nickname: null,
  gender: 'unknown',
  birthday: null,
  phone: null,
  mailbox: null,
  alias: null,
  idNumber: null,
  hasCategory: false,
  organization: null,
  roles: [],
  secondary: [],
  validUntil: null,
}

test('an empty cell leaves the value unchanged, <> clears it, and undoing restores everything', async () => {
  await importFile(root, `${HEADINGS}\n${FULL}\n`)
  expect(await person('3001')).toMatchObject(WITH)
  const silent = await importFile(root, `${HEADINGS}\n3001${','.repeat(14)}\n`)
  expect(silent.counts).toMatchObject({ unchanged: 1, changed: 0 })
  const sign = ['<>', '＜＞', ' < > ']
  const cleared = Array.from({ length: 12 }, (_, at) => sign[at % 3])
  const run = await importFile(root, `${HEADINGS}\n3001,,${cleared.join(',')},\n`)
  expect(run.counts).toMatchObject({ changed: 1, bad: 0, written: 1 })
  expect(await person('3001')).toMatchObject(WITHOUT)
  const again = await importFile(root, `${HEADINGS}\n3001,,${cleared.join(',')},\n`)
  expect(again.counts).toMatchObject({ unchanged: 1, written: 0 })
  await step(root, run.id, 'undo')
  expect((await settled(root, run.id)).undo).toEqual({ undone: 1, partly: 0, kept: 0 })
  expect(await person('3001')).toMatchObject(WITH)
})

test('required values can not be cleared, and a new person with only a name may contain <>', async () => {
  await addPerson(server, { account: '3101', name: 'Bob' })
  const run = await importFile(root, 'account,name,enabled,phone\n3101,<>,,\n3103,New,<>,\n<>,X,,\n3102,New,,<>\n')
  const told = (await reportOf(root, run.id)).map(({ outcome, problems }) => [
    outcome,
    ...problems.map(({ column, reason }) => `${column}: ${reason}`),
  ])
  const refused = "Can't be cleared: everyone needs one."
  expect(told).toEqual([
    ['bad', `name: ${refused}`],
    ['bad', `enabled: ${refused}`],
    ['bad', `account: ${refused}`],
    ['new'],
  ])
  expect(await person('3101')).toMatchObject({ name: 'Bob' })
})

test('a scoped administrator can not leave a person without an organisation', async () => {
  const [cs] = await server.platform.sql<{ id: string }[]>`select id from organizations where code = 'cs'`
  const page = await openPortal(server, { permissions: ['import'], administers: cs?.id ?? '' })
  for (const account of ['3201', '3202']) {
    await addPerson(server, { account, name: 'Cid', organization: 'cs', phone: `1380000${account}` })
  }
  const run = await importFile(page, 'account,organization,phone\n3201,<>,\n3202,,<>\n')
  expect((await reportOf(page, run.id)).map(({ outcome }) => outcome)).toEqual(['bad', 'changed'])
  expect(await person('3201')).toMatchObject({ organization: 'cs', phone: '+8613800003201' })
  expect(await person('3202')).toMatchObject({ organization: 'cs', phone: null })
})

test('undoing restores the number of an identity document unless it was changed since; it is nowhere stored in clear', async () => {
  await addPerson(server, { account: '3301', name: 'Dan', idNumber: '11010519900101123X' })
  await addPerson(server, { account: '3302', name: 'Eve' })
  await addPerson(server, { account: '3303', name: 'Fay', idNumber: 'E10000001' })
  const file = 'account,idNumber\n3301,E20000001\n3302,E20000002\n3303,E20000003\n'
  const run = await importFile(root, file)
  expect((await person('3301')).idNumber).toBe('E20000001')
  const rows = JSON.stringify(await server.platform.sql`select before, after from user_import_rows`)
  expect(rows).not.toMatch(/E2000000|E10000001|19900101/)
  await importFile(root, 'account,idNumber\n3303,E30000003\n')
  await step(root, run.id, 'undo')
  expect((await settled(root, run.id)).undo).toEqual({ undone: 2, partly: 0, kept: 1 })
  expect((await person('3301')).idNumber).toBe('11010519900101123X')
  expect((await person('3302')).idNumber).toBeNull()
  expect((await person('3303')).idNumber).toBe('E30000003')
  const lines = JSON.stringify(await server.platform.sql`select before, after from audit_records`)
  expect(lines).not.toMatch(/E2000000|E10000001|19900101/)
})

test('the template explains how to clear a value', async () => {
  const cookie = root.browser.cookieHeader('/auth_service/')
  for (const language of ['en', 'zh-CN', 'zh-TW']) {
    const headers = { 'accept-language': language }
    const options = { token: root.token, cookie, headers }
    const answer = await signedFetch(server, '/user_information/import/template/?format=csv', options)
    expect((await answer.text()).split('\r\n')[1]).toMatch(/^"?# .*<>/)
  }
})
