import { afterAll, beforeAll, expect, test } from 'vitest'
import { outboxOf } from '../../testing/messages.ts'
import { ANSWERS, addRecoverable, liftAddressLimits, recoveryIn } from '../../testing/recovery.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'

const DEMO = { env: { DEMO: '1' } }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(DEMO)
  await setPolicy(server, { addressFailures: 100_000, captchaAfterFailures: 1000 })
  await liftAddressLimits(server)
})
afterAll(() => server.close())

const somebody = (columns?: object, on = server) => addRecoverable(on, columns)

const STATES = {
  normal: {},
  'locked-by-administrator': { locked_at: new Date(0) },
  frozen: { frozen_from: new Date(0) },
  dormant: { dormant_since: new Date(0) },
  inactive: { activated: false },
  disabled: { enabled: false },
  deleted: { deleted_at: new Date(0) },
  'must-change': { must_change_password: true },
}

/** Individual values replaced; the rest must be the same for everybody. */
const shapeOf = (value: unknown) =>
  JSON.stringify(value)
    .replace(/"(id|requestId|proof)":"[^"]+"/g, '"$1":""')
    .replace(/\d{3}\*{4}\d{4}/g, 'phone')
    .replace(/"\w\*{3}@/g, '"mailbox@')
    .replace(/"code":"[a-z-]+","text":"[^"]+"/g, 'question')

test('every step up to the proof gets one and the same answer, whatever the state of the account', async () => {
  const people = new Map([
    ['nobody', 'nobody-at-all'],
    ['wrong-name', ''],
  ])
  for (const [state, facts] of Object.entries(STATES)) people.set(state, (await somebody(facts)).account)
  people.set('wrong-name', people.get('normal') ?? '')
  const told = new Map<string, string[]>()
  for (const [state, account] of people) {
    const page = recoveryIn(server)
    const begun = await page.begin(account, state === 'wrong-name' ? 'Somebody Else' : undefined)
    const { id, questions } = begun.data
    const replies = [
      begun,
      await page.send(id, 'phone'),
      await page.send(id, 'phone'),
      await page.send(id, 'mailbox'),
      await page.byCode(id, 'phone', 'x'),
      await page.byQuestions(
        id,
        questions.map(({ code }) => ({ question: code, answer: 'no idea' })),
      ),
      await page.set(id, 'phone', 'no-such-proof'),
    ]
    const seen = replies.map(({ status, envelope, headers }) => [
      status,
      envelope.code,
      envelope.state === 429 ? null : envelope.data,
      [...headers].map(([name]) => name).sort(),
    ])
    told.set(shapeOf(seen), [...(told.get(shapeOf(seen)) ?? []), state])
  }
  expect([...told.values()]).toHaveLength(1)
}, 60_000)

test('the invented data of an unknown name is always the same, and differs between names', async () => {
  const hints = async (account: string) => JSON.stringify((await recoveryIn(server).begin(account)).data.methods)
  expect(await hints('stranger-1')).toBe(await hints('stranger-1'))
  expect(await hints('stranger-1')).not.toBe(await hints('stranger-2'))
})

test('whoever does not know the name sees nothing true, and does not use up its holder’s limits', async () => {
  const { account, phone } = await somebody()
  const stranger = recoveryIn(server)
  const { id, methods } = (await stranger.begin(account, 'Not The Name')).data
  expect(JSON.stringify(methods)).not.toContain(phone.slice(-4))
  await stranger.send(id, 'phone')
  for (let i = 0; i < 6; i += 1) await stranger.byQuestions(id, ANSWERS)
  expect((await outboxOf(server)).filter(({ to }) => to === phone)).toHaveLength(0)
  const holder = recoveryIn(server)
  const own = (await holder.begin(account)).data.id
  expect((await holder.send(own, 'phone')).status).toBe(200)
  expect((await holder.byQuestions(own, ANSWERS)).status).toBe(200)
})
