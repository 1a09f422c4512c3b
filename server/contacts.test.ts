import { expect, test } from 'vitest'
import { importTasks } from './features/user-imports/index.ts'
import { addNewcomer, begun, NEW_PASSWORD } from './testing/activation.ts'
import { createBrowser } from './testing/browser.ts'
import { importFile, reportOf, settled, step, upload } from './testing/imports.ts'
import { addPerson, PASSWORD } from './testing/people.ts'
import { callAs, openPortal } from './testing/portal.ts'
import { details, fieldsOf, PEOPLE } from './testing/school.ts'
import { testServer } from './testing/server.ts'
import { enterPortal } from './testing/sign-in.ts'
import { runTasks } from './testing/tasks.ts'

/** Both pass only a loose check: minimal phone metadata, and a domain without a top level. */
const NO_PHONE = '1391111'
const NO_MAILBOX = 'a@b'

const DEMO = { env: { DEMO: '1' } }

test('administrators can set neither a number outside all ranges nor a mailbox without a full domain', async () => {
  const server = await testServer()
  await runTasks(server, importTasks)
  const root = await openPortal(server, { isSuperUser: true })
  const fields = { phone: NO_PHONE, mailbox: NO_MAILBOX }
  const created = await root.call(`${PEOPLE}/create/`, { body: { account: 'one', name: 'One', ...fields } })
  expect([created.status, fieldsOf(created.data).toSorted()]).toEqual([400, ['mailbox', 'phone']])
  const id = await addPerson(server, { account: 'two' })
  const updated = await root.call(`${PEOPLE}/${id}/update/`, { body: { version: 1, ...fields } })
  expect([updated.status, fieldsOf(updated.data).toSorted()]).toEqual([400, ['mailbox', 'phone']])
  const file = `account,name,phone,mailbox\nthree,Three,${NO_PHONE},\nfour,Four,,${NO_MAILBOX}\n`
  const { id: run } = (await upload(root, file)).data
  await step(root, run, 'check')
  await settled(root, run)
  const report = await reportOf(root, run)
  expect(report.map(({ outcome }) => outcome)).toEqual(['bad', 'bad'])
  const gateway = { provider: 'gateway', url: 'http://127.0.0.1:9/', appId: 'x', secret: 'y' }
  const sms = await root.call('/message_gateways/test_sms/', { body: { gateway, to: NO_PHONE } })
  expect(sms.envelope.code).toBe('message.invalid-number')
  const mail = { host: '127.0.0.1', port: 9, security: 'none', from: 'portal@example.edu' }
  for (const body of [
    { gateway: mail, to: NO_MAILBOX },
    { gateway: { ...mail, from: NO_MAILBOX }, to: 'me@example.edu' },
  ]) {
    expect((await root.call('/message_gateways/test_mail/', { body })).envelope.code).toBe('request.invalid')
  }
})

test('people can bind neither, and no code is sent to them', async () => {
  const server = await testServer(DEMO)
  await addPerson(server, { account: 'lilei' })
  const page = await enterPortal(server, 'lilei')
  await page.call('/reauthentication/submit/', { body: { method: 'password', answer: PASSWORD } })
  const own = async (path: string, body: object) =>
    (await page.call(`/user_information/${page.user.userId}/${path}`, { body })).envelope.code
  const code = '123456'
  expect(await own('bind_phone/', { phone: NO_PHONE, code })).toBe('phone.malformed')
  expect(await own('bind_mailbox/', { mailbox: NO_MAILBOX, code })).toBe('mailbox.malformed')
  const noTarget = 'verification-code.no-target'
  expect(await own('send_phonecaptcha/', { purpose: 'bind-phone', phone: NO_PHONE })).toBe(noTarget)
  expect(await own('send_email', { purpose: 'bind-mailbox', mailbox: NO_MAILBOX })).toBe(noTarget)
  const stranger = (path: string, body: object) =>
    callAs(server, createBrowser(server), `/user_information/login/${path}`, { body: { purpose: 'login', ...body } })
  expect((await stranger('send_phonecaptcha/', { phone: NO_PHONE })).envelope.code).toBe('sign-in.no-target')
  expect((await stranger('send_email', { mailbox: NO_MAILBOX })).envelope.code).toBe('sign-in.no-target')
  const activation = await begun(server, await addNewcomer(server))
  await activation.call('password/', { password: NEW_PASSWORD })
  await activation.call('skip/', { step: 'security-questions' })
  expect(await activation.send('sms', NO_PHONE)).toMatchObject({ code: 'activation.no-phone' })
  await activation.call('skip/', { step: 'phone' })
  expect(await activation.send('mail', NO_MAILBOX)).toMatchObject({ code: 'activation.no-mailbox' })
})

test('a person with an old invalid number or mailbox can be changed, imported and bootstrapped until that field is changed', async () => {
  const server = await testServer(DEMO)
  await runTasks(server, importTasks)
  const { sql } = server.platform
  const id = await addPerson(server, { account: 'old', phone: '13800000001', mailbox: 'old@example.edu' })
  await sql`update users set phone = ${`+86${NO_PHONE}`}, mailbox = ${NO_MAILBOX}, activated = true where id = ${id}`
  const root = await openPortal(server, { isSuperUser: true })
  const update = async (body: object) => {
    const { version, phone, mailbox, name } = (await details(root, id)).data
    return await root.call(`${PEOPLE}/${id}/update/`, { body: { version, phone, mailbox, name, ...body } })
  }
  expect(await update({ name: 'Renamed' })).toMatchObject({ status: 200 })
  expect(await update({ phone: '1391112' })).toMatchObject({ status: 400 })
  const run = await importFile(root, `account,name,phone,mailbox\nold,Imported,${NO_PHONE},${NO_MAILBOX}\n`)
  expect((await reportOf(root, run.id)).map(({ outcome }) => outcome)).toEqual(['changed'])
  await addPerson(server, { account: 'old', name: 'From the file', phone: NO_PHONE, mailbox: NO_MAILBOX })
  expect((await details(root, id)).data).toMatchObject({
    name: 'From the file',
    phone: `+86${NO_PHONE}`,
    mailbox: NO_MAILBOX,
  })
  await expect(addPerson(server, { account: 'old', phone: '1391112' })).rejects.toThrow('users[0].phone')
  const page = await enterPortal(server, 'old')
  const sent = await page.call(`/user_information/${id}/send_email`, { body: { purpose: 'reauthentication' } })
  expect(sent.envelope).toMatchObject({ state: 200 })
})
