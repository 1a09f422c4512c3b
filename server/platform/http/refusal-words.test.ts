import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { openPortal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import type { SignedOptions } from '../../testing/signed.ts'

async function office(server: TestServer) {
  const page = await openPortal(server, { isSuperUser: true })
  return async (path: string, language: string, options: SignedOptions = {}) => {
    const { envelope } = await page.call(path, { ...options, headers: { 'accept-language': language } })
    return [envelope.code, envelope.message]
  }
}

test('a refused field is named as the pages name it, in the language of the caller', async () => {
  const ask = await office(await testServer())
  const save = (changes: object) => ({ body: { version: 0, changes } })
  expect(await ask('/login_config/update/', 'en', save({ sessionIdleMinutes: 0 }))).toEqual([
    'request.invalid',
    "“Session idle timeout (minutes)” can't be used: At least 5.",
  ])
  expect(await ask('/login_config/update/', 'zh-TW', save({ passwordMinLength: 0 }))).toEqual([
    'request.invalid',
    '「密碼最小長度」不符合要求：不得小於 6。',
  ])
  const rules = [{ categories: ['teacher'], administrators: false, position: 1, minLength: 0 }]
  const [, message] = await ask('/login_config/update/', 'en', save({ passwordRules: rules }))
  expect(message).toMatch(/^“Password rules for groups · Minimum length” can't be used: /)
  expect(await ask('/current_login_manage/query/?ip=1.2.3.4;', 'zh-CN')).toEqual([
    'request.invalid',
    '“IP 地址”不符合要求：格式不正确，请检查所用字符。',
  ])
})

test('a field that pages call differently in each place is named as programs write it', async () => {
  const ask = await office(await testServer())
  // In Chinese the code of an organisation and one that was sent have nothing in common.
  const body = { phone: '13900000000', code: '', version: 1 }
  const [, code] = await ask(`/user_information/${v7()}/bind_phone/`, 'zh-CN', { body })
  expect(code).toBe('“code”不符合要求：请填写此项。')
})

test('a field that several pages have is named as the page of the call names it', async () => {
  const ask = await office(await testServer())
  const named = async (path: string, body: object) => {
    const [, message] = await ask(path, 'en', { body })
    return /^“(.*)” can't be used/.exec(String(message))?.[1]
  }
  const days = { version: 0, changes: { retention: { login: 1, visit: 400, audit: 400 } } }
  expect(await named('/login_config/update/', days)).toBe('Keep records for (days) · Logins')
  const rule = { name: 'Nights', outcome: 'refuse' }
  expect(await named('/access_rule/create/', { ...rule, mode: 'x' })).toBe('Mode')
  expect(await named('/access_rule/create/', { ...rule, when: { from: '25:00', to: '06:00' } })).toBe('From')
  expect(await named('/access_rule/create/', { ...rule, who: { organizations: ['x'] } })).toBe('Departments')
  expect(await named('/ip_range/create/', { name: 'Hall', networks: ['10.0.0.0/8'], kind: 'x' })).toBe('Type')
  const freeze = { selection: { ids: [v7()] }, verb: 'freeze' }
  expect(await named('/user_information/batch_change/', { ...freeze, from: 'soon' })).toBe('From')
  expect(await named('/user_information/batch_change/', { ...freeze, cause: 'x' })).toBe('Cause')
})

test('a field with a name that every object has is refused as any other', async () => {
  const ask = await office(await testServer())
  const rule = { name: 'Nights', outcome: 'refuse' }
  for (const name of ['constructor', 'toString', 'hasOwnProperty']) {
    const refused = await ask('/access_rule/create/', 'en', { body: { ...rule, messages: { [name]: 'Later' } } })
    expect(refused).toEqual(['request.invalid', expect.stringContaining(`“messages.${name}” can't be used`)])
  }
})

test('a choice that does not exist is refused with those that do, in the language of the caller', async () => {
  const ask = await office(await testServer())
  const [, message] = await ask('/current_login_manage/query/?clientType=x', 'zh-CN')
  expect(message).toBe('“clientType”不符合要求：可用的值：pc、mobile、tablet、other。')
})
