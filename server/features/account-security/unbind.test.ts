import { expect, onTestFinished, test } from 'vitest'
import { addPerson, PASSWORD } from '../../testing/people.ts'
import { testServer } from '../../testing/server.ts'
import { enterPortal, setFieldRules } from '../../testing/sign-in.ts'
import { startSmsProvider } from '../../testing/sms-provider.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

test.each(['next-login', 'always'])(
  'a phone required %s is kept only while codes could replace it',
  async (required) => {
    const server = await testServer()
    const sms = await startSmsProvider('aliyun', server.platform.now)
    onTestFinished(() => sms.close())
    await setFieldRules(server, { 'phone.required': required, 'alias.required': required })
    const person = { account: 'lilei', alias: 'li.lei', phone: '+8613800000001', mailbox: 'lilei@example.edu' }
    await addPerson(server, person)
    const page = await enterPortal(server, 'lilei')
    await page.call('/reauthentication/submit/', { body: { method: 'password', answer: PASSWORD } })
    const unbind = async (kind: 'phone' | 'alias') => {
      const { status, envelope } = await page.call(`/user_information/${page.user.userId}/unbind/`, { body: { kind } })
      return [status, envelope.code]
    }
    await applyBootstrap(server.platform, { settings: { sms: sms.gateway } }, { source: 'test' })
    expect(await unbind('phone')).toEqual([422, 'account-field.missing'])
    await server.platform.sql`delete from settings where name = 'sms'`
    await server.platform.cache.invalidate(server.platform.sql, 'settings')
    expect(await unbind('phone')).toEqual([200, undefined])
    expect(await unbind('alias')).toEqual([422, 'account-field.missing'])
  },
)
