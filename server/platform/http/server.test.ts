import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { raw } from '../../testing/raw-request.ts'
import { testServer } from '../../testing/server.ts'

const json = { 'content-type': 'application/json', 'accept-language': 'en' }

test('an unknown path answers in the one error shape, with a request id and the security headers', async () => {
  const { url } = await testServer()
  const answer = await fetch(`${url}/auth_service/nothing-here`, { headers: { 'accept-language': 'en' } })
  expect(answer.status).toBe(404)
  const body = (await answer.json()) as { requestId: string }
  expect(body).toMatchObject({ state: 404, code: 'request.not-found', requestId: expect.stringMatching(/^\w{20}$/) })
  expect(answer.headers.get('x-request-id')).toBe(body.requestId)
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('server')).toBeNull()
  expect(answer.headers.get('x-powered-by')).toBeNull()
})

test('a person who opens an unknown address reads a page in their language', async () => {
  const { url } = await testServer()
  const answer = await fetch(`${url}/nothing`, {
    headers: { accept: 'text/html,*/*;q=0.8', 'accept-language': 'zh-TW' },
  })
  expect(answer.status).toBe(404)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const page = await answer.text()
  expect(page).toContain('<html lang="zh-TW" dir="ltr">')
  const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  expect(answer.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`)
})

test.each([
  ['malformed JSON', '{"a":', 400],
  ['text that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 400],
  ['a key that pollutes prototypes', '{"__proto__":{"isSuperUser":true}}', 400],
  ['a body that is too large', JSON.stringify({ a: 'x'.repeat(70_000) }), 413],
])('%s is rejected without revealing internals', async (_name, body, status) => {
  const { url } = await testServer()
  const answer = await fetch(`${url}/fwk_cas_service/login`, { method: 'POST', body, headers: json })
  const text = await answer.text()
  expect(answer.status).toBe(status)
  expect(JSON.parse(text)).toMatchObject({ state: status, requestId: expect.any(String) })
  expect(text).not.toMatch(/node_modules|server\/|\.ts|at \w+ \(|select |postgres/i)
})

test.each([
  ['a header of 17 KB', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
  ['bytes that are no request', 'NONSENSE\r\n\r\n', 400],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd', 400],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['lines that end in LF only', 'GET / HTTP/1.1\nHost: x\n\n', 400],
  ['no Host header', 'GET /nothing HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['two Host headers', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: evil.example\r\nConnection: close\r\n\r\n', 400],
  ['two equal Host headers', 'GET /healthz HTTP/1.1\r\nhost: x\r\nHOST: x\r\nConnection: close\r\n\r\n', 400],
  ['two Host headers of an old client', 'GET /nothing HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n', 400],
  ['a broken escape in the path', 'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
  ['TRACE', 'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 405],
  [
    'a method override',
    'POST / HTTP/1.1\r\nHost: x\r\nX-HTTP-Method-Override: DELETE\r\nConnection: close\r\n\r\n',
    405,
  ],
])('%s is rejected, with the security headers and the connection closed', async (_name, bytes, status) => {
  const { url } = await testServer()
  const answer = await raw(url, bytes)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(answer.toLowerCase()).toContain("frame-ancestors 'none'")
  expect(answer.toLowerCase()).toContain('connection: close')
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
})

test('a request that names another host in its address is redirected to ours', async () => {
  const { url } = await testServer()
  const answer = await raw(
    url,
    'GET http://evil.example/auth_web/login?x=1 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
  )
  expect(answer).toMatch(/^HTTP\/1.1 302 /)
  expect(/^location: (.*)\r$/m.exec(answer)?.[1]).toBe(`${url}/auth_web/login?x=1`)
})

test('a length of one gigabyte is refused before the bytes arrive', async () => {
  const { url } = await testServer()
  const head = 'POST /fwk_cas_service/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  const answer = await raw(url, `${head}Content-Length: 1073741824\r\nConnection: close\r\n\r\n{`)
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
})
