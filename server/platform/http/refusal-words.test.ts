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

test('a choice that does not exist is refused with those that do, in the language of the caller', async () => {
  const ask = await office(await testServer())
  const [, message] = await ask('/current_login_manage/query/?clientType=x', 'zh-CN')
  expect(message).toBe('“clientType”不符合要求：可用的值：pc、mobile、tablet、other。')
})
