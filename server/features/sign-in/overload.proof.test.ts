import { expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson, logIn, postLogin } from '../../testing/people.ts'
import { testServer } from '../../testing/server.ts'

test('of more logins than the node can handle some are served and the others are rejected at once with a retry time', async () => {
  const server = await testServer()
  await addPerson(server, { account: '20260001' })
  const statuses: number[] = []
  await Promise.all(
    Array.from({ length: 400 }, async (_, at) => {
      const answer = await postLogin(createBrowser(server), { username: `nobody-${at}` })
      statuses.push(answer.status)
      if (answer.status !== 503) return
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }),
  )
  expect(new Set(statuses)).toEqual(new Set([401, 503]))
  // Waits until the failures of this address have expired, which would require a captcha.
  server.advance(1200)
  await logIn(server, '20260001')
})
