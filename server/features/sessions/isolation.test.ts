import { expect, test } from 'vitest'
import { insertPerson, openPortal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'

const PEOPLE = 200

test('two hundred people through one node at once each see only what is theirs', { timeout: 60_000 }, async () => {
  const server = await testServer()
  const accounts = Array.from({ length: PEOPLE }, (_, i) => `person-${i}`)
  const ids = await Promise.all(accounts.map((account) => insertPerson(server, { account })))
  const pages = await Promise.all(
    ids.map((userId, i) => openPortal(server, { userId, ip: `10.0.${i >> 8}.${i & 255}`, limited: i % 50 === 49 })),
  )
  expect(new Set(pages.map(({ token }) => token)).size).toBe(PEOPLE)
  const seen = await Promise.all(
    pages.map(async (page) => {
      const list = await page.call<{ records: { id: string; ip: string }[] }>('/certification_record/current_login/')
      return { user: page.user, status: list.status, logins: list.data?.records.map(({ id, ip }) => [id, ip]) }
    }),
  )
  seen.forEach(({ user, status, logins }, i) => {
    const limited = i % 50 === 49
    expect(user).toMatchObject({
      userId: ids[i],
      account: `person-${i}`,
      name: `Name of person-${i}`,
      isSuperUser: '0',
    })
    expect(user.firstLogin).toBe(limited ? '1' : '0')
    expect(status).toBe(limited ? 403 : 200)
    if (!limited) expect(logins).toEqual([[pages[i]?.ssoSessionId, `10.0.${i >> 8}.${i & 255}`]])
  })
})

test('a browser that switches from one person to another shows only the second', async () => {
  const server = await testServer()
  const first = await openPortal(server)
  const second = await openPortal(server)
  for (const name of ['gatehouse_portal', 'gatehouse_browser']) {
    first.browser.setCookie(name, second.browser.cookie(name) ?? '')
  }
  const list = await second.call<{ records: { id: string }[] }>('/certification_record/current_login/', {
    cookie: first.browser.cookieHeader('/auth_service/'),
  })
  expect(list.data.records.map(({ id }) => id)).toEqual([second.ssoSessionId])
  expect((await first.call('/certification_record/current_login/')).status).toBe(401)
})
