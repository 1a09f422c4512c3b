import { expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { openPortal } from '../../testing/portal.ts'
import { PEOPLE } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'
import { addVendor, logInAt } from '../../testing/vendors.ts'

test('a login by a provider is listed with its name, not with its key', async () => {
  const server = await testServer()
  await addVendor(server, 'qywx', { unbound: 'create' })
  const { sql, cache } = server.platform
  await sql`update third_party_providers set name = '企业微信', names = '{"en": "WeCom"}'`
  await cache.invalidate(sql, 'third-party-providers')
  await logInAt(server, createBrowser(server), 'qywx')
  const [person] = await sql`select id from users where account = 'LiLei'`
  const root = await openPortal(server, { isSuperUser: true })
  const { data } = await root.call<{ records: { what: string }[] }>(`${PEOPLE}/${person?.['id']}/records/`)
  expect(data.records.map(({ what }) => what)).toEqual([expect.stringMatching(/^(WeCom|企业微信)$/)])
})
