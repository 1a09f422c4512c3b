import { expect, test } from 'vitest'
import { addPerson, logIn } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { addClient, authorize, redeem, refresh, returned, userinfo } from '../../testing/relying-party.ts'
import { type TestServer, testServer } from '../../testing/server.ts'

type Listed = { records: { appId: string; name: string; scopes: string[]; givenAt: string }[]; total: number }

/** A person who consented to an application that is not theirs; returns what it holds. */
async function agreed(server: TestServer, account: string) {
  const userId = await addPerson(server, { account })
  const client = await addClient(server, {
    appId: 'survey',
    name: 'Survey',
    consent: 'explicit',
    backchannelLogoutUri: 'https://survey.test/logout',
  })
  const browser = await logIn(server, account)
  const asked = await authorize(browser, client, { scope: 'openid profile' })
  const answered = await browser.post(new URL(asked.location).pathname, { answer: 'allow' })
  const { body } = await redeem(client, returned(await browser.get(answered.location))['code'])
  return { client, browser, tokens: body, portal: await openPortal(server, { userId }) }
}

test('a person sees their consents, and withdraws one: what the application holds is invalid', async () => {
  const server = await testServer()
  const { client, browser, tokens, portal } = await agreed(server, 'lilei')
  const other = await agreed(server, 'hanmei')
  const { data } = await portal.call<Listed>('/consents/')
  expect(data.total).toBe(1)
  expect(data.records[0]).toMatchObject({ appId: 'survey', name: 'Survey', scopes: ['openid', 'profile'] })

  const withdraw = () => portal.call<{ withdrawn: boolean }>('/consents/withdraw/', { body: { appId: 'survey' } })
  expect((await withdraw()).data).toEqual({ withdrawn: true })
  expect((await withdraw()).data).toEqual({ withdrawn: false })
  expect((await portal.call<Listed>('/consents/')).data.records).toEqual([])
  expect((await userinfo(server, tokens.access_token)).status).toBe(401)
  expect((await refresh(client, tokens.refresh_token)).body.error).toBe('invalid_grant')
  expect((await userinfo(server, other.tokens.access_token)).status).toBe(200)

  const told = await server.platform.sql`select user_id from logout_deliveries where protocol = 'oidc'`
  expect(told).toHaveLength(1)

  const again = await authorize(browser, client, { scope: 'openid profile' })
  expect(again.location).toContain('/consent/')
  await browser.post(new URL(again.location).pathname, { answer: 'allow' })
  expect((await userinfo(server, tokens.access_token)).status).toBe(401)
  const audit = await server.platform.sql`select target_id from audit_records where action = 'consent.withdraw'`
  expect(audit).toEqual([{ targetId: 'survey' }])
})
