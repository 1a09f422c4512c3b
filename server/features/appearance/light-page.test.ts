import type { FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import { type LightPage, NOTICES, type NoticeName } from '#shared/contract/light-page.ts'
import { createHttpServer } from '../../platform/http/server.ts'
import { tagsOf, textBetween } from '../../testing/html.ts'
import { testServer } from '../../testing/server.ts'
import { type LightAnswer, renderLightPage } from './index.ts'

/** Answers `page` at every path, over the real HTTP server; a function is called for each request. */
async function serverOf(page: LightPage | (() => LightPage), answer: LightAnswer = {}): Promise<FastifyInstance> {
  const { platform } = await testServer()
  const app = await createHttpServer(platform)
  const now = typeof page === 'function' ? page : () => page
  app.all('/fwk_cas_service/*', (request, reply) => renderLightPage(platform, request, reply, now(), answer))
  onTestFinished(() => app.close())
  return app
}

const get = (app: FastifyInstance, url = '/fwk_cas_service/x', headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { 'accept-language': 'en', ...headers } })

const label = { name: 'Library', names: { zh_CN: '图书馆' } }
const notice = (name: NoticeName): LightPage => ({
  kind: 'notice',
  name,
  application: label,
  person: 'Li Lei',
  error: name === 'refused' ? { code: 'request.cross-site', params: {} } : null,
  requestId: 'R123',
  actions: [{ text: { key: 'notice.to-portal' }, href: '/auth_web/', primary: true }],
})

test('every notice has a heading, a text and a link, in every language, and no raw key', async () => {
  let shown: NoticeName = 'refused'
  const app = await serverOf(() => notice(shown))
  for (const name of Object.keys(NOTICES) as NoticeName[]) {
    shown = name
    for (const lang of SHIPPED_LANGUAGES) {
      const { body } = await get(app, `/fwk_cas_service/x?lang=${lang}`)
      const visible = textBetween(body, '<main', '</main>')
      expect(visible, `${name} ${lang}`).not.toMatch(/notice\.|light\.|errors\.|\{\{/)
      expect(visible).toContain('Li Lei')
      expect(body).toContain('href="/auth_web/"')
      expect(visible.includes('R123')).toBe(['caution', 'danger'].includes(NOTICES[name]))
    }
  }
})

const messagesIn = (body: string): Record<string, string> => {
  const data = /<script type="application\/json" id="light-data">(.*?)<\/script>/s.exec(body)?.[1] ?? ''
  return (JSON.parse(data) as { surroundings: { messages: Record<string, string> } }).surroundings.messages
}

test('a page contains the message of the one error that it shows; in another language those of all that it may show by then', async () => {
  const app = await serverOf(notice('refused'))
  const carried = Object.keys(messagesIn((await get(app)).body)).filter((key) => key.startsWith('errors.'))
  expect(carried).toEqual(['errors.request.cross-site'])
  const { url } = await testServer()
  const login = await fetch(`${url}/auth_web/login`)
  expect(Object.keys(messagesIn(await login.text())).filter((key) => key.startsWith('errors.'))).toEqual([
    'errors.server.error',
  ])
  for (const [kind, key] of [
    ['notice', 'errors.request.cross-site'],
    ['login', 'errors.sign-in.refused'],
    ['second-factor', 'errors.sign-in.second-factor-wrong'],
    ['device', 'errors.device.code-unknown'],
  ]) {
    const answer = await fetch(`${url}/auth_web/login/surroundings?kind=${kind}&lang=zh_CN`)
    const { messages } = (await answer.json()) as { messages: Record<string, string> }
    expect([kind, messages[key ?? '']]).toEqual([kind, expect.stringMatching(/[\u4e00-\u9fff]/)])
  }
})

test('a question posts its answer, with the single-use code that makes it valid', async () => {
  const app = await serverOf({
    kind: 'confirm',
    name: 'continue',
    application: label,
    person: null,
    actions: [
      {
        text: { key: 'confirm.continue.yes' },
        href: '/fwk_cas_service/login',
        fields: { continue: 'abc' },
        primary: true,
      },
      { text: { key: 'confirm.continue.no' }, href: '/auth_web/' },
    ],
  })
  const { body } = await get(app)
  expect(body).toContain('Continue to Library?')
  expect(tagsOf(body, 'form')).toEqual([{ method: 'post', action: '/fwk_cas_service/login' }])
  expect(tagsOf(body, 'input')).toEqual([{ type: 'hidden', name: 'continue', value: 'abc' }])
})

test('a ticket is posted to its application and nowhere else, with a button for a browser without script', async () => {
  const app = await serverOf(
    { kind: 'post', href: 'https://lib.test/a?b=1&c=2', fields: { ticket: 'ST-1' }, application: label },
    { formTargets: ['https://lib.test'] },
  )
  const { body, headers } = await get(app)
  expect(tagsOf(body, 'form')).toMatchObject([{ method: 'post', action: 'https://lib.test/a?b=1&c=2' }])
  expect(tagsOf(body, 'input')).toEqual([{ type: 'hidden', name: 'ticket', value: 'ST-1' }])
  expect(tagsOf(body, 'button')).toMatchObject([{ type: 'submit' }])
  expect(headers['content-security-policy']).toContain("form-action 'self' https://lib.test;")
  expect(body, 'asking again would issue another ticket').not.toContain('lang=zh_CN')
})

test('front-channel logout loads only its applications, in frames without our rights', async () => {
  const urls = ['https://a.test/logout?x=1', 'https://a.test/logout?x=2', 'https://b.test/out']
  const app = await serverOf({ kind: 'front-logout', urls, seconds: 5, next: 'https://a.test/', application: null })
  const { body, headers } = await get(app)
  const frames = tagsOf(body, 'iframe')
  expect(frames.map((frame) => frame['src'])).toEqual(urls)
  for (const frame of frames) expect(frame['sandbox']).toBe('allow-scripts allow-same-origin')
  expect(headers['content-security-policy']).toContain('frame-src https://a.test https://b.test;')
  expect(headers['content-security-policy']).toContain("script-src 'self';")
  expect(body).toContain('href="https://a.test/"')
})

test('the language links keep the address, except the language; an answer to a form has none', async () => {
  const app = await serverOf(notice('signed-in'))
  const { body } = await get(app, '/fwk_cas_service/login?a=1&lang=zh_CN&b=%22%3E')
  expect(body).toContain('href="/fwk_cas_service/login?a=1&amp;b=%22%3E&amp;lang=en"')
  const posted = await app.inject({ method: 'POST', url: '/fwk_cas_service/login', payload: {} })
  expect(posted.body).not.toContain('lang=en"')
})
