import { expect, test } from 'vitest'
import { raw } from '../../testing/raw-request.ts'
import { testServer } from '../../testing/server.ts'

test('headers that trickle in are cut off after ten seconds, while others are served', {
  timeout: 20_000,
}, async () => {
  const { url } = await testServer()
  const began = performance.now()
  const slow = Array.from({ length: 200 }, () => raw(url, 'GET /healthz HTTP/1.1\r\nHost: x\r\n', 15_000))
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  const answers = await Promise.all(slow)
  expect(performance.now() - began).toBeLessThan(12_500)
  expect(answers.every((answer) => answer.startsWith('HTTP/1.1 408 '))).toBe(true)
})
