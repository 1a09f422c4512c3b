import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import type { MessagePreview, MessageTemplateList } from '#shared/contract/message-templates.ts'
import { startMailServer } from '../../testing/mail-server.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

let server: TestServer
let root: Portal
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
  return () => server.close()
})
afterEach(async () => {
  await server.platform.sql`delete from text_overrides`
  await server.platform.wording.refresh(SHIPPED_LANGUAGES)
})

const configure = (settings: Record<string, unknown>) =>
  applyBootstrap(server.platform, { settings }, { source: 'test' })
const list = async () => (await root.call<MessageTemplateList>('/message_templates/list/')).data
const preview = async (name: string, language = 'en', texts = {}) =>
  (await root.call<MessagePreview>('/message_templates/preview/', { body: { name, language, texts } })).data
const save = (key: string, text: string, language = 'en') =>
  root.call(`/language/${language}/update/`, { body: { texts: [{ key, text, version: 0 }] } })

async function withMail() {
  const mail = await startMailServer({})
  onTestFinished(() => mail.close())
  await configure({
    mail: { host: '127.0.0.1', port: mail.port, security: 'none', from: 'portal@school.test' },
    gateway: { names: { en: 'Riverside College', zh_CN: '河畔学院', zh_TW: '河畔學院' } },
  })
  return mail
}

test('every message is previewed in each language as it would arrive, with a value for each placeholder and no raw key', async () => {
  const { templates, texts } = await list()
  expect(templates.length).toBeGreaterThan(20)
  for (const { name, texts: keys, event } of templates) {
    for (const key of [...Object.values(keys), event]) expect(texts.map((one) => one.key)).toContain(key)
    for (const language of SHIPPED_LANGUAGES) {
      const { school: _, provider, ...said } = await preview(name, language)
      expect(provider).toBeNull()
      for (const text of Object.values(said)) {
        expect(text, `${name} in ${language}`).not.toMatch(/[{}]|…|message\.(code|link|notice|test|event)|undefined/)
        // A missing value leaves no gap in its surroundings.
        expect(text, `${name} in ${language}`).not.toMatch(/\S {2}\S|: ?\.|\( ?\)|（）/)
      }
    }
  }
})

test('messages that share their texts are listed, with the texts of each', async () => {
  const { templates } = await list()
  const find = (name: string) => templates.find((one) => one.name === name)
  expect(find('code.login')?.texts.sms).toBe('message.code.sms')
  expect(find('code.login')?.sharedWith).toContain('code.bind-phone')
  expect(find('notice.dormant')).toMatchObject({ texts: { text: 'message.notice.dormant.text' }, sharedWith: [] })
  expect(find('notice.new-device')).toBeUndefined()
})

test('an unsaved text is shown in the preview and nowhere else', async () => {
  const key = 'message.code.sms'
  const drafted = await preview('code.login', 'en', { [key]: '{{school}} wants {{code}} <b>now</b>' })
  expect(drafted.sms).toContain('wants 123456 <b>now</b>')
  expect((await preview('code.login', 'zh_CN')).sms).not.toContain('wants')
  expect((await preview('code.login')).sms).not.toContain('wants')
})

test('the frame of a mail has the unsaved texts, letter by letter, and neither script nor origin', async () => {
  const draft = { texts: { en: { 'message.code.text': 'Type <b>{{code}}</b>:\n\n{{code}}' } } }
  const { data } = await root.call<{ token: string }>('/login_config/preview/', { body: { token: null, draft } })
  const frame = (name: string, page: Portal = root) =>
    page.browser.get(`/auth_web/preview/${data.token}/message/${name}?lang=en`)
  const { status, text, headers } = await frame('code.login')
  expect(status).toBe(200)
  expect(text).toContain('Type &lt;b&gt;123456&lt;/b&gt;')
  expect(text).toContain('font-size:30px')
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
  const policy = headers.get('content-security-policy')
  for (const part of ["default-src 'none'", "frame-ancestors 'self'", 'sandbox']) expect(policy).toContain(part)
  expect(policy).not.toContain('script')
  expect((await frame('no.such')).status).toBe(404)
  expect((await frame('code.login', await openPortal(server, { isSuperUser: true }))).status).toBe(404)
})

test('an unknown placeholder, or a missing required one, is rejected by name', async () => {
  const refused = async (key: string, text: string) => {
    const { status, envelope } = await save(key, text)
    expect(status).toBe(422)
    return (envelope.data as { fields: { problem: string; reason: string }[] }).fields[0]
  }
  const unknown = await refused('message.notice.subject', '{{school}}: {{event}} on {{date}}')
  expect(unknown).toMatchObject({ problem: 'placeholder-unknown', reason: expect.stringContaining('{{date}}') })
  const missing = await refused('message.notice.dormant-soon.sms', '{{school}}: log in once, {{account}}: {{url}}')
  expect(missing).toMatchObject({ problem: 'placeholder-missing', reason: expect.stringContaining('{{date}}') })
  const code = await refused('message.code.text', 'For {{event}}, {{minutes}} minutes, {{school}}')
  expect(code).toMatchObject({ problem: 'code-missing', reason: expect.stringContaining('{{code}}') })
  // A code in a subject could be read from the list of mails by bystanders.
  expect(await refused('message.code.subject', '{{school}}: {{code}}')).toMatchObject({
    problem: 'placeholder-unknown',
  })
  expect(await server.platform.sql`select 1 from text_overrides`).toHaveLength(0)
})

test('a value not used in the shipped text can be used, and is filled in when the message is sent', async () => {
  const mail = await withMail()
  await server.platform.sql`update users set mailbox = 'root@example.edu' where account = 'root'`
  expect((await save('message.notice.subject', '{{account}}: {{event}}, {{time}}, {{school}}')).status).toBe(200)
  const body = { name: 'notice.password-changed', language: 'en', channel: 'mail' }
  const { data } = await root.call<{ sent: boolean }>('/message_templates/test/', { body })
  expect(data).toMatchObject({ sent: true })
  expect(mail.arrived[0]?.to).toEqual(['root@example.edu'])
  expect(mail.arrived[0]?.mail.subject).toMatch(/^root: the password was changed, .+, Riverside College$/)
  expect(mail.arrived[0]?.mail.text).toContain('Hello Name of root,')
})

test('a test is sent to the caller, by existing channels, in an existing language', async () => {
  await withMail()
  const stranger = await openPortal(server, { isSuperUser: true })
  const send = async (channel: string, language = 'en') => {
    const body = { name: 'code.login', language, channel }
    return (await stranger.call('/message_templates/test/', { body })).envelope.code
  }
  expect(await send('mail')).toBe('message-template.no-address')
  expect(await send('wecom')).toBe('message.channel-unavailable')
  expect(await send('mail', 'xx')).toBe('language.not-found')
  const { channels } = (await stranger.call<MessageTemplateList>('/message_templates/list/')).data
  expect(channels.find(({ channel }) => channel === 'mail')).toMatchObject({ isConfigured: true, hasAddress: false })
})

test('texts set by a settings file are shown beside the texts that they override', async () => {
  await configure({ 'message-templates': { 'code.login': { en: { subject: 'Code of {{school}}' } } } })
  const { templates } = await list()
  const fixed = [{ language: 'en', part: 'subject' }]
  expect(templates.find(({ name }) => name === 'code.login')?.fixed).toEqual(fixed)
  expect((await preview('code.login')).subject).toBe('Code of Riverside College')
  expect((await preview('code.bind-phone')).subject).not.toContain('Code of')
})
