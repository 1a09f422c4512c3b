import { request as plainRequest } from 'node:http'
import { expect, test } from 'vitest'
import { systemContext, transaction } from '../../platform/platform.ts'
import { messagesTo } from '../../testing/messages.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { signedFetch, signedRequest } from '../../testing/signed.ts'
import { outboxAddress, sendMessage } from './index.ts'

const CODE = '482915'

async function demoWithCode(env: Record<string, string> = {}) {
  const server = await testServer({ env: { DEMO: '1', ...env } })
  await transaction(systemContext(server.platform), (inner) =>
    sendMessage(inner, {
      template: 'code.login',
      channel: 'mail',
      to: 'lilei@example.edu',
      userId: null,
      language: 'en',
      params: { code: CODE, minutes: 5 },
    }),
  )
  await messagesTo(server, 'lilei@example.edu')
  return server
}

const outbox = async (server: TestServer, key = '') => {
  const here = { ...server, url: `http://127.0.0.1:${server.platform.config.port}` }
  const answer = await signedFetch(here, `/outbox/query/?key=${key}`)
  return { status: answer.status, text: await answer.text() }
}

test('a demo shows what it would have sent, to the browser on the same machine', async () => {
  const server = await demoWithCode()
  const { status, text } = await outbox(server)
  expect(status).toBe(200)
  expect(JSON.parse(text)).toMatchObject({
    data: [{ channel: 'mail', to: 'lilei@example.edu', text: expect.stringContaining(CODE) }],
  })
})

test('from another machine a demo shows its messages only with the printed key', async () => {
  const server = await demoWithCode({ PUBLIC_URL: 'https://demo.school.test' })
  const refused = await outbox(server)
  expect(refused.status).toBe(403)
  expect(refused.text).not.toContain(CODE)
  expect((await outbox(server, 'f'.repeat(32))).status).toBe(403)
  const key = outboxAddress(server.platform).split('#')[1]
  expect((await outbox(server, key)).text).toContain(CODE)
})

test('a page of another site using DNS rebinding can not read messages', async () => {
  const server = await demoWithCode()
  const { url, init } = signedRequest(server, '/outbox/query/')
  const status = await new Promise((resolve) => {
    plainRequest(
      url,
      { headers: { ...Object.fromEntries(new Headers(init.headers)), host: 'rebound.evil.test' } },
      (answer) => resolve(answer.resume().statusCode),
    ).end()
  })
  expect(status).toBe(403)
})

test('without a demo there is neither the page nor the call, and nothing is stored', async () => {
  const server = await testServer()
  expect((await outbox(server)).status).toBe(404)
  expect((await fetch(`${server.url}/auth_web/outbox`)).status).toBe(404)
  expect((await fetch(`${server.url}/auth_web/outbox/`)).status).toBe(404)
})
