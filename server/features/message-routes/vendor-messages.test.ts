import { expect, onTestFinished, test, vi } from 'vitest'
import { systemContext, transaction } from '../../platform/platform.ts'
import { createBrowser } from '../../testing/browser.ts'
import { askForCode } from '../../testing/login-codes.ts'
import { startMailServer } from '../../testing/mail-server.ts'
import { messagesLater } from '../../testing/messages.ts'
import { addPerson } from '../../testing/people.ts'
import { recoveryIn } from '../../testing/recovery.ts'
import { testServer } from '../../testing/server.ts'
import { enterPortal } from '../../testing/sign-in.ts'
import { startSmsProvider } from '../../testing/sms-provider.ts'
import { reauthenticate } from '../../testing/third-party.ts'
import { addVendor, bindAt } from '../../testing/vendors.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { sendMessage } from '../messages/index.ts'

const CODE = '482915'
const MAILBOX = 'lilei@example.edu'

type School = Awaited<ReturnType<typeof openSchool>>

/** A school whose codes go to WeCom or DingTalk, and after 20 seconds by mail. */
async function openSchool(vendor: 'qywx' | 'dingding', { matchBy = [] as 'account'[], sms = {}, routes = {} } = {}) {
  const mail = await startMailServer({})
  const server = await testServer()
  const simulator = await addVendor(server, vendor, { matchBy })
  const channel = vendor === 'qywx' ? 'wecom' : 'dingtalk'
  const route = [{ channel, seconds: 20 }, { channel: 'mail' }]
  const settings = {
    mail: { host: '127.0.0.1', port: mail.port, security: 'none', from: 'portal@school.test' },
    ...sms,
    messageRoutes: { login: route, recovery: route, dingtalkAgentId: '1000003', ...routes },
  }
  await applyBootstrap(server.platform, { settings }, { source: 'test' })
  const userId = await addPerson(server, { account: 'lilei', mailbox: MAILBOX })
  const page = await enterPortal(server, 'lilei')
  return { server, mail, simulator, userId, page, vendor }
}

const sendCode = (
  { server, userId }: Pick<School, 'server' | 'userId'>,
  template: 'code.login' | 'code.password-recovery' = 'code.login',
) =>
  transaction(systemContext(server.platform), (inner) =>
    sendMessage(inner, {
      template,
      channel: 'mail',
      to: MAILBOX,
      userId,
      language: 'en',
      params: { code: CODE, minutes: 5 },
    }),
  )

const eventually = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 20_000, interval: 30 })
const expectRows = ({ server }: School, ...expected: object[]) =>
  eventually(async () => {
    const rows = await server.platform.sql`
      select channel, state, reason, last_error as words, error_code as code from messages where template = 'code.login' order by created_at, id`
    expect(rows).toMatchObject(expected)
  })

test.each([
  ['qywx', 'wecom'],
  ['dingding', 'dingtalk'],
] as const)('%s: a code arrives with the linked member, and nowhere else', async (vendor, channel) => {
  const school = await openSchool(vendor)
  await bindAt(school.page, vendor)
  await sendCode(school)
  await expectRows(school, { channel, state: 'sent' })
  expect(school.simulator.messages).toMatchObject([{ to: 'LiLei', text: expect.stringContaining(CODE) }])
  await messagesLater(school.server, 60)
  expect(school.mail.arrived.filter(({ mail }) => mail.text?.includes(CODE))).toEqual([])
})

test.each([
  ['qywx', 'wecom'],
  ['dingding', 'dingtalk'],
] as const)('%s: while it is busy the mail waits 20 seconds, and then has the same code', async (vendor, channel) => {
  const school = await openSchool(vendor)
  await bindAt(school.page, vendor)
  school.simulator.trouble = { message: 'busy' }
  await sendCode(school)
  await expectRows(school, { channel, state: 'pending', reason: 'busy' })
  await messagesLater(school.server, 10)
  await expectRows(school, { channel, state: 'pending' })
  await eventually(async () => {
    await messagesLater(school.server, 2)
    expect(school.mail.arrived.filter(({ mail }) => mail.text?.includes(CODE))).toHaveLength(1)
  })
  await expectRows(school, { channel, state: 'failed', reason: 'busy' }, { channel: 'mail', state: 'sent' })
  school.simulator.trouble = {}
  await messagesLater(school.server, 60)
  expect(school.simulator.messages).toEqual([])
})

