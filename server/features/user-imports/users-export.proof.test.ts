import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openPortal } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import { startTestServer } from '../../testing/server.ts'
import { signedFetch, signedRequest } from '../../testing/signed.ts'

test('an export is read only as fast as the client accepts it, and not at all once the connection is gone', {
  timeout: 60_000,
}, async () => {
  let steps = 0
  const onStatement = (text: string) => {
    if (text.includes('as secondary_organizations')) steps += 1
  }
  const node = await startTestServer({ onStatement })
  const people = 16_000
  await node.platform.sql`
    insert into users (id, account, name, nickname, created_at, updated_at)
    select gen_random_uuid(), 'p' || n, 'P', (select string_agg(md5(n || ' ' || i), '') from generate_series(1, 60) i), now(), now()
    from generate_series(1, ${people}) n`
  const page = await openPortal(node, { isSuperUser: true })
  const session = { token: page.token, cookie: page.browser.cookieHeader('/auth_service/') }
  const ask = (format: string) => signedRequest(node, `/user_information/export/?format=${format}`, session)
  /** Reads the first bytes of a file and no more. @returns a function that breaks the connection. */
  const begin = ({ url, init }: ReturnType<typeof ask>) =>
    new Promise<() => void>((begun, failed) => {
      const sent = request(url, { headers: init.headers, agent: false }, (answer) => {
        answer.once('data', () => {
          answer.pause()
          begun(() => sent.destroy())
        })
      })
      sent.on('error', failed).end()
    })
  /** The number of steps read, once no more follow. */
  const settled = async (): Promise<number> => {
    for (let last = -1; last !== steps; ) {
      last = steps
      await pause(500)
    }
    return steps
  }
  for (const format of ['csv', 'xlsx']) {
    steps = 0
    const leave = await begin(ask(format))
    expect([format, (await settled()) < people / 2000]).toEqual([format, true])
    const busy = ask(format)
    expect((await fetch(busy.url, busy.init)).status).toBe(429)
    leave()
    // Its slot is free again: nothing continues for it.
    const few = async () => {
      const next = await signedFetch(node, '/user_information/export/?format=csv&search=p15999', session)
      return next.ok && (await next.text()).includes('p15999')
    }
    await until(few, 10_000)
  }
  await node.close()
})
