import { expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { addReachablePerson, allowManyCodes, askForCode } from '../../testing/login-codes.ts'
import { testServer } from '../../testing/server.ts'

const DEMO = { env: { DEMO: '1' } }

test('the response time of a code request does not reveal whether the account exists', async () => {
  const server = await testServer(DEMO)
  await allowManyCodes(server)
  const known: string[] = []
  for (let i = 0; i < 25; i += 1) known.push((await addReachablePerson(server)).phone)
  const times = { known: [] as number[], nobody: [] as number[] }
  const timed = async (phone: string) => {
    const began = performance.now()
    expect((await askForCode(server, createBrowser(server), phone)).status).toBe(200)
    return performance.now() - began
  }
  for (const [i, phone] of known.entries()) {
    times.known.push(await timed(phone))
    times.nobody.push(await timed(`+86135${String(i).padStart(8, '0')}`))
  }
  // The faster quarter: delays added by a busy machine say nothing about the server.
  const quarter = (list: number[]) => list.sort((a, b) => a - b)[Math.floor(list.length / 4)] ?? 0
  expect(Math.abs(quarter(times.known) - quarter(times.nobody))).toBeLessThan(5)
}, 30_000)
