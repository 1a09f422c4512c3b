import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { addPerson } from '../../testing/people.ts'
import { callAs } from '../../testing/portal.ts'
import { startTestServer, type TestServer, testServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'

const DEMO = { env: { DEMO: '1' } }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(DEMO)
  await setPolicy(server, { addressFailures: 100_000 })
  const limits = { perAddressAnHour: 100_000, captchaPerAddressAnHour: 100_000 }
  await server.platform.sql`
    insert into settings (name, value, updated_at) values
      ('verificationCodes', ${JSON.stringify(limits)}::text::jsonb, ${server.platform.now()})`
})
afterAll(() => server.close())

/** Asks for a code for a login, as the login page does. */
async function ask(browser: Browser, target: string, on = server, extra: object = {}) {
  const [path, field] = target.includes('@') ? ['send_email', 'mailbox'] : ['send_phonecaptcha', 'phone']
  const body = { purpose: 'login', [field]: target, ...extra }
  return await callAs(on, browser, `/user_information/login/${path}/`, { body })
}

let made = 0
async function somebody(on = server, extra: object = {}) {
  made += 1
  const phone = `+86137${String(made).padStart(8, '0')}`
  const mailbox = `person-${made}@example.edu`
  const account = `coder-${made}`
  const userId = await addPerson(on, { account, phone, mailbox, ...extra })
  return { userId, account, phone, mailbox }
}

test('how long it takes to ask for a code says nothing of whether anybody is there', async () => {
  const server = await testServer(DEMO)
  const limits = { perAddressAnHour: 100_000, captchaPerAddressAnHour: 100_000 }
  await server.platform.sql`
    insert into settings (name, value, updated_at) values
      ('verificationCodes', ${JSON.stringify(limits)}::text::jsonb, ${server.platform.now()})`
  const known: string[] = []
  for (let i = 0; i < 25; i += 1) known.push((await somebody(server)).phone)
  const times = { known: [] as number[], nobody: [] as number[] }
  const timed = async (phone: string) => {
    const began = performance.now()
    expect((await ask(createBrowser(server), phone, server)).status).toBe(200)
    return performance.now() - began
  }
  for (const [i, phone] of known.entries()) {
    times.known.push(await timed(phone))
    times.nobody.push(await timed(`+86135${String(i).padStart(8, '0')}`))
  }
  // The quicker ones: what a busy machine adds to the others says nothing of the server.
  const quarter = (list: number[]) => list.sort((a, b) => a - b)[Math.floor(list.length / 4)] ?? 0
  expect(Math.abs(quarter(times.known) - quarter(times.nobody))).toBeLessThan(5)
}, 30_000)
