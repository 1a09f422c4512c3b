import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { DEFAULT_THEME, SHIPPED_CODES } from '#shared/rules/shipped-themes.ts'
import { mergeSettings } from '../../platform/settings.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  return () => server.close()
})

const KB = 1000

async function loginPage(): Promise<{ html: string; assets: string[] }> {
  const html = await (await fetch(`${server.url}/auth_web/login`)).text()
  const tags = [...html.matchAll(/<(?:script|link|img|iframe)[^>]* (?:src|href)="([^"]+)"/g)]
  return { html, assets: tags.map((match) => match[1] ?? '') }
}

const load = async (path: string, encoding: string) => {
  const answer = await fetch(server.url + path, { headers: { 'accept-encoding': encoding } })
  return { headers: answer.headers, status: answer.status, body: Buffer.from(await answer.arrayBuffer()) }
}

test('the login page needs at most 5 requests, 95 kB of script and 140 kB in all, compressed', async () => {
  const { html, assets } = await loginPage()
  expect(1 + assets.length).toBeLessThanOrEqual(5)
  let all = html.length
  for (const path of assets) {
    const { status, body } = await load(path, 'identity')
    expect(status, path).toBe(200)
    const bytes = gzipSync(body, { level: 9 }).length
    if (path.endsWith('.js')) expect(bytes).toBeLessThan(95 * KB)
    all += bytes
  }
  expect(all).toBeLessThan(140 * KB)
})

test('a theme takes one request more, and stays within the 140 kB with everything but its picture', async () => {
  const choose = (theme: string) =>
    mergeSettings({ ...server.platform, db: server.platform.sql }, 'appearance', { theme })
  const shipped = await loginPage()
  for (const code of SHIPPED_CODES.filter((one) => one !== DEFAULT_THEME)) {
    await choose(code)
    const { html, assets } = await loginPage()
    expect(assets.length, code).toBe(shipped.assets.length + 1)
    const sizes = assets.map(async (path) => gzipSync((await load(path, 'identity')).body, { level: 9 }).length)
    const all = (await Promise.all(sizes)).reduce((sum, size) => sum + size, html.length)
    expect(all, code).toBeLessThan(140 * KB)
  }
  await choose(DEFAULT_THEME)
})

test('scripts and styles are compressed and never requested twice', async () => {
  const { assets } = await loginPage()
  const script = assets.find((path) => path.endsWith('.js')) ?? ''
  for (const encoding of ['br', 'gzip']) {
    const answer = await load(script, encoding)
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-type')).toContain('javascript')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  }
  expect((await load(script, 'identity')).headers.get('content-encoding')).toBeNull()
})

test.each(['../../package.json', '%2e%2e/%2e%2e/package.json', '..%2f..%2fpackage.json', '%00', '.vite/manifest.json'])(
  'the folder of assets serves nothing outside itself: %s',
  async (path) => {
    const answer = await load(`/auth_web/login-assets/${path}`, 'identity')
    expect(answer.body.toString()).not.toMatch(/dependencies|isEntry/)
  },
)
