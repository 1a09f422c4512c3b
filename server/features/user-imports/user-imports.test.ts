import { afterAll, beforeAll, expect, test } from 'vitest'
import { importFile, reportOf, settled, step, upload } from '../../testing/imports.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { workbookOf } from '../../testing/sheets.ts'
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
        { code: 'uni', name: '示范大学', names: { en: 'Demo University' } },
        { code: 'cs', name: '计算机学院', names: { en: 'Computer Science', zh_TW: '資訊學院' }, parent: 'uni' },
        { code: 'lab-cs', name: '实验室', parent: 'cs' },
        { code: 'ee', name: '电子学院', parent: 'uni' },
        { code: 'lab-ee', name: '实验室', parent: 'ee' },
      ],
      userCategories: [{ code: 'student', name: '学生', names: { en: 'Student', zh_TW: '學生' } }],
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
    select u.id, u.name, u.phone, u.mailbox, u.gender, u.birthday::text, u.activated, u.enabled, u.deleted_at,
      o.code as organization, c.code as category, u.valid_until, u.id_number is not null as has_id_number,
      array(select so.code from user_organizations uo join organizations so on so.id = uo.organization_id
        where uo.user_id = u.id order by so.code) as secondary
    from users u left join organizations o on o.id = u.organization_id left join user_categories c on c.id = u.category_id
    where u.account = ${account} order by u.deleted_at desc nulls first limit 1`
  return row
}

/** Row, outcome, and `column|value|reason` of each problem. */
const reasons = async (id: string) =>
  (await reportOf(root, id)).map(({ row, outcome, problems }) => [
    row,
    outcome,
    ...problems.map(({ column, value, reason }) => `${column}|${value}|${reason}`),
  ])

test('a file is read, checked row by row, and its valid rows are imported; importing again changes nothing', async () => {
  const file = [
    '学号,姓名,部门,其他部门,人员类别,性别,出生日期,手机号,邮箱,有效期至,备注',
    '0012001,　欧阳　娜娜,示范大学/计算机学院,lab-ee;Demo University/Computer Science/实验室,學生,女,2005年3月7日,１３８００００１２０１,a@demo.edu,2030-07-31,x',
    '0012002,𠮷野太郎,資訊學院,,student,M,20050308,,,,',
    '0012003,张三,实验室,,no,男,2005-02-30,12,b@demo.edu,soon,',
    '0012001,重复,,,,,,,,,',
    '# 0012009,示例,,,,,,,,,',
    ',无号,,,,,,,,,',
  ].join('\n')
  const uploaded = (await upload(root, file)).data
  expect(uploaded).toMatchObject({ state: 'read', format: 'csv', encoding: 'utf-8', separator: ',', rowCount: 5 })
  expect(uploaded.mapping).toEqual([
    ...[
      'account',
      'name',
      'organization',
      'secondaryOrganizations',
      'category',
      'gender',
      'birthday',
      'phone',
      'mailbox',
    ],
    ...['validUntil', null],
  ])
  expect((await step(root, uploaded.id, 'check')).data).toMatchObject({ state: 'checking' })
  const checked = await settled(root, uploaded.id)
  expect(checked.counts).toEqual({ new: 2, changed: 0, doubtful: 0, unchanged: 0, bad: 3, written: 0, accepted: 0 })
  expect(await person('0012001')).toBeUndefined()
  expect(await reasons(uploaded.id)).toEqual([
    [2, 'new'],
    [3, 'new'],
    [
      4,
      'bad',
      '部门|实验室|Several are called “实验室”. Use the code or the full path.',
      '人员类别|no|Unknown category “no”.',
      "出生日期|2005-02-30|This date doesn't exist. Write it as 2007-09-01.",
      "有效期至|soon|This date doesn't exist. Write it as 2007-09-01.",
      expect.stringMatching(/^手机号\|12\|./),
    ],
    [5, 'bad', 'null||“0012001” is already in row 2.'],
    [7, 'bad', expect.stringMatching(/^学号\|\|./)],
  ])
  await step(root, uploaded.id, 'start')
  expect(await settled(root, uploaded.id)).toMatchObject({ state: 'finished', counts: { new: 2, written: 2, bad: 3 } })
  expect(await person('0012001')).toMatchObject({
    ...{ name: '欧阳 娜娜', organization: 'cs', category: 'student', gender: 'female', birthday: '2005-03-07' },
    ...{ phone: '+8613800001201', mailbox: 'a@demo.edu', activated: false, secondary: ['lab-cs', 'lab-ee'] },
    validUntil: new Date('2030-07-31T16:00:00Z'),
  })
  expect(await person('0012002')).toMatchObject({ name: '𠮷野太郎', organization: 'cs', gender: 'male' })
  const again = await importFile(root, file)
  expect(again.counts).toEqual({ new: 0, changed: 0, doubtful: 0, unchanged: 2, bad: 3, written: 0, accepted: 0 })
  const lines = await server.platform.sql`
    select action, target_id from audit_records where user_id = ${(await person('0012001'))?.['id']} and action = 'account.create'`
  expect(lines).toHaveLength(1)
})

test('a timestamp that can not be stored is reported in its row, the maximum date is accepted', async () => {
  const run = await importFile(root, 'account,name,validUntil\n35001,Never,0000-01-01\n35002,Ever,9999-12-31\n')
  expect(run).toMatchObject({ state: 'finished', counts: { new: 1, bad: 1, written: 1 } })
  expect(await person('35002')).toMatchObject({ validUntil: new Date('9999-12-31T16:00:00Z') })
})

test('formulas, merged cells and inexact numbers of a workbook are reported and never imported', async () => {
  const sheet = `<sheetData>
    <row r="1"><c t="str"><v>account</v></c><c t="str"><v>Name</v></c><c t="str"><v>ID number</v></c><c t="str"><v>Date of birth</v></c></row>
    <row r="2"><c><v>2.2001E4</v></c><c t="str"><v>Number</v></c><c/><c s="1"><v>38000</v></c></row>
    <row r="3"><c t="str"><v>22002</v></c><c t="str"><f>HYPERLINK("http://x")</f><v>Formula</v></c></row>
    <row r="4"><c t="str"><v>22003</v></c><c t="str"><v>Long</v></c><c><v>110105199001011200</v></c></row>
    <row r="5"><c t="str"><v>22004</v></c><c t="str"><v>Merged</v></c></row></sheetData><mergeCells><mergeCell ref="B5:B6"/></mergeCells>`
  const run = await importFile(root, workbookOf({ sheet, formats: ['yyyy-mm-dd'] }))
  expect(run).toMatchObject({ format: 'xlsx', counts: { new: 1, bad: 3, written: 1 } })
  expect(await person('22001')).toMatchObject({ name: 'Number', birthday: '2004-01-14' })
  const told = (await reasons(run.id)).slice(1).map((line) => String(line[2]).replace(/\|[^|]*$/, ''))
  expect(told).toEqual(['Name|Formula', 'ID number|…00', 'Name|Merged'])
  for (const account of ['22002', '22003', '22004']) expect(await person(account)).toBeUndefined()
})

test('numbers of identity documents are nowhere stored in clear', async () => {
  const run = await importFile(root, 'account,name,idNumber\n23001,Secret,11010519900101123X\n')
  expect(run.counts).toMatchObject({ new: 1, written: 1 })
  expect((await person('23001'))?.['hasIdNumber']).toBe(true)
  const rows = await server.platform
    .sql`select row_to_json(r)::text as text from user_import_rows r where import_id = ${run.id}`
  expect(JSON.stringify(rows)).not.toContain('19900101')
})

test('the column chosen for a heading is remembered, and a file without accounts is rejected', async () => {
  const file = 'code x,called\n24001,Somebody\n'
  const first = (await upload(root, file)).data
  expect(first.mapping).toEqual([null, null])
  const answer = await step(root, first.id, 'check', [null, 'name'])
  expect(answer).toMatchObject({ status: 422, envelope: { code: 'import.no-account-column' } })
  await step(root, first.id, 'check', ['account', 'name'])
  expect((await settled(root, first.id)).counts).toMatchObject({ new: 1 })
  expect((await upload(root, file)).data.mapping).toEqual(['account', 'name'])
})

test('the report downloads as the same file with an error column; corrected, it can be imported', async () => {
  const file = 'account;name;gender\n25001;=cmd;F\n25002;Good;F\n25003;Bad;x\n'
  const run = await importFile(root, file)
  expect(run.counts).toMatchObject({ new: 1, bad: 2, written: 1 })
  const cookie = root.browser.cookieHeader('/auth_service/')
  const answer = await signedFetch(server, `/user_information/${run.id}/import/download/`, {
    token: root.token,
    cookie,
  })
  const text = await answer.text()
  expect(answer.headers.get('content-disposition')).toContain('import-report.csv')
  expect(text.replace(/^\ufeff/, '').split(/\r?\n/)).toEqual([
    'account,name,gender,# Problem',
    "25001,'=cmd,F,name: The cell contains a formula. Paste it as a value.",
    '25003,Bad,x,"gender: Write male, female or unknown."',
  ])
  const fixed = await importFile(root, text.replace("'=cmd", 'Cmd').replace('Bad,x', 'Better,m'))
  expect(fixed.counts).toEqual({ new: 2, changed: 0, doubtful: 0, unchanged: 0, bad: 0, written: 2, accepted: 0 })
})

test('undoing reverses what nobody has touched since and reports what it had to leave', async () => {
  await addPerson(server, { account: '26001', name: 'Before', phone: '13800002601' })
  await addPerson(server, { account: '26002', name: 'Before too', mailbox: 'before@demo.edu' })
  const run = await importFile(
    root,
    'account,name,phone,mailbox,gender\n26001,After,13900002601,,\n26002,After too,,after@demo.edu,F\n26003,New,,,\n26004,New used,,,\n',
  )
  expect(run.counts).toMatchObject({ new: 2, changed: 2, written: 4 })
  await server.platform.sql`update users set mailbox = 'since@demo.edu', version = version + 1 where account = '26002'`
  await server.platform.sql`update users set last_login_at = now(), activated = true where account = '26004'`
  expect((await step(root, run.id, 'undo')).status).toBe(200)
  const undone = await settled(root, run.id)
  expect(undone).toMatchObject({ state: 'undone', undo: { undone: 2, partly: 1, kept: 1 } })
  expect(await person('26001')).toMatchObject({ name: 'Before', phone: '+8613800002601' })
  expect(await person('26002')).toMatchObject({ name: 'Before too', mailbox: 'since@demo.edu', gender: 'unknown' })
  expect((await person('26003'))?.['deletedAt']).not.toBeNull()
  expect((await person('26004'))?.['deletedAt']).toBeNull()
  expect((await reportOf(root, run.id)).map(({ undo }) => undo)).toEqual([
    ...['Undone', 'Undone except for later changes', 'Undone', 'Not undone: used or changed in the meantime'],
  ])
})

test('a scoped administrator imports only into their scope, and neither changes nor sees anybody else', async () => {
  const { sql } = server.platform
  const [cs] = await sql<{ id: string }[]>`select id from organizations where code = 'cs'`
  const admin = await openPortal(server, { permissions: ['import'], administers: cs?.id ?? '' })
  await addPerson(server, { account: '27001', name: 'Outside', organization: 'ee' })
  await addPerson(server, { account: '27002', name: 'Root of cs', organization: 'cs', isSuperUser: true })
  await addPerson(server, { account: '27003', name: 'Inside', organization: 'cs' })
  const rows = [
    '27001,Taken,cs',
    '27002,Taken,cs',
    '27003,Changed,lab-cs',
    '27004,New,cs',
    '27005,New,ee',
    '27006,New,',
    `${admin.user.account},Me,cs`,
  ]
  const run = await importFile(admin, `account,name,organization\n${rows.join('\n')}\n`)
  expect((await reportOf(admin, run.id)).map(({ account, outcome, written }) => [account, outcome, written])).toEqual([
    ['27001', 'bad', false],
    ['27002', 'bad', false],
    ['27003', 'changed', true],
    ['27004', 'new', true],
    ['27005', 'bad', false],
    ['27006', 'bad', false],
    [admin.user.account, 'bad', false],
  ])
  expect(await person('27001')).toMatchObject({ name: 'Outside', organization: 'ee' })
  expect(await step(admin, run.id, 'check', ['account', 'name', 'roles'])).toMatchObject({
    envelope: { code: 'import.columns-not-allowed' },
  })
  const other = await openPortal(server, { permissions: ['import'] })
  expect((await other.call(`/user_information/${run.id}/import/`)).envelope.code).toBe('import.not-found')
  expect((await other.call(`/user_information/${run.id}/import/rows/`)).status).toBe(404)
  expect((await other.call('/user_information/import/query/')).envelope.total).toBe(0)
  const onlooker = await openPortal(server, { permissions: ['edit'] })
  expect((await upload(onlooker, 'account\n1\n')).status).toBe(403)
})

test('an import can not take the last super user away', async () => {
  const run = await importFile(root, `account,enabled\n${root.user.account},0\n`)
  // There are other super users now, so demotes all of them at once.
  expect(run.counts.written + run.counts.bad).toBe(1)
  const supers = await server.platform.sql<
    { account: string }[]
  >`select account from users where is_super_user and enabled`
  await server.platform.sql`update users set enabled = true where account = ${root.user.account}`
  const page = await openPortal(server, { userId: root.user.userId })
  const all = [...new Set([...supers.map(({ account }) => account), root.user.account])]
  const every = await importFile(page, `account,enabled\n${all.map((account) => `${account},0`).join('\n')}\n`)
  expect(every.counts.bad).toBeGreaterThan(0)
  root = await openPortal(server, { userId: root.user.userId })
  const left = await server.platform.sql`select 1 from users where is_super_user and enabled and deleted_at is null`
  expect(left.length).toBeGreaterThan(0)
})

test('roles are imported by code or name, and undone', async () => {
  await applyBootstrap(
    server.platform,
    {
      roles: [
        { code: 'lib', name: '图书馆' },
        { code: 'gym', name: 'Gym', names: { zh_CN: '体育馆' } },
      ],
    },
    { source: 'test' },
  )
  await addPerson(server, { account: '29001', roles: ['lib'] })
  const run = await importFile(root, 'account,name,roles\n29001,,体育馆；lib\n29002,New,图书馆\n29003,Bad,none\n')
  expect(run.counts).toMatchObject({ new: 1, changed: 1, bad: 1, written: 2 })
  const roles = async (account: string) =>
    (
      await server.platform.sql<{ code: string }[]>`
        select r.code from role_members m join roles r on r.id = m.role_id join users u on u.id = m.user_id
        where u.account = ${account} order by r.code`
    ).map(({ code }) => code)
  expect([await roles('29001'), await roles('29002')]).toEqual([['gym', 'lib'], ['lib']])
  expect((await importFile(root, 'account,roles\n29001,lib;gym\n')).counts).toMatchObject({ unchanged: 1 })
  await step(root, run.id, 'undo')
  expect((await settled(root, run.id)).undo).toEqual({ undone: 2, partly: 0, kept: 0 })
  expect(await roles('29001')).toEqual(['lib'])
})

test('a former super user can not undo roles', async () => {
  await applyBootstrap(server.platform, { roles: [{ code: 'staff', name: 'Staff' }] }, { source: 'test' })
  await addPerson(server, { account: '29101', name: 'Elsewhere' })
  const former = await openPortal(server, { isSuperUser: true, permissions: ['import'] })
  const run = await importFile(former, 'account,roles\n29101,staff\n')
  expect(run.counts).toMatchObject({ changed: 1, written: 1 })
  await server.platform.sql`update users set is_super_user = false where id = ${former.user.userId}`
  await step(former, run.id, 'undo')
  expect((await settled(former, run.id)).undo).toMatchObject({ undone: 0 })
  const left = await server.platform.sql`
    select from role_members m join users u on u.id = m.user_id where u.account = '29101'`
  expect(left).toHaveLength(1)
})

test('property names that every object has are no values', async () => {
  const run = await importFile(root, 'account,name,gender,enabled\n29201,New,constructor,\n29202,New,,toString\n')
  expect([run.state, run.counts.bad]).toEqual(['finished', 2])
})
