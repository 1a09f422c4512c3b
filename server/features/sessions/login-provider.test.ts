import { expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'
import { enterPortal } from '../../testing/sign-in.ts'
import { addVendor, bindAt, logInAt } from '../../testing/vendors.ts'

test('a login by a third party is listed with the name of the provider, for its person and for administrators', async () => {
  const server = await testServer()
  await addVendor(server, 'qywx')
  await server.platform.sql`update third_party_providers set name = '企业微信', names = '{"en": "WeCom"}'`
  const userId = await addPerson(server, { account: 'lilei' })
  const page = await enterPortal(server, 'lilei')
  await bindAt(page, 'qywx')
  await logInAt(server, createBrowser(server), 'qywx')
  const admin = await openPortal(server, { isSuperUser: true })
  type Methods = { records: { authType: string; provider: string | null }[] }
  for (const [list, portal] of [
    ['/certification_record/current_login/', page],
    [`/current_login_manage/query/?userId=${userId}`, admin],
    [`/user_information/${userId}/sessions/`, admin],
  ] as const) {
    const { records } = (await portal.call<Methods>(list)).data
    expect(records.map(({ authType, provider }) => [authType, provider]).toSorted()).toEqual([
      ['qywx', 'WeCom'],
      ['user', null],
    ])
  }
})
