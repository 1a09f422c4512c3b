import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AddressPreview, CorporateMailbox } from '#shared/contract/corporate-mailbox.ts'
import type { OwnHomePage } from '#shared/contract/home-page.ts'
import { MAIL_PROVIDERS } from '../../../tools/simulators/index.ts'
import { addMailboxes, BY_NUMBER } from '../../testing/mailboxes.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { enterPortal } from '../../testing/sign-in.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

let server: TestServer
let root: Portal
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { account: 'root', isSuperUser: true })
  const userCategories = ['faculty', 'undergraduate'].map((code) => ({ code, name: code }))
  await applyBootstrap(server.platform, { userCategories }, { source: 'test' })
  await addPerson(server, { account: '2023010001', category: 'undergraduate' })
  await addPerson(server, { account: 'T00012', category: 'faculty', mailbox: 'han.meimei@example.edu' })
  await addPerson(server, { account: 'T00013', category: 'faculty', mailbox: 'elsewhere@example.com' })
  await addPerson(server, { account: 'T00014', category: 'faculty' })
  await addPerson(server, { account: '王老师', category: null })
})
afterAll(() => server.close())

const read = async () => (await root.call<CorporateMailbox>('/corporate_mailbox/details/')).data
const save = (body: object) =>
  root.call<CorporateMailbox>('/corporate_mailbox/update/', { body: { enabled: true, rules: [BY_NUMBER], ...body } })
const preview = async (rules: object[], show = 'some') =>
  (await root.call<AddressPreview>('/corporate_mailbox/preview/', { body: { rules, show } })).data
const tileOf = async (account: string) => {
  const page = await enterPortal(server, account)
  const { mailbox } = (await page.call<OwnHomePage>('/home_page/mine/')).data
  const opened = await page.call<{ url: string } | null>('/corporate_mailbox/open/', { body: {} })
  return { mailbox, code: opened.envelope.code, url: opened.data?.url ?? '' }
}

const RECORDED = { ...BY_NUMBER, categories: ['faculty'], from: 'recorded' as const }
const STUDENTS = { ...BY_NUMBER, categories: ['undergraduate'], prefix: 's', domain: 'stu.example.edu' }

test('a preview says how addresses are made, and why somebody has none', async () => {
  const { people, lacking, shared, rows } = await preview([RECORDED, STUDENTS], 'some')
  const about = Object.fromEntries(rows.map(({ account, address, problem }) => [account, address ?? problem]))
  expect(about).toMatchObject({
    '2023010001': 's2023010001@stu.example.edu',
    T00012: 'han.meimei@example.edu',
    T00013: 'other-domain',
    T00014: 'nothing-recorded',
    root: 'no-rule',
  })
  expect({ people, lacking, shared }).toEqual({ people: rows.length, lacking: rows.length - 2, shared: 0 })
  expect((await preview([BY_NUMBER], 'lacking')).rows).toMatchObject([{ account: '王老师', problem: 'bad-number' }])
})

test('an address that two people would have belongs to nobody', async () => {
  // One by account and one by the email on file, under two rules.
  await addPerson(server, { account: 'li', category: 'undergraduate' })
  await addPerson(server, { account: 'T00020', category: 'faculty', mailbox: 'li@example.edu' })
  const rules = [RECORDED, BY_NUMBER]
  await addMailboxes(server, root, 'exmail', { rules })
  expect((await preview(rules, 'shared')).rows.map(({ account }) => account)).toEqual(
    expect.arrayContaining(['li', 'T00020']),
  )
  for (const account of ['li', 'T00020']) expect((await tileOf(account)).mailbox).toBeNull()
})

test('the tile is shown to people whom a rule gives an address, and opens their mailbox', async () => {
  await addMailboxes(server, root, 'exmail', { rules: [RECORDED, { ...STUDENTS, domain: 'example.edu' }] })
  const teacher = await tileOf('T00012')
  expect(teacher).toMatchObject({ mailbox: 'han.meimei@example.edu' })
  expect(new URL(teacher.url).searchParams.get('userid')).toBe('han.meimei@example.edu')
  expect(await tileOf('2023010001')).toMatchObject({ mailbox: 's2023010001@example.edu' })
  expect(await tileOf('T00013')).toMatchObject({ mailbox: null, code: 'corporate-mailbox.none', url: '' })
  await addMailboxes(server, root, 'exmail', { enabled: false })
  expect(await tileOf('T00012')).toMatchObject({ mailbox: null, code: 'corporate-mailbox.none' })
})