test.each(['code.login', 'code.password-recovery'] as const)(
  '%s: a code that WeCom holds up and the text message gateway rejects arrives by mail, once',
  async (template) => {
    const sms = await startSmsProvider('gateway', () => new Date())
    onTestFinished(() => sms.close())
    const route = [{ channel: 'wecom', seconds: 20 }, { channel: 'sms', seconds: 20 }, { channel: 'mail' }]
    const school = await openSchool('qywx', { sms: { sms: sms.gateway }, routes: { login: route, recovery: route } })
    const { server, mail, userId } = school
    await bindAt(school.page, 'qywx')
    // Known only now: the notice of the link mustn't get the answer that is meant for the code.
    await server.platform.sql`update users set phone = '+8613800000001' where id = ${userId}`
    school.simulator.trouble = { message: 'busy' }
    sms.answerNext({ status: 200, body: { code: 9 } })
    await sendCode(school, template)
    const brought = () => mail.arrived.filter((one) => one.mail.text?.includes(CODE)).length
    const rows = () => server.platform.sql`
      select channel, state, reason from messages where template = ${template} order by created_at, id`
    await eventually(async () => expect(await rows()).toMatchObject([{ channel: 'wecom', reason: 'busy' }]))
    await messagesLater(server, 21)
    await eventually(() => expect(brought()).toBe(1))
    expect(await rows()).toMatchObject([
      { channel: 'wecom', state: 'failed', reason: 'busy' },
      { channel: 'sms', state: 'failed', reason: 'rejected' },
      { channel: 'mail', state: 'sent' },
    ])
    // Each is too late once another one has brought the code.
    school.simulator.trouble = {}
    await messagesLater(server, 120)
    expect([school.simulator.messages, sms.sent]).toEqual([[], []])
    expect(brought()).toBe(1)
  },
)

test('a member who has become invisible to the app gets the code by mail at once', async () => {
  const school = await openSchool('qywx')
  await bindAt(school.page, 'qywx')
  await school.server.platform.sql`update third_party_accounts set subject = 'wanghong'`
  await sendCode(school)
  await expectRows(
    school,
    { channel: 'wecom', state: 'failed', reason: 'recipient', words: 'message 81013', code: '81013' },
    { channel: 'mail', state: 'sent' },
  )
})

test.each([
  ['qywx', 'wecom'],
  ['dingding', 'dingtalk'],
] as const)('%s: a message whose answer was lost arrives once', async (vendor, channel) => {
  const school = await openSchool(vendor)
  await bindAt(school.page, vendor)
  school.simulator.trouble = { message: 'lost' }
  await sendCode(school)
  await expectRows(school, { channel, state: 'pending', reason: 'unreachable' })
  expect(school.simulator.messages).toHaveLength(1)
  school.simulator.trouble = {}
  await messagesLater(school.server, 2)
  await expectRows(school, { channel, state: 'sent' })
  expect(school.simulator.messages).toHaveLength(1)
})

test('where WeCom’s user ids are our accounts, a code still never goes to somebody else’s user id, nor to one that was unlinked', async () => {
  const school = await openSchool('qywx', { matchBy: ['account'] })
  await sendCode(school)
  await expectRows(school, { channel: 'wecom', state: 'sent' })
  // Somebody else is known to be the member with this user id.
  await addPerson(school.server, { account: 'other' })
  await bindAt(await enterPortal(school.server, 'other'), 'qywx')
  await school.server.platform.sql`delete from messages`
  await sendCode(school)
  await expectRows(school, { channel: 'mail', state: 'sent' })
  await school.server.platform.sql`delete from third_party_accounts`
  await bindAt(school.page, 'qywx')
  await reauthenticate(school.page)
  await school.page.call('/third_party_account/qywx/unbind/', { body: {} })
  await school.server.platform.sql`delete from messages`
  await sendCode(school)
  await expectRows(school, { channel: 'mail', state: 'sent' })
  expect(school.simulator.messages).toHaveLength(1)
})

test('a page is told in which order a code may arrive where, the same for everybody', async () => {
  const { server, page } = await openSchool('qywx')
  await bindAt(page, 'qywx')
  const asked = async (target: string) => (await askForCode(server, createBrowser(server), target)).envelope.data
  expect(await asked(MAILBOX)).toMatchObject({ channels: ['wecom', 'mail'] })
  expect(await asked('nobody@example.edu')).toMatchObject({ channels: ['wecom', 'mail'] })
})

test('a recovery says which channel its codes are sent through first, to strangers as well', async () => {
  const { server } = await openSchool('qywx')
  const channels = async (account: string) =>
    (await recoveryIn(server).begin(account)).data.methods.map((one) => [one.method, one.channels])
  const sent = ['mailbox', ['wecom', 'mail']]
  expect(await channels('lilei')).toContainEqual(sent)
  expect(await channels('nobody-here')).toContainEqual(sent)
})
