import { expect, test } from 'vitest'
import { addPerson } from '../../testing/people.ts'
import { insertAppointment, insertLogin, openPortal, type Portal } from '../../testing/portal.ts'
import { accounts, type List, PEOPLE, school } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'

type Found = { people: { account: string }[] }

const everywhere = async (page: Portal, search: string) => {
  const { people } = (await page.call<Found>(`/global_search/query/?search=${encodeURIComponent(search)}`)).data
  return people.map(({ account }) => account)
}

test('an exact match of account, phone or mailbox comes first, in the list in any order and everywhere else', async () => {
  const server = await testServer()
  await school(server)
  const page = await openPortal(server, { isSuperUser: true, account: 'root' })
  // One whose account, and nothing else, is the name of others; and one matched by the end of a phone number.
  await addPerson(server, { account: 'wang', name: 'Zoe Adams', phone: '13900001111', mailbox: 'zoe@example.edu' })
  await addPerson(server, {
    account: 'a-early',
    name: 'Wang Wei',
    phone: '13713900001',
    mailbox: 'zoe@example.education',
  })
  await addPerson(server, { account: 'b-early', name: 'Wang Fang' })
  for (const sort of ['account', '-account', 'name', '-name']) {
    const found = await accounts(page, `search=WANG&sort=${sort}`)
    expect([sort, found[0], found.toSorted()]).toEqual([sort, 'wang', ['a-early', 'b-early', 'wang']])
  }
  expect(await accounts(page, 'search=zoe@example.edu')).toEqual(['wang', 'a-early'])
  expect(await accounts(page, 'search=13900001111')).toEqual(['wang'])
  for (const typed of ['wang', 'zoe@example.edu', '13900001111', '+86 139 0000 1111']) {
    expect([typed, (await everywhere(page, typed))[0]]).toEqual([typed, 'wang'])
  }
})

test('a complete alias finds its person first, for callers who may see it', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const lisi = id('20260002')
  await page.call(`${PEOPLE}/${lisi}/update/`, { body: { version: 1, alias: 'Wei-Lan' } })
  await addPerson(server, { account: 'a-early', name: 'Wei-Lan Wang' })
  for (const typed of ['wei-lan', 'WEI-LAN', ' ｗei-lan ']) {
    expect([typed, (await accounts(page, `search=${encodeURIComponent(typed)}`))[0]]).toEqual([typed, '20260002'])
    expect([typed, (await everywhere(page, typed))[0]]).toEqual([typed, '20260002'])
  }
  expect(await accounts(page, 'search=wei-l')).not.toContain('20260002')
  const onlooker = await openPortal(server, { permissions: [], administers: organizationId('cs') })
  expect(await accounts(onlooker, 'search=wei-lan')).not.toContain('20260002')
})

test('paging a search repeats and loses nobody when an exact match comes first', async () => {
  const server = await testServer()
  await school(server)
  const page = await openPortal(server, { isSuperUser: true, account: 'root' })
  for (const account of ['c-1', 'c-2', 'c-3', 'c-4', 'chen']) {
    await addPerson(server, { account, name: account === 'chen' ? 'Else' : `Chen ${account.at(-1)}` })
  }
  const paged: string[] = []
  for (const pageIndex of [1, 2, 3]) {
    const { records } = (await page.call<List>(`${PEOPLE}/query/?search=chen&pageIndex=${pageIndex}&pageSize=2`)).data
    paged.push(...records.map(({ account }) => account))
  }
  expect(paged).toEqual(['chen', 'c-1', 'c-2', 'c-3', 'c-4'])
})

test('an exact match of the account comes first among current logins, administrators and role members too', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true, account: 'root' })
  const role = (await page.call<{ id: string }>('/role/create/', { body: { code: 'readers', name: 'Readers' } })).data
  const ids: string[] = []
  // In every sort order another person would come before "wang".
  for (const account of ['wang', 'a-early', 'z-late']) {
    const name = account === 'wang' ? 'Zoe Adams' : 'Wang Wei'
    const id = await addPerson(server, { account, name, ...(account === 'wang' && { alias: 'zoe-a' }) })
    ids.push(id)
    await insertLogin(server, id)
    await insertAppointment(server, id, {})
  }
  await page.call(`/role/${role.id}/member/add/`, { body: { kind: 'user', ids } })
  const firstOf = async (path: string, search: string, sort: string) => {
    const key = path.startsWith('/role') ? 'code' : 'account'
    const query = `?search=${encodeURIComponent(search)}&sort=${encodeURIComponent(sort)}`
    const { records } = (await page.call<{ records: Record<string, string>[] }>(path + query)).data
    return [records.length, records[0]?.[key]]
  }
  for (const [path, sorts] of [
    ['/current_login_manage/query/', ['loginTime', '-loginTime']],
    ['/administrator_manage/query/', ['account', '-account']],
    [`/role/${role.id}/member/`, ['code', '-code']],
  ] as const) {
    for (const sort of sorts)
      expect([path, sort, ...(await firstOf(path, 'WANG', sort))]).toEqual([path, sort, 3, 'wang'])
  }
  expect(await firstOf('/current_login_manage/query/', 'zoe-a', 'loginTime')).toEqual([1, 'wang'])
})
