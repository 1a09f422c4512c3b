import { expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { addCasApplication, addPerson, postLogin } from '../../testing/people.ts'
import { testServer } from '../../testing/server.ts'

const TABLES = /\b(users|sso_sessions|login_records|session_services|passwords|passkeys|attempt_counters)\b/

test('a login reads the person once and writes in one transaction, whether or not it renews a session', async () => {
  let sent: string[] = []
  const server = await testServer({ onStatement: (text) => sent.push(text.replace(/\s+/g, ' ').trim()) })
  await addPerson(server, { account: 'once' })
  await addCasApplication(server, { appId: 'shop' })
  // The first login of a process also samples which kinds of hash are in use, and may replace the person's.
  await postLogin(createBrowser(server), { username: 'once' })
  const browser = createBrowser(server)
  /** The statements of a login against its tables, by their first words. */
  const logIn = async (): Promise<string[]> => {
    sent = []
    const answer = await postLogin(browser, { username: 'once' }, { service: 'https://shop.test/' })
    expect(answer.location).toContain('ticket=ST-')
    return sent.filter((text) => TABLES.test(text) || text === 'begin').map((text) => text.split(' ', 3).join(' '))
  }
  const select = expect.stringMatching(/^select u\.id/)
  const save = ['begin', 'with verified as', 'with s as', 'insert into login_records', 'with visit as']
  expect(await logIn()).toEqual([select, ...save])
  expect(await logIn()).toEqual([expect.stringMatching(/^select s\.id/), select, ...save])
})