test('an email entered by an administrator of one organisation opens nothing until it is confirmed', async () => {
  await server.platform.sql`update users set mailbox_given_at = now() where account = 'T00012'`
  await addMailboxes(server, root, 'exmail', { rules: [RECORDED] })
  expect((await tileOf('T00012')).mailbox).toBeNull()
  const { rows } = await preview([RECORDED], 'lacking')
  expect(rows.find(({ account }) => account === 'T00012')?.problem).toBe('unconfirmed')
  await server.platform.sql`update users set mailbox_given_at = null where account = 'T00012'`
  expect((await tileOf('T00012')).mailbox).toBe('han.meimei@example.edu')
})

test('no address is taken from the caller, each click is recorded, and clicks are rate limited', async () => {
  await addMailboxes(server, root, 'coremail')
  const page = await enterPortal(server, 'T00014')
  const refused = await page.call('/corporate_mailbox/open/', { body: { address: 't00012@example.edu' } })
  expect(refused.envelope.code).toBe('request.invalid')
  for (let click = 0; click < 10; click++)
    expect((await page.call('/corporate_mailbox/open/', { body: {} })).status).toBe(200)
  const late = await page.call('/corporate_mailbox/open/', { body: {} })
  expect(late).toMatchObject({ status: 429, envelope: { code: 'corporate-mailbox.too-many' } })
  const [line] = await server.platform.sql<{ n: number; after: unknown }[]>`
    select count(*)::int as n, min(after::text)::jsonb as after from audit_records a
    join users u on u.id = a.user_id where u.account = 'T00014' and action = 'corporate-mailbox.open'`
  expect(line).toEqual({ n: 10, after: { mailbox: 't00014@example.edu' } })
})

test('a stored secret is never shown, and never sent to another host or application', async () => {
  const simulator = await addMailboxes(server, root, 'exmail')
  const settings = MAIL_PROVIDERS.exmail.settings(simulator.url)
  expect((await read()).settings).toMatchObject({ secret: '******' })
  const stars = { ...settings, secret: '******' }
  for (const other of [
    { apiHost: 'https://evil.example' },
    { corpId: 'another' },
    { loginHost: 'https://evil.example' },
  ]) {
    const changed = await save({ version: 1, settings: { ...stars, ...other } })
    expect(changed.envelope.code).toBe('settings.secret-needed')
    const checked = await root.call('/corporate_mailbox/check/', { body: { settings: { ...stars, ...other } } })
    expect(checked.envelope.code).toBe('settings.secret-needed')
  }
  const coremail = { ...MAIL_PROVIDERS.coremail.settings(simulator.url), secret: '******' }
  expect((await save({ version: 1, settings: coremail })).envelope.code).toBe('settings.secret-needed')
  expect(await save({ version: 1, settings: stars })).toMatchObject({ status: 200, data: { version: 2 } })
  expect(await save({ version: 1, settings: stars })).toMatchObject({
    status: 409,
    envelope: { code: 'version.conflict', data: { current: { version: 2 } } },
  })
})

test('invalid input is refused by field', async () => {
  const rules = [{ ...BY_NUMBER, domain: 'no domain' }]
  const refused = await save({ version: 0, settings: { driver: 'exmail', corpId: '', secret: 's' }, rules })
  expect(refused).toMatchObject({ status: 400, envelope: { code: 'request.invalid' } })
  expect(JSON.stringify(refused.envelope)).toMatch(/settings\.corpId.*rules\.0\.domain/)
  const key = await save({ version: 0, settings: { driver: 'netease', privateKey: 'no key' } })
  expect(JSON.stringify(key.envelope)).toContain('settings.privateKey')
})

test('a rollback restores the settings, with their secret', async () => {
  const simulator = await addMailboxes(server, root, 'coremail')
  const settings = { ...MAIL_PROVIDERS.coremail.settings(simulator.url), secret: '******' }
  await save({ version: 1, enabled: false, settings })
  const [line] = await server.platform.sql<{ id: string; at: Date }[]>`
    select id, at from audit_records where target_kind = 'corporate-mailbox' order by at desc, id desc limit 1`
  const back = await root.call(`/change_history/${line?.id}/roll_back/`, {
    body: { at: line?.at.toISOString(), side: 'before', version: 2, reason: 'Test' },
  })
  expect(back.envelope.code ?? back.status).toBe(200)
  expect(await read()).toMatchObject({ version: 3, enabled: true, settings: { secret: '******' } })
  expect((await tileOf('T00013')).url).toContain(simulator.url)
})
