import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { LoginCheck } from '#shared/contract/login-check.ts'
import { logIn } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { PEOPLE, school, verb } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'

const checkOf = async (page: Portal, id: string) => (await page.call<LoginCheck>(`${PEOPLE}/${id}/login_check/`)).data

test('of somebody who can not log in it is told why, and why the last try failed', async () => {
  const server = await testServer()
  const { id, place } = await school(server)
  const root = await openPortal(server, { isSuperUser: true })
  const lisi = id('20260002')
  expect(await checkOf(root, lisi)).toEqual({ obstacles: [], lastFailure: null, lastCode: null })
  await expect(logIn(server, '20260002', { password: 'Not-the-right-1' })).rejects.toThrow('401')
  const failed = { reason: 'password.wrong', rules: [] }
  expect(await checkOf(root, lisi)).toMatchObject({ obstacles: [], lastFailure: { ...failed, ip: '127.0.0.1' } })
  await verb(root, lisi, 'freeze', { until: new Date(server.platform.now().getTime() + 86_400_000).toISOString() })
  await verb(root, lisi, 'lock')
  const { obstacles } = await checkOf(root, lisi)
  expect(obstacles[0]).toMatchObject({ reason: expect.stringMatching(/^account\.(locked|frozen)$/) })
  // Where others log in from is told to super users.
  const beside = await openPortal(server, { powers: [], administers: place('cs') })
  expect((await checkOf(beside, lisi)).lastFailure).toMatchObject({ ...failed, ip: null })
  await verb(root, lisi, 'unlock')
  await verb(root, lisi, 'thaw')
  await logIn(server, '20260002')
  expect(await checkOf(root, lisi)).toEqual({ obstacles: [], lastFailure: null, lastCode: null })
})

test('of a code that never arrived it is told what became of it: sent, refused by the gateway in its words, never asked for', async () => {
  const server = await testServer()
  const { id, place } = await school(server)
  const root = await openPortal(server, { isSuperUser: true })
  const lisi = id('20260002')
  const { sql, now } = server.platform
  const insertCode = (template: string, state: string, at: Date, words: string | null) => sql`
    insert into messages (id, user_id, channel, template, language, masked_to, target_hash, state, next_attempt_at,
      expires_at, reason, last_error, created_at)
    values (${v7()}, ${lisi}, 'sms', ${template}, 'en', '138****0001', ${Buffer.from('x')}, ${state}, ${at}, ${at},
      ${words && 'signature'}, ${words}, ${at})`
  await insertCode('code', 'sent', new Date(now().getTime() - 2 * 86_400_000), null)
  expect((await checkOf(root, lisi)).lastCode).toBeNull()
  await insertCode('code', 'failed', now(), 'isv.SMS_SIGNATURE_ILLEGAL')
  await insertCode('notice.new-device', 'sent', new Date(now().getTime() + 1000), null)
  const code = { channel: 'sms', to: '138****0001', state: 'failed', reason: 'signature' }
  expect((await checkOf(root, lisi)).lastCode).toMatchObject({ ...code, words: 'isv.SMS_SIGNATURE_ILLEGAL' })
  const beside = await openPortal(server, { powers: [], administers: place('cs') })
  expect((await checkOf(beside, lisi)).lastCode).toMatchObject({ ...code, words: null })
})
