import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { request } from 'undici'
import { expect, test } from 'vitest'
import { SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import { declaredErrors } from '../../platform/errors.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { signedFetch } from '../../testing/signed.ts'

type Operation = {
  'x-access': string
  operationId: string
  security: Record<string, string[]>[]
  responses: Record<
    string,
    { content?: Record<string, { schema?: { allOf?: [unknown, { properties: { code: { enum: string[] } } }] } }> }
  >
}
type Document = {
  paths: Record<string, Record<'get' | 'post', Operation>>
  'x-error-codes': Record<string, { status: number; message: string }>
}

async function documentOf(server: TestServer): Promise<Document> {
  const answer = await fetch(`${server.url}/auth_service/openapi.json`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('application/json')
  return (await answer.json()) as Document
}

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

test('the document is valid OpenAPI 3.1, and every operation has a name of its own', async () => {
  const server = await testServer()
  const document = await documentOf(server)
  const validator = new Validator()
  expect(await validator.validate(structuredClone(document))).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
  const names = operationsOf(document).map(({ operation }) => operation.operationId)
  expect(new Set(names).size).toBe(names.length)
})

test('every route that answers below /auth_service is in the document', async () => {
  const server = await testServer()
  const { paths } = await documentOf(server)
  const documented = new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path.replace(/\/$/, '').replace(/\{(\w+)\}/g, ':$1')}`),
    ),
  )
  const mounted = routesOf(server).filter(({ path }) => path.startsWith('/auth_service/'))
  const missing = mounted
    .map(({ method, path }) => `${method.toLowerCase()} ${path.slice('/auth_service'.length)}`)
    .filter((route) => !documented.has(route) && !NOT_AN_API_CALL.test(route))
  expect(mounted.length).toBeGreaterThan(10)
  expect(missing).toEqual([])
})

/** Where the browser returns with a ticket: a page of the login flow. And where vendors report changes, in formats of their own. */
const NOT_AN_API_CALL = /^(get|post) \/(cas\/login|source_events\/:id)$/

/** Fastify's own list of routes, parsed from its printed tree. */
function routesOf({ app }: TestServer): { method: string; path: string }[] {
  const parts: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const found = /^(.*?)[├└]── (\S*)(?: \(([\w, ]+)\))?/.exec(line)
      if (!found) return []
      const depth = (found[1] ?? '').length / 4
      parts.length = depth
      parts[depth] = found[2] ?? ''
      const path = parts.join('')
      return (found[3] ?? '')
        .split(', ')
        .filter((method) => method === 'GET' || method === 'POST')
        .map((method) => ({ method, path }))
    })
}

test('every error code of a call is declared and has a message in each language', async () => {
  const server = await testServer()
  const document = await documentOf(server)
  const used = operationsOf(document).flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap(
      ({ content }) => content?.['application/json']?.schema?.allOf?.[1].properties.code.enum ?? [],
    ),
  )
  expect(used.filter((code) => !declaredErrors().has(code))).toEqual([])
  for (const [code, { status }] of Object.entries(document['x-error-codes'])) {
    expect(status).toBe(declaredErrors().get(code))
    for (const language of SHIPPED_LANGUAGES) {
      expect(server.platform.translate(language, `errors.${code}`, { count: 2 })).not.toBe(`errors.${code}`)
    }
  }
  expect(document['x-error-codes']['request.bad-signature']?.status).toBe(403)
})

test('whoever has only the app key gets what anybody gets: no call that needs a session answers', async () => {
  const server = await testServer()
  const needing = operationsOf(await documentOf(server)).filter(({ operation }) => operation['x-access'] !== 'public')
  expect(needing.length).toBeGreaterThan(0)
  for (const { path, method, operation } of needing) {
    const address = path.replace(/\{\w+\}/g, '0190b2a0-0000-7000-8000-000000000000')
    const options = method === 'POST' ? { body: {} } : {}
    const answer = await signedFetch(server, address, { ...options, token: 'x'.repeat(43) })
    const status = operation['x-access'] === 'application' ? 403 : 401
    expect({ path, status: answer.status }).toEqual({ path, status })
  }
})

test('the page shows every call in each language, and a search narrows it', async () => {
  const server = await testServer()
  const calls = operationsOf(await documentOf(server)).length
  for (const lang of SHIPPED_LANGUAGES) {
    const answer = await fetch(`${server.url}/auth_service/docs?lang=${lang}`)
    const html = await answer.text()
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(html.match(/<details/g)).toHaveLength(calls)
    expect(html).toContain(server.platform.translate(lang, 'api-docs.refusals'))
    expect(html).not.toMatch(/api-docs\.\w|errors\.\w+\./)
  }
  const found = await (await fetch(`${server.url}/auth_service/docs?search=pic_captcha`)).text()
  expect(found.match(/<details/g)).toHaveLength(1)
  const many = await (await fetch(`${server.url}/auth_service/docs?lang=en&search=a`)).text()
  expect(many.match(/<details/g)).toHaveLength(40)
  expect(many).toContain('Only the first 40 are shown.')
  expect(many.length).toBeLessThan(540_000)
})

test('nothing on the page runs, and the search text is shown as text', async () => {
  const server = await testServer()
  const answer = await fetch(
    `${server.url}/auth_service/docs?search=${encodeURIComponent('"><script>alert(1)</script>')}`,
  )
  const html = await answer.text()
  expect(html).not.toContain('<script')
  expect(html).not.toMatch(/(src|href)="(https?:)?\/\//)
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  expect(answer.headers.get('content-security-policy')).toContain(`style-src 'self' 'sha256-${hash}'`)
})

/** As it is on the wire: `fetch` would decompress it. */
async function onTheWire(url: string, headers: Record<string, string>) {
  const { statusCode, headers: answered, body } = await request(url, { headers })
  return { status: statusCode, headers: answered, bytes: Buffer.from(await body.arrayBuffer()) }
}

test.each(['openapi.json', 'docs?lang=zh_CN'])(
  '%s is compressed as the client accepts, and not sent again to a client that has it',
  async (path) => {
    const server = await testServer()
    const url = `${server.url}/auth_service/${path}`
    const plain = await onTheWire(url, {})
    expect(plain.headers['content-encoding']).toBeUndefined()
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }
    const wishes: [string, 'br' | 'gzip'][] = [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, br;q=0', 'gzip'],
      ['*', 'br'],
    ]
    for (const [wish, encoding] of wishes) {
      const { headers, bytes } = await onTheWire(url, { 'accept-encoding': wish })
      expect(headers).toMatchObject({
        'content-encoding': encoding,
        vary: 'accept-encoding',
        'cache-control': 'no-cache',
      })
      expect(bytes.length).toBeLessThan(plain.bytes.length / 8)
      expect(unpack[encoding](bytes).equals(plain.bytes)).toBe(true)
      const known = { 'accept-encoding': wish, 'if-none-match': `"other", W/${headers['etag']}` }
      const again = await onTheWire(url, known)
      expect([again.status, again.bytes.length, again.headers['etag']]).toEqual([304, 0, headers['etag']])
      // Another encoding has another tag.
      expect((await onTheWire(url, { 'if-none-match': String(headers['etag']) })).status).toBe(200)
    }
  },
)
