import { expect, test } from 'vitest'
import type { UserDetails } from '#shared/contract/users.ts'
import { addNewcomer, begun } from '../../testing/activation.ts'
import { createBrowser } from '../../testing/browser.ts'
import { codeSentTo, messagesTo, outboxOf } from '../../testing/messages.ts'
import { addPerson } from '../../testing/people.ts'
import { callAs, openPortal, type Portal } from '../../testing/portal.ts'
import { recoveryIn } from '../../testing/recovery.ts'
import { PEOPLE, school, verb } from '../../testing/school.ts'
import { type TestServer, testServer } from '../../testing/server.ts'

const FORMER = 'han@example.edu'
const GIVEN = 'deans-own@example.com'
const HAN = { account: 'han', organization: 'cs', phone: '+8613700000001', mailbox: FORMER }

/** Han, to whom a dean with only the edit permission gives another mailbox. */
async function given(fields: object = { mailbox: GIVEN }) {
  const server = await testServer({ env: { DEMO: '1' } })
  const { organizationId } = await school(server)
  const han = await addPerson(server, HAN)
  const dean = await openPortal(server, { permissions: ['edit'], administers: organizationId('cs') })
  expect((await update(dean, han, fields)).status).toBe(200)
  return { server, han, dean, organizationId }
}

async function update(page: Portal, id: string, fields: object) {
  const { data } = await page.call<UserDetails>(`${PEOPLE}/${id}/full_details/`)
  return await page.call(`${PEOPLE}/${id}/update/`, { body: { version: data.version, ...fields } })
}

async function recoveryMethods(server: TestServer) {
  const { data } = await recoveryIn(server).begin('han')
  return data.methods.map(({ method }) => method)
}

const askForLogin = (server: TestServer, mailbox: string) =>
  callAs(server, createBrowser(server), '/user_information/login/send_email/', { body: { purpose: 'login', mailbox } })

const sentTo = async (server: TestServer, address: string) =>
  (await outboxOf(server)).filter(({ to }) => to === address).length

test('a mailbox set by an administrator is trusted only after a week', async () => {
  const { server } = await given()
  expect(await recoveryMethods(server)).toEqual(['phone'])
  await askForLogin(server, GIVEN)
  // Only the notice went out, to the former one.
  await messagesTo(server, FORMER)
  expect(await sentTo(server, GIVEN)).toBe(0)
  server.advance(8 * 86_400)
  expect(await recoveryMethods(server)).toEqual(['phone', 'mailbox'])
  await askForLogin(server, GIVEN)
  expect(await codeSentTo(server, GIVEN)).toMatch(/^\d{6}$/)
})

test('for a person appointed since, nothing set by another administrator is trusted', async () => {
  const { server, han } = await given()
  server.advance(8 * 86_400)
  const root = await openPortal(server, { isSuperUser: true })
  expect((await verb(root, han, 'set_administrator')).status).toBe(200)
  expect(await recoveryMethods(server)).toEqual(['phone'])
})

test('a contact set by a super user is trusted at once, and one confirmed by its logged-in owner', async () => {
  const { server, han } = await given()
  const root = await openPortal(server, { isSuperUser: true })
  await update(root, han, { mailbox: 'another@example.edu' })
  expect(await recoveryMethods(server)).toEqual(['phone', 'mailbox'])
  const { server: other, han: her } = await given()
  const own = await openPortal(other, { userId: her })
  await own.call('/reauthentication/begin/', { body: { method: 'mailbox' } })
  const answer = await codeSentTo(other, GIVEN)
  expect((await own.call('/reauthentication/submit/', { body: { method: 'mailbox', answer } })).status).toBe(200)
  expect(await recoveryMethods(other)).toEqual(['phone', 'mailbox'])
})

test('an administrator who may also reset the account needs no cooldown', async () => {
  const { server, han, organizationId } = await given({ phone: null })
  const dean = await openPortal(server, { permissions: ['edit', 'reset'], administers: organizationId('cs') })
  expect((await update(dean, han, { mailbox: GIVEN })).status).toBe(200)
  expect(await recoveryMethods(server)).toEqual(['mailbox'])
  const root = await openPortal(server, { isSuperUser: true })
  expect((await verb(root, han, 'set_administrator')).status).toBe(200)
  expect(await recoveryMethods(server)).not.toContain('mailbox')
  const methods = await root.call<{ records: { channel: string; isSettled: boolean }[] }>(
    `${PEOPLE}/${han}/reset_methods/`,
  )
  expect(methods.data.records).toMatchObject([{ channel: 'mail', isSettled: false }])
})

test('a contact just set does not prove the identity of a person who activates', async () => {
  const server = await testServer({ env: { DEMO: '1' } })
  const { organizationId } = await school(server)
  const newcomer = await addNewcomer(server, { organization: 'cs', phone: HAN.phone, mailbox: FORMER })
  const dean = await openPortal(server, { permissions: ['edit'], administers: organizationId('cs') })
  expect((await update(dean, newcomer.userId, { mailbox: GIVEN })).status).toBe(200)
  const page = await begun(server, newcomer)
  expect(page.state().targets.map(({ channel }) => channel)).toEqual(['sms'])
})

test('contacts set when an account is created are no change, whoever created it', async () => {
  const { server, dean, organizationId } = await given()
  const fields = { account: 'wei', name: 'Wei', organizationId: organizationId('cs'), mailbox: 'wei@example.edu' }
  const { data } = await dean.call<{ id: string }>(`${PEOPLE}/create/`, { body: fields })
  await server.platform.sql`update users set activated = true where id = ${data.id}`
  const begun = await recoveryIn(server).begin('wei', 'Wei')
  expect(begun.data.methods.map(({ method }) => method)).toEqual(['mailbox'])
})
