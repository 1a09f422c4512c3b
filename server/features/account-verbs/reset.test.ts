import { expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { messagesTo, outboxOf } from '../../testing/messages.ts'
import { callAs, openPortal, type Portal } from '../../testing/portal.ts'
import { details, PEOPLE, school } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'

const DEMO = { env: { DEMO: '1' } }
const MAILBOX = 'lisi@example.edu'
const DAY = 86_400

type Methods = { records: { channel: string; to: string; isSettled: boolean }[] }
type Answer = { code: string | null; sentTo: string | null }

const methods = async (page: Portal, id: string) =>
  (await page.call<Methods>(`${PEOPLE}/${id}/reset_methods/`)).data.records
const reset = (page: Portal, id: string, body: object) => page.call<Answer>(`${PEOPLE}/${id}/reset/`, { body })

test('the link of a reset is sent to the address on file, in the language of the page, and never given to anybody else', async () => {
  const server = await testServer(DEMO)
  const { id, organizationId } = await school(server)
  const dean = await openPortal(server, { permissions: ['reset'], administers: organizationId('cs') })
  const lisi = id('20260002')
  expect(await methods(dean, lisi)).toEqual([{ channel: 'mail', to: expect.stringContaining('*'), isSettled: true }])
  const { status, data } = await reset(dean, lisi, { send: 'mail', reason: 'Forgot' })
  expect([status, data.code]).toEqual([200, null])
  expect(data.sentTo).toMatch(/^l\*+.*@example\.edu$/)
  const [mail] = await messagesTo(server, MAILBOX)
  const code = /activation\?code=([\w-]+)/.exec(mail?.text ?? '')?.[1]
  const begun = await callAs<{ account: string }>(server, createBrowser(server), '/activate/code/', { body: { code } })
  expect(begun.data.account).toBe('20260002')
  const { sql } = server.platform
  const [line] = await sql`select after, reason from audit_records where action = 'account.reset'`
  expect(line).toMatchObject({ after: { sentTo: data.sentTo }, reason: 'Forgot' })
  expect(JSON.stringify(await sql`select before, after from audit_records`)).not.toContain(code)
})

test('no link is sent to an address that was changed recently by anybody, or that the caller set', async () => {
  const server = await testServer(DEMO)
  const { id, organizationId } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const lisi = id('20260002')
  const { version } = (await details(page, lisi)).data
  // The same mask as before: the audit record decides, not the masked text.
  await page.call(`${PEOPLE}/${lisi}/update/`, { body: { version, mailbox: 'lxxx@example.edu' } })
  const other = await openPortal(server, { isSuperUser: true })
  for (const one of [page, other]) {
    expect(await methods(one, lisi)).toMatchObject([{ channel: 'mail', isSettled: false }])
    expect((await reset(one, lisi, { send: 'mail' })).envelope.code).toBe('user.contact-changed')
  }
  expect((await details(page, lisi)).data.hasPassword).toBe(true)

  const body = { account: 'new', name: 'New', phone: '13900000001', organizationId: organizationId('cs') }
  const made = (await page.call<{ id: string }>(`${PEOPLE}/create/`, { body })).data.id
  expect(await methods(page, made)).toMatchObject([{ channel: 'sms', isSettled: false }])
  expect(await methods(other, made)).toMatchObject([{ channel: 'sms', isSettled: true }])
  expect((await reset(page, made, { send: 'mail' })).envelope.code).toBe('user.no-such-contact')
  expect(JSON.stringify(await outboxOf(server))).not.toContain('code=')

  server.advance(8 * DAY)
  const later = await openPortal(server, { isSuperUser: true })
  expect(await methods(later, lisi)).toMatchObject([{ isSettled: true }])
  expect((await reset(later, lisi, { send: 'mail' })).data.sentTo).not.toBeNull()
  await messagesTo(server, 'lxxx@example.edu')
})

test('without a gateway the link can not be sent, nor by a provider with templates of its own', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const lisi = id('20260002')
  expect(await methods(page, lisi)).toEqual([])
  expect((await reset(page, lisi, { send: 'mail' })).envelope.code).toBe('user.no-such-contact')
  const { data } = await reset(page, lisi, {})
  expect([typeof data.code, data.sentTo]).toEqual(['string', null])
})
