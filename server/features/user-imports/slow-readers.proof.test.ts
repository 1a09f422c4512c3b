import { get, type IncomingMessage } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import { testServer } from '../../testing/server.ts'
import { signedFetch, signedRequest } from '../../testing/signed.ts'

const PATIENCE_MS = 180_000
const OWN = '/certification_record/account/export/?format=csv&timeZone=UTC'
const PEOPLE = '/user_information/export/?format=csv'

// Fakes only the timer that watches the readers.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const session = (page: Portal) => ({ token: page.token, cookie: page.browser.cookieHeader('/auth_service/') })

/** Begins an export and reads nothing of it. */
function begin(page: Portal): Promise<IncomingMessage> {
  const { url, init } = signedRequest(page.server, OWN, session(page))
  return new Promise((begun, failed) => {
    const request = get(url, { headers: init.headers, agent: false }, (answer) => begun(answer.on('error', () => {})))
    request.once('error', failed)
  })
}

/** Reads some of it. */
async function takeSome(answer: IncomingMessage): Promise<void> {
  let left = 3_000_000
  for (;;) {
    const piece: Buffer | null = answer.read()
    if (piece) left -= piece.length
    else await new Promise((more) => answer.once('readable', more))
    if (left < 0) return
  }
}

async function statusOf(page: Portal, path: string): Promise<number> {
  const answer = await signedFetch(page.server, path, session(page))
  await answer.text()
  return answer.status
}

test('people who open their own files and do not read them block nobody else', {
  timeout: 60_000,
}, async () => {
  const server = await testServer()
  const root = await openPortal(server, { isSuperUser: true })
  const page = await openPortal(server)
  const slow = [await openPortal(server), await openPortal(server), await openPortal(server), await openPortal(server)]
  for (const { user } of slow) {
    await server.platform.sql`
      insert into login_records (id, at, user_id, account, auth_type, succeeded, ip, user_agent, browser, device, client_type,
        on_campus, request_id)
      select gen_random_uuid(), now() - n * interval '1 second', ${user.userId}, ${'x'.repeat(1500)}, 'user', true, '192.0.2.1', '',
        'Chrome 140', 'Windows 11', 'pc', false, 'x' from generate_series(1, 20000) n`
  }
  const [reading, ...silent] = await Promise.all(slow.map(begin))
  expect(await statusOf(root, PEOPLE)).toBe(200)
  expect(await statusOf(page, OWN)).toBe(429)
  // A transfer stalls only when the socket buffers are full.
  const isFree = async () => {
    if (reading) await takeSome(reading)
    vi.advanceTimersByTime(PATIENCE_MS)
    return (await statusOf(page, OWN)) === 200
  }
  await until(isFree, 20_000)
  // What was sent before arrives; then it ends prematurely.
  for (const answer of silent) answer.resume()
  await until(async () => silent.some(({ destroyed, complete }) => destroyed && !complete), 10_000)
  let length = 0
  reading?.on('data', (piece: Buffer) => {
    length += piece.length
  })
  reading?.resume()
  await until(async () => reading?.complete === true, 20_000)
  expect(length).toBeGreaterThan(20_000_000)
})
