import { expect, test } from 'vitest'
import { MAX_CLOCK_SKEW_MS } from '#shared/contract/signature.ts'
import { randomToken } from '../../platform/crypto.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { type SignedOptions, signedFetch, signedRequest } from '../../testing/signed.ts'
import { deleteExpiredReplayMarks } from './api-signature.jobs.ts'

/** A public call that changes something; with an unknown captcha the handler itself answers `captcha.wrong`. */
const PATH = '/check'
const body = { captchaId: 'nobody-has-this', track: [] }
const REACHED = { status: 422, code: 'captcha.wrong' }
const REFUSED = { status: 403, code: 'request.bad-signature' }
const REPLAYED = { status: 403, code: 'request.replayed' }

async function answerOf(answer: Response) {
  const { code, data } = (await answer.json()) as { code?: string; data: { serverTime?: number } | null }
  return { status: answer.status, code, data }
}

const call = async (server: TestServer, options: SignedOptions = {}, path = PATH) =>
  answerOf(await signedFetch(server, path, path === PATH ? { body, ...options } : options))

type Sent = ReturnType<typeof signedRequest>

/** Signs a call, lets `spoil` alter what was signed, and sends it. */
async function spoiled(
  server: TestServer,
  spoil: (sent: Sent) => void,
  path = PATH,
  options: SignedOptions = { body },
) {
  const sent = signedRequest(server, path, options)
  spoil(sent)
  return answerOf(await fetch(sent.url, sent.init))
}

test('a signed call is answered, a call without signature, time or uuids is refused', async () => {
  const server = await testServer()
  expect(await call(server)).toMatchObject(REACHED)
  for (const missing of ['sign', 'timestamp']) {
    expect(await spoiled(server, ({ init }) => delete init.headers[missing])).toMatchObject(REFUSED)
  }
  expect(await spoiled(server, ({ url }) => url.searchParams.delete('uuids'))).toMatchObject(REFUSED)
  for (const uuids of ['', 'short', 'x'.repeat(65), 'with space in its middle', 'sixteen-and-more-é']) {
    expect(await call(server, { uuids })).toMatchObject(REFUSED)
  }
})

test('a signature of another key, in another case or of another length is refused', async () => {
  const server = await testServer()
  expect(await call(server, { appKey: 'another-key' })).toMatchObject(REFUSED)
  for (const sign of ['', '0', 'F'.repeat(64), 'F'.repeat(5000)]) {
    expect(await call(server, { headers: { sign } })).toMatchObject(REFUSED)
  }
  expect(
    await spoiled(server, ({ init }) => Object.assign(init.headers, { sign: init.headers['sign']?.toLowerCase() })),
  ).toMatchObject(REFUSED)
})

test('any change after signing is detected: method, path, any parameter, any byte of the body', async () => {
  const server = await testServer()
  const path = '/gen?purpose=login&note=caf%C3%A9'
  const query: Record<string, (url: URL) => void> = {
    changed: (url) => url.searchParams.set('purpose', 'recovery'),
    added: (url) => url.searchParams.append('extra', '1'),
    dropped: (url) => url.searchParams.delete('note'),
    duplicated: (url) => url.searchParams.append('purpose', 'login'),
    normalised: (url) => url.searchParams.set('note', 'cafe\u0301'),
    'uuids twice': (url) => url.searchParams.append('uuids', url.searchParams.get('uuids') ?? ''),
    'another uuids': (url) => url.searchParams.set('uuids', randomToken(32)),
    'broken escape': (url) => Object.assign(url, { search: `${url.search}%` }),
    'another path': (url) => Object.assign(url, { pathname: '/auth_service/gen/' }),
  }
  for (const [name, spoil] of Object.entries(query)) {
    expect({ name, ...(await spoiled(server, ({ url }) => spoil(url), path, {})) }).toMatchObject({ name, ...REFUSED })
  }
  const bodies = ['', '{}', JSON.stringify({ track: [], captchaId: body.captchaId }), `${JSON.stringify(body)} `]
  for (const altered of bodies) {
    expect(await spoiled(server, ({ init }) => Object.assign(init, { body: altered }))).toMatchObject(REFUSED)
  }
  expect(
    await spoiled(server, ({ init }) =>
      Object.assign(init.headers, { timestamp: String(Number(init.headers['timestamp']) - 1) }),
    ),
  ).toMatchObject(REFUSED)
})

test('parameters may arrive in any order', async () => {
  const server = await testServer()
  const turned = await spoiled(
    server,
    ({ url }) => Object.assign(url, { search: new URLSearchParams([...url.searchParams].reverse()).toString() }),
    '/gen?purpose=login',
    {},
  )
  expect(turned.status).toBe(200)
})

