import { expect, test } from 'vitest'
import { testServer } from '../../testing/server.ts'
import { applyBootstrap } from './index.ts'

test('an ID number is kept sealed, in one form, and written again only when it changes', async () => {
  const { platform } = await testServer()
  const apply = (idNumber?: string | null) =>
    applyBootstrap(
      platform,
      { users: [{ account: 'lilei', name: 'Li Lei', ...(idNumber !== undefined && { idNumber }) }] },
      { source: 'test' },
    )
  const stored = async () => {
    const [row] = await platform.sql<{ idNumber: string | null }[]>`
      select id_number from users where account = 'lilei'`
    return row?.idNumber ?? null
  }
  await apply('999999 20010203 123x')
  const sealed = await stored()
  expect(sealed).toMatch(/^v1\./)
  expect(platform.secrets.open(sealed ?? '')).toBe('99999920010203123X')
  expect(await apply('99999920010203123X')).toMatchObject({ updated: 0, unchanged: 1 })
  expect(await apply()).toMatchObject({ updated: 0, unchanged: 1 })
  expect(await stored()).toBe(sealed)
  expect(await apply('P-1234567')).toMatchObject({ updated: 1 })
  expect(platform.secrets.open((await stored()) ?? '')).toBe('P1234567')
  await platform.sql`update users set id_number = 'v1.deadbeef.AAAA'`
  expect(await apply('P1234567')).toMatchObject({ updated: 1 })
  await apply(null)
  expect(await stored()).toBeNull()
  await expect(apply(' - ')).rejects.toThrow(/users\[0\]\.idNumber/)
})
