import { expect, test } from 'vitest'
import type { StoredRoutes } from '#shared/contract/message-routes.ts'
import { VENDORS } from '../../../tools/simulators/index.ts'
import { openPortal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

test('DingTalk counts as configured only with the AgentId of its app, as its check says', async () => {
  const server = await testServer()
  const root = await openPortal(server, { isSuperUser: true, account: 'root' })
  const settings = VENDORS.dingding.settings('http://127.0.0.1:9')
  await applyBootstrap(
    server.platform,
    { thirdPartyProviders: [{ key: 'dingding', connector: 'dingding', name: 'DingTalk', settings }] },
    { source: 'test' },
  )
  const read = async () => (await root.call<StoredRoutes>('/message_routes/details/')).data
  const isConfigured = async () => (await read()).channels.find(({ channel }) => channel === 'dingtalk')?.isConfigured
  expect(await isConfigured()).toBe(false)
  const changes = { dingtalkAgentId: '1000003' }
  await root.call('/message_routes/update/', { body: { version: (await read()).version, changes } })
  expect(await isConfigured()).toBe(true)
})
