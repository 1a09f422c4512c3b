import { expect, onTestFinished, test } from 'vitest'
import type { ChannelCheck, StoredRoutes } from '#shared/contract/message-routes.ts'
import { startSimulator, VENDORS } from '../../../tools/simulators/index.ts'
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

test('a code that DingTalk doesn’t document fails no check, as on its own page', async () => {
  const server = await testServer()
  const root = await openPortal(server, { isSuperUser: true, account: 'root' })
  const answer = () => ({ status: 400, text: '{"code":"notInAnyManual"}' })
  const calls = { ...VENDORS.dingding.calls, '/v1.0/oauth2/userAccessToken': { step: 'token', answer } as const }
  const simulator = await startSimulator({ ...VENDORS.dingding, calls }, { trustedOrigin: server.url })
  onTestFinished(() => simulator.close())
  const entry = { key: 'dingding', connector: 'dingding', name: 'DingTalk' }
  const provider = { ...entry, settings: VENDORS.dingding.settings(simulator.url) }
  const file = { thirdPartyProviders: [provider], settings: { messageRoutes: { dingtalkAgentId: '1000003' } } }
  await applyBootstrap(server.platform, file, { source: 'test' })
  const { data } = await root.call<ChannelCheck>('/message_routes/check/', {
    body: { channel: 'dingtalk', send: false },
  })
  const unclear = { outcome: 'skipped', reason: 'unclear', code: 'notInAnyManual' }
  expect(data.steps.find(({ step }) => step === 'secret')).toMatchObject(unclear)
  expect(data.steps.find(({ step }) => step === 'permission')?.outcome).toBe('well')
  expect(data.steps.map(({ step }) => step)).not.toContain('corporation')
})
