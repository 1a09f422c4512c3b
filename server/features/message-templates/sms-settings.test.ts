import { expect, onTestFinished, test, vi } from 'vitest'
import type { MessagePreview, MessageTemplateList } from '#shared/contract/message-templates.ts'
import { systemContext, transaction } from '../../platform/platform.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { startSmsProvider } from '../../testing/sms-provider.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { notifyPerson, sendMessage } from '../messages/index.ts'

type Sms = MessageTemplateList['sms']

async function openSchool(kind: 'aliyun' | 'tencent', gateway: object = {}) {
  let server: TestServer | undefined
  const sms = await startSmsProvider(kind, () => server?.platform.now() ?? new Date())
  onTestFinished(() => sms.close())
  server = await testServer()
  await applyBootstrap(server.platform, { settings: { sms: { ...sms.gateway, ...gateway } } }, { source: 'test' })
  const root = await openPortal(server, { isSuperUser: true, account: 'root' })
  return { server, sms, root }
}

const saveAs = async (root: Portal, name: string, language: string, template: object | null) => {
  const { version } = (await root.call<MessageTemplateList>('/message_templates/list/')).data.sms
  return await root.call<Sms>('/message_templates/save_sms/', { body: { version, name, language, template } })
}

const sendCode = (server: TestServer, language: string) =>
  transaction(systemContext(server.platform), (inner) =>
    sendMessage(inner, {
      template: 'code.login',
      channel: 'sms',
      to: '13800000001',
      userId: null,
      language,
      params: { code: '482915', minutes: 5 },
    }),
  )

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 30 })

test('a code uses the template of its message and language, other messages the common one', async () => {
  const { server, sms, root } = await openSchool('tencent')
  const own = { provider: 'tencent', id: '100002', values: ['minutes', 'code'] }
  expect((await saveAs(root, 'code.login', 'zh_TW', own)).status).toBe(200)
  for (const language of ['zh_TW', 'en']) {
    await sendCode(server, language)
    await eventually(() => expect(sms.sent.length).toBe(language === 'en' ? 2 : 1))
  }
  expect(sms.sent).toMatchObject([
    { template: '100002', values: { 1: '5', 2: '482915' } },
    { template: '100001', values: { 1: '482915', 2: '5' } },
  ])
})

test('a template that the provider rejected, or of another provider, is not used', async () => {
  const { root } = await openSchool('aliyun')
  const shown = async () => {
    const body = { name: 'code.login', language: 'en', texts: {} }
    return (await root.call<MessagePreview>('/message_templates/preview/', { body })).data.provider
  }
  const own = { provider: 'aliyun', id: 'SMS_OWN', values: ['code'] }
  await saveAs(root, 'code.login', 'en', own)
  expect(await shown()).toEqual({ id: 'SMS_OWN', values: [{ name: 'code', value: '123456' }] })
  await saveAs(root, 'code.login', 'en', { ...own, approval: 'rejected' })
  expect((await shown())?.id).toBe('SMS_CODE')
  await saveAs(root, 'code.login', 'en', { ...own, provider: 'tencent' })
  expect((await shown())?.id).toBe('SMS_CODE')
})

test('a notice with a template of its own is texted even without one for all notices', async () => {
  const { server, sms, root } = await openSchool('aliyun', { noticeTemplate: null })
  const userId = await addPerson(server, { account: 'lilei', name: 'Li Lei', phone: '+8613800000001' })
  const notify = (template: 'notice.password-changed' | 'notice.alias-changed') =>
    transaction(systemContext(server.platform), (inner) => notifyPerson(inner, { userId, template }))
  const own = { provider: 'aliyun', id: 'SMS_NOTICE', values: ['account', 'time'] }
  await saveAs(root, 'notice.password-changed', 'en', own)
  await notify('notice.alias-changed')
  await notify('notice.password-changed')
  await eventually(() => expect(sms.sent).toMatchObject([{ template: 'SMS_NOTICE', values: { account: 'lilei' } }]))
})

test('an unknown value, a code template without its code and a late editor are rejected, naming the field', async () => {
  const { root } = await openSchool('aliyun')
  const own = (values: string[]) => ({ provider: 'aliyun', id: 'SMS_OWN', values })
  const unknown = await saveAs(root, 'notice.dormant', 'en', own(['account', 'code']))
  expect(unknown.envelope).toMatchObject({
    code: 'message-template.unknown-value',
    message: expect.stringContaining('code'),
    data: { fields: ['template.values'] },
  })
  expect((await saveAs(root, 'code.login', 'en', own(['minutes']))).envelope.code).toBe('message-template.code-needed')
  expect((await saveAs(root, 'link.account-reset', 'en', own(['name']))).envelope.code).toBe('request.invalid')
  expect((await saveAs(root, 'code.login', 'xx', own(['code']))).envelope.code).toBe('language.not-found')
  const saved = (await saveAs(root, 'code.login', 'en', own(['code']))).data
  const body = { version: saved.version - 1, name: 'code.login', language: 'en', template: null }
  const late = await root.call('/message_templates/save_sms/', { body })
  expect(late.envelope).toMatchObject({
    code: 'version.conflict',
    data: { current: { templates: { 'code.login': { en: { id: 'SMS_OWN', approval: 'unknown' } } } } },
  })
})

test('a removed template leaves nothing behind, and the history of the settings shows both states', async () => {
  const { server, root } = await openSchool('aliyun')
  await saveAs(root, 'code.login', 'en', { provider: 'aliyun', id: 'SMS_OWN', values: ['code'] })
  expect((await saveAs(root, 'code.login', 'en', null)).data.templates).toEqual({})
  const lines = await server.platform.sql`
    select before, after from audit_records where target_id = 'smsTemplates' order by id`
  expect(lines).toMatchObject([{ after: { 'code.login': { en: { id: 'SMS_OWN' } } } }, { after: {} }])
})

test('what the bootstrap file sets can not be changed here', async () => {
  const { server, root } = await openSchool('aliyun')
  const smsTemplates = { 'code.login': { en: { provider: 'aliyun', id: 'SMS_FILE', values: ['code'] } } }
  await applyBootstrap(server.platform, { settings: { smsTemplates } }, { source: 'file', isFile: true })
  expect((await saveAs(root, 'code.login', 'en', null)).envelope.code).toBe('settings.set-by-file')
  expect((await root.call<MessageTemplateList>('/message_templates/list/')).data.sms.setByFile).toEqual(['code.login'])
})
