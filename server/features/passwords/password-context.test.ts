import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { PASSWORD_CONTEXT } from '#shared/rules/password-strength.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'

let server: TestServer
let page: Portal
beforeAll(async () => {
  server = await startTestServer()
  const person = { account: '20264711', name: '王小明', phone: '+8613900006611', birthday: '2003-05-17' }
  const userId = await addPerson(server, person)
  await server.platform.sql`update users set birthday = '2003-05-17', nickname = 'Long Walker' where id = ${userId}`
  page = await openPortal(server, { userId })
})
afterAll(() => server.close())

const brokenBy = async (password: string): Promise<string[]> => {
  const body = { password, subject: { kind: 'session' } }
  return (await page.call<{ rules: string[] }>('/login_config/judge_password/', { body })).data.rules
}

const EXAMPLES: [string, SignInPolicy['passwordContext'][number], string][] = [
  ['a-２０２６４７１１-Z', 'account', 'contains-account'],
  ['Qx-7731-小明王小明', 'name', 'contains-name'],
  ['Qx-7731-WangXiaoMing', 'name', 'contains-name'],
  ['Qx-7731-walker-q', 'name', 'contains-name'],
  ['Qx-139-0000-6611', 'phone', 'contains-phone'],
  ['Qx-2003-05-17-q', 'birthday', 'contains-birthday'],
  ['Qx-7731-Gatehouse', 'school', 'contains-institution'],
]

test.each(EXAMPLES)(
  '%s is rejected only for the %s, and accepted where that does not matter',
  async (password, context, rule) => {
    await setPolicy(server, { passwordContext: [...PASSWORD_CONTEXT] })
    expect(await brokenBy(password)).toEqual([rule])
    await setPolicy(server, { passwordContext: PASSWORD_CONTEXT.filter((one) => one !== context) })
    expect(await brokenBy(password)).toEqual([])
    await setPolicy(server, { passwordContext: [context] })
    expect(await brokenBy(password)).toEqual([rule])
  },
)
