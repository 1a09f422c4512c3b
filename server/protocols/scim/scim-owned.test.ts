import { expect, test } from 'vitest'
import { SyncWorld } from '../../testing/directory-syncs.ts'
import { ENTERPRISE, openScim, patchOf, usersWhere } from '../../testing/scim.ts'

const syncs = new SyncWorld()

test('what a directory sync fills stays as it is, and the answer says so; everything else is written', async () => {
  await syncs.filledSync(syncs.numbered(1))
  const hr = await openScim(syncs.root, { name: syncs.named('HR') })
  const { Resources } = (await hr.call('GET', usersWhere(`userName eq "${syncs.account(0)}"`))).body
  const [person] = Resources
  expect(person.displayName).toBe('Person 0')
  const value = { displayName: 'Pushed', nickName: 'Pushed' }
  const patched = await hr.call('PATCH', `/Users/${person.id}`, patchOf({ op: 'replace', value }))
  expect([patched.status, patched.body.displayName, patched.body.nickName]).toEqual([200, 'Person 0', 'Pushed'])
  // As a client that always sends the whole resource disables somebody.
  const put = await hr.call('PUT', `/Users/${person.id}`, { ...person, displayName: 'Pushed', active: false })
  expect([put.status, put.body.displayName, put.body.active]).toEqual([200, 'Person 0', false])
})

test('a membership that would change a department filled by a directory sync is refused with its source', async () => {
  const { root } = syncs
  for (const name of ['Home', 'Away']) {
    const code = syncs.named(name).replace(' ', '').toLowerCase()
    await root.call('/organization/create/', { body: { name, code, parentId: null, names: {} } })
  }
  const mapping = ['account', 'name', 'organization'].map((field) => ({ column: field, field }))
  const sync = await syncs.newSync({ mapping })
  const home = syncs.named('home').replace(' ', '')
  await syncs.giveText(
    sync,
    `no,account,name,organization\n1,${syncs.account(0)},Ada,${home}\n2,${syncs.account(1)},Bob,\n`,
  )
  expect((await syncs.approve(await syncs.run(sync))).state).toBe('done')
  const hr = await openScim(root, { name: syncs.named('HR') })
  const find = async (at: number) =>
    (await hr.call('GET', usersWhere(`userName eq "${syncs.account(at)}"`))).body.Resources[0]
  const away = (await hr.call('GET', `/Groups?filter=${encodeURIComponent('displayName eq "Away"')}`)).body.Resources[0]
  const join = async (at: number) => {
    const value = [{ value: (await find(at)).id }]
    return await hr.call('PATCH', `/Groups/${away.id}`, patchOf({ op: 'add', path: 'members', value }))
  }
  const refused = await join(1)
  expect([refused.status, refused.body.scimType]).toEqual([400, 'invalidValue'])
  expect(refused.body.detail).toContain(sync.sourceName)
  expect((await find(1))[ENTERPRISE].department).toBeUndefined()
  // A secondary department is nobody's.
  expect((await join(0)).status).toBeLessThan(300)
  expect((await find(0))[ENTERPRISE].department).toBe('Home')
})
