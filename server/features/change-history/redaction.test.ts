import { expect, test } from 'vitest'
import type { Change } from '#shared/contract/change-history.ts'
import type { UserDetails } from '#shared/contract/users.ts'
import { addCasApplication } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

const ORGANIZATION = 'an organisation outside your scope'
const APPLICATION = 'an application outside your scope'
const SCHOOL = {
  organizations: [
    { code: 'school', name: 'School' },
    { code: 'cs', name: 'Computing', parent: 'school' },
    { code: 'lab', name: 'Laboratory', parent: 'cs' },
    { code: 'hush-law', name: 'Hush law', parent: 'school' },
    { code: 'hush-art', name: 'Hush art', parent: 'school' },
  ],
  users: [{ account: 'han', name: 'Han', organization: 'hush-law' }],
}

/** Han came to Computing from another department, where they had things and administered some. */
async function newcomer() {
  const server = await testServer()
  await applyBootstrap(server.platform, SCHOOL, { source: 'test' })
  const root = await openPortal(server, { account: 'root', isSuperUser: true })
  const ids = new Map<string, string>()
  for (const { id, key } of await server.platform.sql<{ id: string; key: string }[]>`
    select id, code as key from organizations union all select id, account from users`) {
    ids.set(key, id)
  }
  const id = (key: string) => ids.get(key) ?? ''
  const make = async <T>(path: string, body: object): Promise<T> => {
    const answer = await root.call<T>(path, { body })
    expect([path, answer.status]).toEqual([path, 200])
    return answer.data
  }
  const update = async (fields: object) => {
    const { data } = await root.call<UserDetails>(`/user_information/${id('han')}/full_details/`)
    await make(`/user_information/${id('han')}/update/`, { version: data.version, ...fields })
  }
  await addCasApplication(server, { appId: 'hush-vault', name: 'Hush vault', type: 'system' })
  await addCasApplication(server, { appId: 'library', name: 'Library', type: 'system' })
  for (const verb of ['bind', 'remove']) {
    await make(`/application_grant/${verb}/`, { memberId: id('han'), appIds: ['hush-vault'] })
  }
  await make('/application_grant/bind/', { memberId: id('han'), appIds: ['library'] })
  const reason = 'Hush, they look after the law'
  const place = { userId: id('han'), organizationId: id('hush-law') }
  const appointed = await make<{ id: string }>('/administrator_manage/create/', { ...place, permissions: [], reason })
  await make('/administrator_manage/withdraw/', { ids: [appointed.id], reason })
  await update({ secondaryOrganizationIds: [id('hush-art'), id('lab'), id('school')] })
  await update({ organizationId: id('cs') })
  await update({ secondaryOrganizationIds: [id('lab')] })
  await update({ organizationId: id('lab'), secondaryOrganizationIds: [id('cs')] })
  const historyFor = async (page: Portal, language = 'en') => {
    const path = `/change_history/person/${id('han')}/`
    return (await page.call<{ records: Change[] }>(path, { headers: { 'accept-language': language } })).data.records
  }
  return { server, root, id, historyFor }
}

const sides = (records: readonly Change[], action: string) =>
  records.filter((one) => one.action === action).map(({ before, after }) => [before, after])

test('a person’s former department, access and appointments are one placeholder to their new administrator', async () => {
  const { server, id, historyFor } = await newcomer()
  const dean = await openPortal(server, { account: 'dean', permissions: ['edit'], administers: id('cs') })
  const records = await historyFor(dean)
  expect(JSON.stringify(records).toLowerCase()).not.toContain('hush')
  expect(JSON.stringify(records)).not.toContain('School')
  const account = 'han'
  expect(sides(records, 'account.update')).toEqual([
    [
      { account, organization: 'Computing', secondaryOrganizations: ['Laboratory'] },
      { account, organization: 'Laboratory', secondaryOrganizations: ['Computing'] },
    ],
    [
      // One placeholder, whether it stands for one or for several.
      { account, secondaryOrganizations: ['Laboratory', ORGANIZATION] },
      { account, secondaryOrganizations: ['Laboratory'] },
    ],
    [
      { account, organization: ORGANIZATION },
      { account, organization: 'Computing' },
    ],
    [
      { account, secondaryOrganizations: [] },
      { account, secondaryOrganizations: ['Laboratory', ORGANIZATION] },
    ],
  ])
  const appointments = records.filter(({ targetKind }) => targetKind === 'appointment')
  expect(appointments.map(({ before, after, reason }) => [(after ?? before)?.['organization'], reason])).toEqual([
    [ORGANIZATION, null],
    [ORGANIZATION, null],
  ])
  const grants = records.filter(({ targetKind }) => targetKind === 'application-grant')
  expect(
    grants.map(({ targetName, targetId, after }) => [targetName, targetId !== '', after?.['application']]),
  ).toEqual([
    ['Library', true, 'Library'],
    [APPLICATION, false, undefined],
    [APPLICATION, false, APPLICATION],
  ])
  for (const hidden of ['hush-law', 'hush-art', 'school']) expect(JSON.stringify(records)).not.toContain(id(hidden))
  const chinese = JSON.stringify(await historyFor(dean, 'zh-CN'))
  expect(chinese).toContain('您管理范围之外的组织机构')
  const words = await dean.call<{ records: { detail: string }[] }>(
    `/user_information/${id('han')}/records/?kind=change`,
  )
  expect(words.data.records.map(({ detail }) => detail).filter(Boolean)).toEqual([])
})

test('nobody can find out a hidden name by giving it to a department of their own', async () => {
  const { server, id, historyFor } = await newcomer()
  const dean = await openPortal(server, { account: 'dean', permissions: ['edit'], administers: id('cs') })
  const before = await historyFor(dean)
  for (const name of ['Hush law', 'Hush art']) {
    const made = await dean.call('/organization/create/', {
      body: { code: `own ${name}`.replaceAll(' ', '-'), name, parentId: id('cs') },
    })
    expect(made.status).toBe(200)
  }
  expect(await historyFor(dean)).toEqual(before)
})

test('whoever may grant a person any application can read their former ones; super users read everything', async () => {
  const { server, root, id, historyFor } = await newcomer()
  const granter = await openPortal(server, { account: 'granter', permissions: ['authorise'], administers: id('cs') })
  const granted = (records: Change[]) =>
    records.filter(({ targetKind }) => targetKind === 'application-grant').map(({ targetName }) => targetName)
  expect(granted(await historyFor(granter))).toEqual(['Library', 'Hush vault', 'Hush vault'])
  const all = await historyFor(root)
  expect(granted(all)).toEqual(['Library', 'Hush vault', 'Hush vault'])
  expect(JSON.stringify(all)).not.toContain('outside your scope')
  expect(sides(all, 'account.update').at(2)).toEqual([
    { account: 'han', organization: 'Hush law' },
    { account: 'han', organization: 'Computing' },
  ])
  const [withdrawn] = all.filter(({ action }) => action === 'appointment.withdraw')
  expect(withdrawn).toMatchObject({ before: { organization: 'hush-law' }, reason: 'Hush, they look after the law' })
})
