import { afterAll, beforeAll, expect, test } from 'vitest'
import { addRecoverable, liftAddressLimits, recoveryIn } from '../../testing/recovery.ts'
import { startTestServer, type TestServer, testServer } from '../../testing/server.ts'
import { setPolicy, solvedCaptcha } from '../../testing/sign-in.ts'

const DEMO = { env: { DEMO: '1' } }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(DEMO)
  await setPolicy(server, { addressFailures: 100_000, captchaAfterFailures: 1000 })
  await liftAddressLimits(server)
})
afterAll(() => server.close())

const somebody = (columns?: object, on = server) => addRecoverable(on, columns)

test('the response times of the first step and of a code do not reveal whether the account exists', async () => {
  const server = await testServer(DEMO)
  await liftAddressLimits(server)
  const known: string[] = []
  for (let i = 0; i < 12; i += 1) known.push((await somebody({}, server)).account)
  const times: Record<string, number[]> = {}
  const timed = async (what: string, work: () => Promise<{ status: number }>) => {
    const began = performance.now()
    expect((await work()).status, what).toBe(200)
    times[what] = [...(times[what] ?? []), performance.now() - began]
  }
  const walk = async (who: string, account: string) => {
    const page = recoveryIn(server)
    const captcha = await solvedCaptcha(page.browser, 'recovery')
    const body = { account, name: `Name of ${account}`, ...captcha }
    let id = ''
    await timed(`begin ${who}`, async () => {
      const reply = await page.call<{ id: string }>('/password_recovery/begin/', body)
      id = reply.data.id
      return reply
    })
    await timed(`send ${who}`, () => page.send(id, 'phone'))
  }
  for (const [i, account] of known.entries()) {
    await walk('known', account)
    await walk('nobody', `stranger-${i}`)
  }
  // The faster ones: delays added by a busy machine say nothing about the server.
  const quarter = (what: string) => (times[what] ?? []).sort((a, b) => a - b)[2] ?? 0
  for (const step of ['begin', 'send'])
    expect(Math.abs(quarter(`${step} known`) - quarter(`${step} nobody`)), step).toBeLessThan(5)
}, 60_000)