test('a form body, which the signature would not cover, is refused', async () => {
  const server = await testServer()
  const form = {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: undefined,
    method: 'POST' as const,
  }
  const answer = await spoiled(server, ({ init }) => Object.assign(init, { body: 'captchaId=x&track=' }), PATH, form)
  expect(answer).toMatchObject({ status: 415, code: 'request.unsupported-media-type' })
})

test('the same signed change sent again is refused, on this node and on another', async () => {
  const server = await testServer()
  const other = await server.secondNode()
  const { url, init } = signedRequest(server, PATH, { body })
  const send = async (node: TestServer) => answerOf(await fetch(node.url + url.pathname + url.search, init))
  expect(await send(server)).toMatchObject(REACHED)
  expect(await send(server)).toMatchObject(REPLAYED)
  expect(await send(other)).toMatchObject(REPLAYED)
  server.advance(240)
  expect(await send(other)).toMatchObject(REPLAYED)
})

test('of 40 copies sent at the same time to two nodes exactly one takes effect', async () => {
  const server = await testServer()
  const nodes = [server, await server.secondNode()]
  const { url, init } = signedRequest(server, PATH, { body })
  const copies = Array.from({ length: 40 }, (_, i) => fetch(`${nodes[i % 2]?.url}${url.pathname}${url.search}`, init))
  const codes = await Promise.all(copies.map(async (copy) => (await answerOf(await copy)).code))
  expect(codes.filter((code) => code === 'captcha.wrong')).toHaveLength(1)
  expect(codes.filter((code) => code === 'request.replayed')).toHaveLength(39)
})

test('a call with a wrong signature does not use up the uuids of the valid one', async () => {
  const server = await testServer()
  const uuids = randomToken(32)
  expect(await call(server, { uuids, appKey: 'another-key' })).toMatchObject(REFUSED)
  expect(await call(server, { uuids })).toMatchObject(REACHED)
  expect(await call(server, { uuids })).toMatchObject(REPLAYED)
})

test('a reading call may be repeated, as a browser does', async () => {
  const server = await testServer()
  const { url, init } = signedRequest(server, '/gen')
  expect((await fetch(url, init)).status).toBe(200)
  expect((await fetch(url, init)).status).toBe(200)
})

test('a client whose clock is more than five minutes off is told the server’s time, and succeeds with it', async () => {
  const server = await testServer()
  const now = () => server.platform.now().getTime()
  for (const off of [MAX_CLOCK_SKEW_MS + 5000, -MAX_CLOCK_SKEW_MS - 5000, 8 * 3_600_000, -86_400_000]) {
    const answer = await call(server, { timestamp: now() + off })
    expect(answer).toMatchObject({ status: 403, code: 'request.clock-skew' })
    expect(Math.abs((answer.data?.serverTime ?? 0) - now())).toBeLessThan(5000)
    expect(await call(server, { timestamp: answer.data?.serverTime ?? 0 })).toMatchObject(REACHED)
  }
  for (const off of [MAX_CLOCK_SKEW_MS - 5000, 5000 - MAX_CLOCK_SKEW_MS]) {
    expect(await call(server, { timestamp: now() + off })).toMatchObject(REACHED)
  }
  for (const timestamp of ['', 'yesterday', '1e15', '-1', '9'.repeat(30)]) {
    expect(await call(server, { headers: { timestamp } })).toMatchObject(REFUSED)
  }
})

test('a change dated ahead can not be repeated when its time has come', async () => {
  const server = await testServer()
  const { url, init } = signedRequest(server, PATH, { body, timestamp: server.platform.now().getTime() + 290_000 })
  const send = async () => answerOf(await fetch(url, init))
  expect(await send()).toMatchObject(REACHED)
  server.advance(580)
  expect(await send()).toMatchObject(REPLAYED)
  server.advance(60)
  expect(await send()).toMatchObject({ code: 'request.clock-skew' })
})

test('marks are deleted once their requests are too old to be accepted, not before', async () => {
  const server = await testServer()
  const marks = async () => (await server.platform.sql`select 1 from replay_marks`).length
  const { url, init } = signedRequest(server, PATH, { body })
  expect(await answerOf(await fetch(url, init))).toMatchObject(REACHED)
  server.advance(290)
  await deleteExpiredReplayMarks(server.platform)
  expect(await answerOf(await fetch(url, init))).toMatchObject(REPLAYED)
  server.advance(700)
  await deleteExpiredReplayMarks(server.platform)
  expect(await marks()).toBe(0)
})
