import { expect, test } from 'vitest'
import { testServer } from '../../testing/server.ts'

const entities = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('')

test.each([
  ['a billion laughs', `<!DOCTYPE x [<!ENTITY e0 "ha">${entities}]><a>&e9;</a>`, 400, 500],
  ['deep nesting', '<a>'.repeat(2000), 400, 500],
  ['10 MB', `<a>${'x'.repeat(10_000_000)}</a>`, 413, 2000],
] as const)('%s in a SAML request is refused at once', async (_what, body, status, ms) => {
  const { url } = await testServer()
  const query = new URLSearchParams({ TARGET: 'https://app.test/' })
  const started = performance.now()
  const answer = await fetch(`${url}/fwk_cas_service/samlValidate?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml' },
    body,
  })
  await answer.text()
  expect(answer.status).toBe(status)
  expect(performance.now() - started).toBeLessThan(ms)
})
