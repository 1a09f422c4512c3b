import { expect, test } from 'vitest'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { openActivation } from '../../testing/activation.ts'
import { createBrowser } from '../../testing/browser.ts'
import { addReachablePerson, askForCode } from '../../testing/login-codes.ts'
import { recoveryIn } from '../../testing/recovery.ts'
import { testServer } from '../../testing/server.ts'
import { attempt, setPolicy } from '../../testing/sign-in.ts'

const PLACES: SignInPolicy['captchaOn'] = ['login', 'recovery', 'code', 'activation']

test.each([...PLACES, 'nowhere'] as const)(
  'where a captcha is required only at %s, the other places require none',
  async (on) => {
    const server = await testServer({ env: { DEMO: '1' } })
    const limits = { captchaPerAddressAnHour: 0 }
    await server.platform.sql`
    insert into settings (name, value, updated_at)
    values ('verificationCodes', ${JSON.stringify(limits)}::text::jsonb, ${server.platform.now()})`
    const captchaOn = PLACES.filter((place) => place === on)
    await setPolicy(server, { captchaOn, captchaAfterFailures: 0 })
    const { account, phone } = await addReachablePerson(server)
    const browser = createBrowser(server)
    const answers = {
      login: (await attempt(server, account)).code,
      recovery: (await recoveryIn(server).call('/password_recovery/begin/', { account, name: 'Nobody' })).envelope.code,
      code: (await askForCode(server, browser, phone)).envelope.code,
      activation: (await openActivation(server).begin({ account, name: 'Nobody', idNumber: '000' })).code,
    }
    const asking = PLACES.filter((place) => answers[place]?.endsWith('captcha-required'))
    expect([asking, answers.activation !== undefined]).toEqual([captchaOn, true])
    const shown = (await browser.get('/auth_web/login')).text.includes('"captcha":{"kind"')
    expect(shown).toBe(on === 'login')
  },
)
