import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import type { checkAddress, LoginCheck } from '#shared/contract/login-check.ts'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson, logIn } from '../../testing/people.ts'
import { callAs, openPortal, type Portal } from '../../testing/portal.ts'
import { PEOPLE, school, verb } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'

type AddressCheck = z.output<typeof checkAddress.output>

/** Nothing to report. */
const WELL = {
  obstacles: [],
  refusedBy: { everywhere: [], somewhere: [] },
  demands: [],
  lastFailure: null,
  lastCode: null,
  coolingContacts: [],
}

const checkOf = async (page: Portal, id: string) => (await page.call<LoginCheck>(`${PEOPLE}/${id}/login_check/`)).data

test('the login check says why a person can not log in, and why the last attempt failed', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  const root = await openPortal(server, { isSuperUser: true })
  const lisi = id('20260002')
  expect(await checkOf(root, lisi)).toEqual(WELL)
  await expect(logIn(server, '20260002', { password: 'Not-the-right-1' })).rejects.toThrow('401')
  const failed = { reason: 'password.wrong', rules: [] }
  expect(await checkOf(root, lisi)).toMatchObject({ obstacles: [], lastFailure: { ...failed, ip: '127.0.0.1' } })
  await verb(root, lisi, 'freeze', { until: new Date(server.platform.now().getTime() + 86_400_000).toISOString() })
  await verb(root, lisi, 'lock')
  const { obstacles } = await checkOf(root, lisi)
  expect(obstacles[0]).toMatchObject({ reason: expect.stringMatching(/^account\.(locked|frozen)$/) })
  // Only super users see where others log in from.
  const beside = await openPortal(server, { permissions: [], administers: organizationId('cs') })
  expect((await checkOf(beside, lisi)).lastFailure).toMatchObject({ ...failed, ip: null })
  await verb(root, lisi, 'unlock')
  await verb(root, lisi, 'thaw')
  await logIn(server, '20260002')
  expect(await checkOf(root, lisi)).toEqual(WELL)
})

test('for a code that never arrived it says what happened: sent, rejected by the gateway with its message, never requested', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  const root = await openPortal(server, { isSuperUser: true })
  const lisi = id('20260002')
  const { sql, now } = server.platform
  const insertCode = (template: string, state: string, at: Date, words: string | null) => sql`
    insert into messages (id, user_id, channel, template, language, masked_to, target_hash, state, next_attempt_at,
      expires_at, reason, last_error, error_code, created_at)
    values (${v7()}, ${lisi}, 'sms', ${template}, 'en', '138****0001', ${Buffer.from('x')}, ${state}, ${at}, ${at},
      ${words && 'signature'}, ${words}, ${words}, ${at})`
  await insertCode('code.login', 'sent', new Date(now().getTime() - 2 * 86_400_000), null)
  expect((await checkOf(root, lisi)).lastCode).toBeNull()
  await insertCode('code.login', 'failed', now(), 'isv.SMS_SIGNATURE_ILLEGAL')
  await insertCode('notice.new-device', 'sent', new Date(now().getTime() + 1000), null)
  const code = {
    channel: 'sms',
    to: '138****0001',
    state: 'failed',
    reason: 'signature',
    code: 'isv.SMS_SIGNATURE_ILLEGAL',
  }
  expect((await checkOf(root, lisi)).lastCode).toMatchObject({ ...code, words: 'isv.SMS_SIGNATURE_ILLEGAL' })
  const beside = await openPortal(server, { permissions: [], administers: organizationId('cs') })
  expect((await checkOf(beside, lisi)).lastCode).toMatchObject({ ...code, words: null })
})

const addressOf = (page: Portal, ip: string) => page.call<AddressCheck>(`/login_check/address/?ip=${ip}`)

test('for an address it shows the counters, which one click clears; those of people stay', async () => {
  const server = await testServer({ env: { DEMO: '1' } })
  const { id } = await school(server)
  await setPolicy(server, { addressFailures: 2, lockAfterFailures: 1 })
  const root = await openPortal(server, { isSuperUser: true })
  for (const name of ['20260002', 'nobody'])
    await expect(logIn(server, name, { password: 'Wrong-1' })).rejects.toThrow()
  for (const mailbox of ['a@school.test', 'b@school.test']) {
    const body = { purpose: 'login', mailbox }
    await callAs(server, createBrowser(server), '/user_information/login/send_email/', { body })
  }
  const counted = { ip: '127.0.0.1', failures: 2, captchaFrom: 2, codes: 2, mostCodes: expect.any(Number) }
  expect((await addressOf(root, '127.0.0.1')).data).toMatchObject(counted)
  expect((await addressOf(root, '10.0.0.1')).data).toMatchObject({ failures: 0, codes: 0, codesUntil: null })
  expect((await addressOf(root, '10.0')).envelope.code).toBe('login-check.bad-address')
  expect((await root.call('/login_check/address/release/', { body: { ip: '127.0.0.1' } })).status).toBe(200)
  expect((await addressOf(root, '127.0.0.1')).data).toMatchObject({ failures: 0, codes: 0, codesUntil: null })
  const { obstacles } = await checkOf(root, id('20260002'))
  expect(obstacles).toMatchObject([{ reason: 'account.locked-by-failures' }])
})

test('a contact set by an administrator is shown with the day from which it is trusted', async () => {
  const server = await testServer()
  const { organizationId } = await school(server)
  const han = await addPerson(server, { account: 'han', organization: 'cs', mailbox: 'han@example.edu' })
  const dean = await openPortal(server, { permissions: ['edit'], administers: organizationId('cs') })
  expect((await checkOf(dean, han)).coolingContacts).toEqual([])
  const body = { version: 1, mailbox: 'other@example.edu' }
  expect((await dean.call(`${PEOPLE}/${han}/update/`, { body })).status).toBe(200)
  const until = new Date(server.platform.now().getTime() + 7 * 86_400_000)
  const [contact] = (await checkOf(dean, han)).coolingContacts
  expect(contact?.kind).toBe('mailbox')
  expect(Math.abs(Date.parse(contact?.until ?? '') - until.getTime())).toBeLessThan(60_000)
  server.advance(8 * 86_400)
  const later = await openPortal(server, { isSuperUser: true })
  expect((await checkOf(later, han)).coolingContacts).toEqual([])
})
