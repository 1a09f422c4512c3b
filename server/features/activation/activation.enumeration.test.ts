import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { addNewcomer, openActivation, refusedKinds } from '../../testing/activation.ts'
import { createBrowser } from '../../testing/browser.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { setPolicy, solvedCaptcha } from '../../testing/sign-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { DEMO: '1', TRUSTED_PROXIES: '127.0.0.1' } })
  await setPolicy(server, { addressFailures: 100_000 })
})
afterAll(() => server.close())

const { kinds: KINDS, accountOf, right: RIGHT } = refusedKinds(() => server)

test('the information check answers every failure identically: status, body, headers', async () => {
  const answers = new Map<string, unknown>()
  for (const [kind, { make, typed }] of Object.entries(KINDS)) {
    await make(accountOf(kind))
    const reply = await openActivation(server).begin({ account: accountOf(kind), ...typed })
    const { requestId, ...envelope } = reply.envelope
    const headers = Object.fromEntries(
      [...reply.headers].filter(([name]) => !/^(date|x-request-id|set-cookie)$/.test(name)),
    )
    answers.set(kind, { status: reply.status, envelope, headers, cookies: reply.headers.getSetCookie().length })
    expect(requestId).toMatch(/^\w+$/)
  }
  const [first] = answers.values()
  expect(first).toMatchObject({ status: 422, envelope: { code: 'activation.refused', data: { captcha: null } } })
  for (const [kind, answer] of answers) expect(answer, kind).toEqual(first)
})

/** Sets a policy for one test. */
async function policyForNow(changes: Parameters<typeof setPolicy>[1]): Promise<void> {
  onTestFinished(() => setPolicy(server, { lockAfterFailures: 5, captchaAfterFailures: 3 }))
  await setPolicy(server, changes)
}

test.each(['somebody', 'nobody'])(
  'repeated failures at %s require a captcha, then block comparison however right',
  async (who) => {
    const account = `guessed-${who}`
    const { name, idNumber } = await addNewcomer(server, { account: who === 'somebody' ? account : 'guessed-other' })
    const browser = createBrowser(server)
    const page = openActivation(server, browser)
    const wrong = { account, name, idNumber: '000' }
    const answers: unknown[] = []
    for (let at = 0; at < 3; at += 1) {
      const { code, data } = await page.begin(wrong)
      answers.push([code, (data as unknown as { captcha: unknown }).captcha])
    }
    expect(answers.map((answer) => JSON.stringify(answer))).toEqual([
      '["activation.refused",null]',
      '["activation.refused",null]',
      '["activation.refused",{"kind":"proof-of-work"}]',
    ])
    expect(await page.begin(wrong)).toMatchObject({ code: 'activation.captcha-required' })
    expect(await page.begin({ ...wrong, captchaId: 'x', captcha: 'y' })).toMatchObject({
      code: 'activation.captcha-wrong',
    })
    const solved = () => solvedCaptcha(browser, 'activation')
    expect(await page.begin({ ...wrong, ...(await solvedCaptcha(browser)) })).toMatchObject({
      code: 'activation.captcha-wrong',
    })
    for (let at = 0; at < 2; at += 1) {
      expect(await page.begin({ ...wrong, ...(await solved()) })).toMatchObject({ code: 'activation.refused' })
    }
    expect(await page.begin({ account, name, idNumber, ...(await solved()) })).toMatchObject({
      code: 'activation.refused',
    })
    server.advance(16 * 60)
    const after = await page.begin({ account, name, idNumber })
    expect(after.status).toBe(who === 'somebody' ? 200 : 422)
  },
)

test('of fifty parallel guesses at most five are compared', async () => {
  await policyForNow({ captchaAfterFailures: 1000 })
  const { account, name, idNumber } = await addNewcomer(server)
  const wrong = { account, name, idNumber: '000' }
  const tries = Array.from({ length: 100 }, (_, at) =>
    openActivation(server).begin(at < 99 ? wrong : { ...wrong, idNumber }),
  )
  const answers = await Promise.all(tries)
  expect(answers.slice(0, 99).every(({ code }) => code === 'activation.refused' || code === 'service.busy')).toBe(true)
  expect(answers[99]?.status).not.toBe(200)
})

test.each(['\u0000', 'new\u0000', "' or 1=1 --", '%', '\ud800', '{{7*7}}'])(
  'the account %j is treated as unknown',
  async (account) => {
    expect(await openActivation(server).begin({ account, ...RIGHT })).toMatchObject({
      status: 422,
      code: 'activation.refused',
    })
  },
)

test.each([
  ['another way to write the name', { name: ' 买买提 · 艾力 ' }],
  ['full-width letters and dashes in the ID number', { idNumber: '９９９９９９-19990101-123x' }],
])('%s is no mistake', async (_, typed) => {
  const onFile = { name: '买买提·艾力', idNumber: '99999919990101123X' }
  const { account } = await addNewcomer(server, onFile)
  expect((await openActivation(server).begin({ account, ...onFile, ...typed })).status).toBe(200)
})
