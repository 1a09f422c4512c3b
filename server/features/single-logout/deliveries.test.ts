import { expect, test, vi } from 'vitest'
import type { LogoutDelivery } from '#shared/contract/logout-deliveries.ts'
import { ticketFor, validateP3 } from '../../testing/cas.ts'
import { addCasApplication, addPerson, logIn } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'
import { startService } from '../../testing/service.ts'

const MANAGE = '/current_login_manage'

test('after a kick-out an administrator sees for each application whether it was told', async () => {
  const server = await testServer()
  await addPerson(server, { account: '20260001' })
  const admin = await openPortal(server, { isSuperUser: true })
  const browser = await logIn(server, '20260001')
  const enter = async (appId: string, settings: object, reply?: Parameters<typeof startService>[0]) => {
    const service = await startService(reply)
    await addCasApplication(server, {
      appId,
      name: appId,
      serviceUrls: [`${service.url}**`],
      url: service.url,
      ...settings,
    })
    await validateP3(server, service.url, await ticketFor(browser, service.url))
    return service
  }
  await enter('library', {})
  await enter('broken', {}, { reply: (_hit, response) => response.writeHead(500).end() })
  await enter('deaf', { singleLogout: 'none' })
  await enter('shown', { singleLogout: 'front-channel' })
  type Logins = { records: { id: string; account: string }[] }
  const { records } = (await admin.call<Logins>(`${MANAGE}/query/?search=20260001`)).data
  const { data } = await admin.call<{ ids: string[] }>(`${MANAGE}/kick_out/`, {
    body: { ids: records.map(({ id }) => id) },
  })
  const states = async () => {
    const answer = await admin.call<LogoutDelivery[]>(`${MANAGE}/logout_deliveries/?ids=${data.ids.join(',')}`)
    return Object.fromEntries(answer.data.map(({ applicationId: _, application, ...state }) => [application, state]))
  }
  const none = { delivered: 0, pending: 0, inBrowser: 0, failed: 0, error: null, notTold: 0 }
  await vi.waitFor(async () => expect((await states())['library']?.delivered).toBe(1), {
    timeout: 30_000,
    interval: 50,
  })
  expect(await states()).toMatchObject({
    library: { ...none, delivered: 1 },
    deaf: { ...none, notTold: 1 },
    shown: { ...none, inBrowser: 1 },
  })
  server.advance(16)
  await server.platform.sql`select pg_notify('gatehouse_logout', '')`
  const failed = { ...none, failed: 1, error: 'HTTP 500' }
  await vi.waitFor(async () => expect((await states())['broken']).toEqual(failed), { timeout: 30_000, interval: 50 })
})

test('which applications a person entered is shown to super users only', async () => {
  const server = await testServer()
  const dean = await openPortal(server, { permissions: ['edit'] })
  const answer = await dean.call(`${MANAGE}/logout_deliveries/?ids=${dean.ssoSessionId}`)
  expect(answer.status).toBe(403)
})
