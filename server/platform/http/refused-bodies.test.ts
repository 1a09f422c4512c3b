import { expect, test } from 'vitest'
import { AVATAR } from '#shared/rules/picture-kind.ts'
import { openPortal } from '../../testing/portal.ts'
import { countTaken, flood } from '../../testing/raw.ts'
import { testServer } from '../../testing/server.ts'
import { signedRequest } from '../../testing/signed.ts'

/** Of any body, including what the system delivers with it. */
const MAX_TAKEN = 256 * 1024
const TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/xml']
const SOMETHING = '0190b2a0-0000-7000-8000-000000000000'
/** Answered by the OpenID provider's single route. */
const PROVIDER = ['token', 'par', 'introspect', 'revoke', 'device_authorization', 'userinfo']

test('no route reads a body that it has rejected: it says why and closes the connection', {
  timeout: 300_000,
}, async () => {
  const server = await testServer()
  const posts = server.app.surface.routes.filter(({ method }) => method === 'POST').map(({ url }) => url)
  const paths = posts.map((url) => url.replace(/:\w+/g, SOMETHING)).filter((path) => !path.includes('*'))
  const all = new Set([...paths, ...PROVIDER.map((name) => `/fwk_cas_service/oidc/${name}`), '/nothing/here'])
  // For public calls, a body is read up to its limit before it is checked.
  const large = server.app.surface.endpoints.filter(
    ({ mostBodyBytes, upload, access }) => mostBodyBytes && !upload && access === 'public',
  )
  const bounds = new Map(large.map(({ path, mostBodyBytes = 0 }) => [`/auth_service${path}`, mostBodyBytes]))
  const boundOf = (path: string) => MAX_TAKEN + (bounds.get(path) ?? bounds.get(`${path}/`) ?? 0)
  const requests = [...all].flatMap((path, index) => {
    // All types for the protocols, elsewhere in turn.
    const types = path.startsWith('/fwk_cas_service') ? TYPES : [TYPES[index % TYPES.length]]
    return types.map((type) => ({ path, head: `POST ${path} HTTP/1.1\r\nContent-Type: ${type}\r\n` }))
  })
  expect(requests.length).toBeGreaterThan(150)
  expect(server.app.surface.endpoints.some(({ path }) => path === '/application_manage/import/check/')).toBe(true)
  const taken = countTaken(server)
  // Sequentially at each path, so that the counts can be told apart.
  while (requests.length > 0) {
    const batch = requests.splice(0, 16)
    const from = taken().length
    const answers = await Promise.all(batch.map(({ head }) => flood(server.url, head)))
    const outcomes = answers.map(({ status, hasClosed }, at) => ({ head: batch[at]?.head, status, hasClosed }))
    expect(outcomes.filter(({ status, hasClosed }) => status < 400 || status >= 500 || !hasClosed)).toEqual([])
    const most = Math.max(...batch.map(({ path }) => boundOf(path)))
    expect(
      taken()
        .slice(from)
        .filter((bytes) => bytes > most),
    ).toEqual([])
  }
})

test('a picture that is too large is read up to the limit and no further', { timeout: 60_000 }, async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const session = { token: page.token, cookie: page.browser.cookieHeader('/auth_service/') }
  const { url, init } = signedRequest(server, '/auth_files/upload/', { method: 'POST', ...session })
  const headers = Object.entries({ ...init.headers, 'content-type': 'multipart/form-data; boundary=x' })
  const head = `POST ${url.pathname}${url.search} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}`
  const taken = countTaken(server)
  const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
  const answer = await flood(server.url, head, part)
  expect(answer).toMatchObject({ status: 413, hasClosed: true })
  expect(answer.text).toContain('"file.too-large"')
  expect(taken()).toHaveLength(1)
  expect(taken()[0]).toBeLessThan(AVATAR.mostBytes + MAX_TAKEN)
})

test('a small unneeded body does not cost the connection', async () => {
  const server = await testServer()
  const { Agent, request } = await import('undici')
  const dispatcher = new Agent({ connections: 1 })
  const taken = countTaken(server)
  for (let round = 0; round < 3; round++) {
    const answer = await request(`${server.url}/nothing/here`, { method: 'POST', body: 'x'.repeat(1000), dispatcher })
    expect(answer.statusCode).toBe(404)
    await answer.body.dump()
  }
  await dispatcher.close()
  expect(taken()).toHaveLength(1)
})
