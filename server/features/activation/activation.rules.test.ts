import { afterAll, beforeAll, expect, test } from 'vitest'
import { addNewcomer, begun, NEW_PASSWORD } from '../../testing/activation.ts'
import { startTestServer, type TestServer, testServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { purgeActivations } from './index.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { DEMO: '1' } })
})
afterAll(() => server.close())

const apply = (settings: Record<string, unknown>) => applyBootstrap(server.platform, { settings }, { source: 'test' })
const required = (...steps: string[]) => ({ steps: steps.map((step) => ({ step, need: 'required' })) })

test.each<[string, object, RegExp]>([
  ['fields without the account', { fields: ['name', 'idNumber'] }, /settings\.activation\.fields/],
  ['a field twice', { fields: ['account', 'name', 'name'] }, /settings\.activation\.fields/],
  ['identity behind another step', required('password', 'identity'), /settings\.activation\.steps/],
  ['a step twice', required('password', 'password'), /settings\.activation\.steps/],
])('the bootstrap file is refused for %s, with the place', async (_, activation, place) => {
  await expect(apply({ activation })).rejects.toThrow(place)
})

test('the bootstrap file sets fields, steps and questions', async () => {
  const questions = [{ code: 'first-school' }, { code: 'first-pet' }, { code: 'mentor', names: { en: 'Your mentor?' } }]
  const steps = [
    { step: 'identity', need: 'required' },
    { step: 'password', need: 'required' },
    { step: 'mailbox', need: 'optional' },
  ]
  await apply({ activation: { offered: true, steps }, securityQuestions: { questions } })
  const page = await begun(server, await addNewcomer(server))
  expect(page.state().steps.map(({ step, need }) => `${step} ${need}`)).toEqual([
    'password required',
    'mailbox optional',
  ])
})

test('without a channel an optional binding is left out; a required one stays and says why it is impossible', async () => {
  const quiet = await testServer()
  const steps = [...required('password', 'phone').steps, { step: 'mailbox', need: 'optional' }]
  await applyBootstrap(quiet.platform, { settings: { activation: { steps } } }, { source: 'test' })
  const page = await begun(quiet, await addNewcomer(quiet))
  expect(page.state().steps.map(({ step }) => step)).toEqual(['password', 'phone'])
  await page.call('password/', { password: NEW_PASSWORD })
  expect(await page.send('sms', '13800009999')).toEqual({ status: 503, code: 'verification-code.unavailable' })
  expect(await page.call('skip/', { step: 'phone' })).toMatchObject({ code: 'activation.step-required' })
  expect(await page.call('', {})).toMatchObject({ code: 'activation.step-required' })
})

test('expired activations are deleted', async () => {
  const page = await begun(server, await addNewcomer(server))
  const kept = async () =>
    (await server.platform.sql`select 1 from activation_flows where id = ${page.state().id}`).length
  await purgeActivations(server.platform)
  expect(await kept()).toBe(1)
  server.advance(31 * 60)
  await purgeActivations(server.platform)
  expect(await kept()).toBe(0)
})
