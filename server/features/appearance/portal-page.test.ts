import { beforeAll, expect, test } from 'vitest'
import { mergeSettings } from '../../platform/settings.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  return () => server.close()
})

const page = async (path: string) => {
  const answer = await fetch(server.url + path, { headers: { 'accept-language': 'en' } })
  return { answer, html: await answer.text() }
}

test('the head of a page names what it needs, and each file exists and is immutable', async () => {
  const { answer, html } = await page('/auth_web/manage/organization')
  const files = [...html.matchAll(/<(?:script|link)[^>]* (?:src|href)="(\/auth_web\/assets\/[^"]+)"/g)].map(
    ([, file]) => file ?? '',
  )
  expect(files.length).toBeGreaterThan(6)
  expect(new Set(files).size).toBe(files.length)
  const assets = await Promise.all(
    files.map(async (file) => {
      const asset = await fetch(server.url + file)
      // A body that nobody reads keeps its connection, until the server or a collector of garbage ends it.
      const { byteLength } = await asset.arrayBuffer()
      return { file, status: asset.status, isEmpty: byteLength === 0, cache: asset.headers.get('cache-control') }
    }),
  )
  for (const { file, status, isEmpty, cache } of assets) {
    expect({ file, status, isEmpty }).toEqual({ file, status: 200, isEmpty: false })
    expect(cache).toContain('immutable')
  }
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('an unknown address gets the application, and the page does not contain it', async () => {
  const { answer, html } = await page('/auth_web/%3Cscript%3Ealert(1)%3C/script%3E?next=alert(2)')
  expect(answer.status).toBe(200)
  expect(html).not.toContain('alert(')
  expect(html).toContain('rel="modulepreload"')
})

test('the page comes compressed to browsers that take it so, and as it is to others', async () => {
  const read = async (encoding: string) => {
    const headers = { 'accept-encoding': encoding, 'accept-language': 'en' }
    const answer = await fetch(`${server.url}/auth_web/my-apps`, { headers })
    expect(answer.headers.get('vary')).toContain('accept-encoding')
    const [, nonce = '?'] = /<style nonce="([^"]+)">/.exec(await answer.clone().text()) ?? []
    return { encoding: answer.headers.get('content-encoding'), html: (await answer.text()).replaceAll(nonce, '') }
  }
  const plain = await read('identity')
  expect(plain.encoding).toBeNull()
  expect(await read('gzip, deflate, br')).toEqual({ encoding: 'br', html: plain.html })
  expect(await read('gzip')).toEqual({ encoding: 'gzip', html: plain.html })
})

test('what the page carries ends no script element, whatever the institution is called', async () => {
  await mergeSettings({ ...server.platform, db: server.platform.sql }, 'gateway', { names: { en: '</script><b>Evil' } })
  const { html } = await page('/auth_web/my-apps')
  expect(html).not.toContain('</script><b>')
})

test('the page contains the styles of its shell, allowed only by the nonce of its policy, before any style sheet', async () => {
  const { answer, html } = await page('/auth_web/my-apps')
  const [, nonce] = /<style nonce="([^"]+)">/.exec(html) ?? []
  expect(answer.headers.get('content-security-policy')).toContain(`style-src 'self' 'nonce-${nonce}';`)
  const names = [...html.matchAll(/class="([^"]+)"/g)].flatMap(([, list]) => list?.split(' ') ?? [])
  for (const name of names.filter((one) => one !== 'page-narrow')) expect(html).toMatch(new RegExp(`\\.${name}[ ,:{]`))
  expect(html.indexOf('id="shell"')).toBeLessThan(html.indexOf('rel="stylesheet"'))
  expect(html.indexOf('rel="stylesheet"')).toBeLessThan(html.indexOf('id="root"'))
})

test('users with their own reading colours never see other colours first', async () => {
  const cookie = 'gatehouse_reading=1.140.black.line.white-on-black.1.100.0'
  const html = await fetch(`${server.url}/auth_web/my-apps`, { headers: { cookie } }).then((answer) => answer.text())
  expect(html).not.toContain('<style')
  expect(html.lastIndexOf('rel="stylesheet"')).toBeLessThan(html.indexOf('id="shell"'))
})

test('the shell of the back office says where one is, before its scripts have loaded', async () => {
  const { html } = await page('/auth_web/manage/organization')
  expect(html).toMatch(/<div class="bar"><span class="brand">.*<span>Back office<\/span>/)
})
