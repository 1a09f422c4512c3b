import { beforeAll, expect, test } from 'vitest'
import { PROMPT_PAGES, type PromptPageName, type PromptText } from '#shared/contract/prompt-pages.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let root: Portal
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true })
  return () => server.close()
})

type Found = { screens: string[]; texts: PromptText[] }
const find = (page: string, portal = root) => portal.call<Found>(`/language/prompt/?page=${page}`)
const keep = async (draft: object) =>
  (await root.call<{ token: string }>('/login_config/preview/', { body: { token: null, draft } })).data.token
const frame = (token: string, screen: string, portal = root) =>
  portal.browser.get(`/auth_web/preview/${token}/tip-edit/${screen}`)

test('the texts of each page are listed in every language, each with an existing screen', async () => {
  const languages = server.platform.wording.languages().map(({ code }) => code)
  for (const page of PROMPT_PAGES) {
    const { screens, texts } = (await find(page)).data
    expect(texts.length, page).toBeGreaterThan(5)
    for (const { key, screen, texts: said } of texts) {
      expect(screens, key).toContain(screen)
      if (!/_(one|other)$/.test(key)) expect(said.map(({ language }) => language)).toEqual(languages)
    }
  }
  expect((await find('no-page')).status).toBe(400)
})

test('every screen is shown in a frame that sends nothing, only to the super user who uploaded the draft', async () => {
  const token = await keep({})
  const colleague = await openPortal(server, { isSuperUser: true })
  const person = await openPortal(server)
  const name: PromptPageName = 'account-error'
  expect((await find(name, person)).status).toBe(403)
  for (const page of PROMPT_PAGES) {
    const { screens } = (await find(page)).data
    for (const screen of screens) {
      const { status, headers } = await frame(token, `${page}/${screen}`)
      expect(status, `${page}/${screen}`).toBe(200)
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
      const policy = headers.get('content-security-policy') ?? ''
      for (const part of ["frame-ancestors 'self'", "form-action 'none'"]) expect(policy).toContain(part)
    }
    for (const other of [colleague, person]) {
      expect((await frame(token, `${page}/${screens[0]}`, other)).status).toBe(404)
    }
  }
  for (const screen of ['no-page/login', `${name}/no-screen`, `${name}/__proto__`]) {
    expect((await frame(token, screen)).status, screen).toBe(404)
  }
})

test('an error is shown on its screen by its key, in the draft’s wording', async () => {
  const key = 'errors.sign-in.locked'
  const token = await keep({ texts: { zh_CN: { [key]: '账号锁了，请来一楼' } } })
  const { texts } = (await find('account-error')).data
  const screen = texts.find((text) => text.key === key)?.screen
  const shown = async (query: string) => (await frame(token, `account-error/${screen}?${query}`)).text
  expect(await shown(`key=${key}&lang=zh_CN`)).toContain('账号锁了，请来一楼')
  expect(await shown(`key=${key}&lang=en`)).not.toContain('账号锁了')
  // Any other key is not an error of the page.
  expect((await frame(token, `account-error/${screen}?key=errors.server.error&lang=en`)).status).toBe(200)
})

test('a screen can be previewed in a language that is not offered yet, right-to-left included; nobody else sees it', async () => {
  const language = { name: 'ئۇيغۇرچە', direction: 'rtl', fallback: 'zh_CN', position: 9 }
  expect((await root.call('/language/ug/add/', { body: language })).status).toBe(200)
  const texts = [{ key: 'login.submit', text: 'كىرىش', version: 0 }]
  expect((await root.call('/language/ug/update/', { body: { texts } })).status).toBe(200)
  const token = await keep({ texts: { ug: { 'recovery.title': 'پارول' } } })
  const { text, headers } = await frame(token, 'account-login/login?lang=ug')
  expect(headers.get('content-language')).toBe('ug')
  expect(text).toMatch(/<html lang="ug" dir="rtl"/)
  expect(text).toContain('كىرىش')
  const portal = (await frame(token, 'get-password/account?lang=ug')).text
  expect(portal).toMatch(/<html lang="ug" dir="rtl"/)
  expect(portal).toContain('پارول')
  // The page's scripts read it from there.
  const around = /id="surroundings">(.*?)<\/script>/.exec(portal)?.[1] ?? '{}'
  expect(JSON.parse(around).languages).toContainEqual({ code: 'ug', ...language, position: undefined })
  const visitor = await root.browser.get('/auth_web/login?lang=ug')
  expect(visitor.headers.get('content-language')).not.toBe('ug')
  expect(visitor.text).not.toContain('ئۇيغۇرچە')
  const version = server.platform.wording.languages().find(({ code }) => code === 'ug')?.version
  expect((await root.call('/language/ug/delete/', { body: { version } })).status).toBe(200)
})
