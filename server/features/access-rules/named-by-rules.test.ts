import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCasApplication } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'

let server: TestServer
let root: Portal
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true })
})
afterAll(() => server.close())

/** A version is told of some kinds only; the first is 1. */
type Saved = { id: string; version?: number }
async function make(path: string, body: object): Promise<Saved> {
  const { envelope, data } = await root.call<Saved>(`${path}/create/`, { body })
  if (envelope.state !== 200) throw new Error(`${path}: ${envelope.code} ${JSON.stringify(envelope.data)}`)
  return data
}
const remove = (path: string, { id, version = 1 }: Saved) => root.call(`${path}/${id}/delete/`, { body: { version } })

test('what a rule in force that asks for a second factor names is not deleted before the rule', async () => {
  const role = await make('/role', { code: 'named', name: 'Named' })
  const category = await make('/user_category', { code: 'named', name: 'Named' })
  const department = await make('/organization', { code: 'named', name: 'Named', parentId: null })
  const who = { roles: [role.id], categories: ['named'], organizations: [department.id] }
  const asking = await make('/access_rule', { name: 'Asks them', mode: 'on', outcome: 'second-factor', who })
  const all = [
    ['/role', role],
    ['/user_category', category],
    ['/organization', department],
  ] as const
  for (const [path, one] of all)
    expect([path, (await remove(path, one)).envelope.code]).toEqual([path, 'access-rule.names-it'])
  await remove('/access_rule', asking)
  for (const [path, one] of all) expect([path, (await remove(path, one)).status]).toEqual([path, 200])
})

test('nor is an application that such a rule names', async () => {
  const id = await addCasApplication(server, { appId: 'shop' })
  const asking = await make('/access_rule', {
    ...{ name: 'Asks for the shop', mode: 'on', outcome: 'second-factor', applications: ['shop'] },
  })
  const selection = { ids: [id] }
  await root.call('/application_manage/set_enabled/', { body: { selection, enabled: false } })
  const refused = await root.call<{ changed: number; refused: object[] }>('/application_manage/delete/', {
    body: { selection },
  })
  expect(refused.data).toMatchObject({ changed: 0, refused: [{ code: 'access-rule.names-it' }] })
  await remove('/access_rule', asking)
  const done = await root.call<{ changed: number }>('/application_manage/delete/', { body: { selection } })
  expect(done.data.changed).toBe(1)
})

type Naming = { rules: { id: string; mode: string; outcome: string; names: string[]; effect: string }[] }
const namingOf = async (field: string, values: string[]): Promise<Naming['rules']> =>
  (await root.call<Naming>('/access_rule/naming/', { body: { field, values } })).data.rules
const rule = (body: object) => make('/access_rule', { mode: 'on', ...body })

test('a deletion preview says what becomes of every rule that names it, and the deletion does just that', async () => {
  const role = await make('/role', { code: 'previewed', name: 'Previewed' })
  const other = await make('/role', { code: 'kept', name: 'Kept' })
  const ofRole = { roles: [role.id] }
  const rules = [
    await rule({ name: 'Asks', outcome: 'second-factor', who: ofRole }),
    await rule({ name: 'Would ask', mode: 'report', outcome: 'second-factor', who: ofRole }),
    await rule({ name: 'Refuses', mode: 'report', outcome: 'refuse', who: ofRole }),
    await rule({ name: 'Notifies', outcome: 'notify', who: { roles: [role.id, other.id] } }),
    await rule({ name: 'Off', mode: 'off', outcome: 'notify', who: ofRole }),
    await rule({ name: 'Of the other', outcome: 'notify', who: { roles: [other.id] } }),
  ]
  const effects = (all: Naming['rules']) => Object.fromEntries(all.map(({ id, effect }) => [nameOf(id), effect]))
  const nameOf = (id: string) =>
    ['Asks', 'Would ask', 'Refuses', 'Notifies', 'Off', 'Of the other'][rules.findIndex((one) => one.id === id)] ?? id
  const foretold = await namingOf('who.roles', [role.id])
  expect(effects(foretold)).toEqual({
    Asks: 'prevents',
    'Would ask': 'everyone',
    Refuses: 'nobody',
    Notifies: 'rest',
    Off: 'nobody',
  })
  expect(foretold.every(({ names }) => names.join() === 'Previewed')).toBe(true)
  expect((await remove('/role', role)).envelope.code).toBe('access-rule.names-it')
  const [asking] = rules
  if (asking) await remove('/access_rule', asking)
  expect((await remove('/role', role)).status).toBe(200)
  const { data } = await root.call<{ rules: { id: string; applies: boolean }[] }>('/access_rule/test/', {
    body: { userId: root.user.userId },
  })
  const applying = data.rules.filter(({ applies }) => applies).map(({ id }) => nameOf(id))
  expect(applying).toContain('Would ask')
  expect(applying).not.toContain('Refuses')
  expect(applying).not.toContain('Notifies')
})

test('for categories, organisations and several applications at once', async () => {
  await addCasApplication(server, { appId: 'library' })
  await addCasApplication(server, { appId: 'canteen' })
  await make('/user_category', { code: 'previewed', name: 'Previewed' })
  const department = await make('/organization', { code: 'previewed', name: 'Previewed', parentId: null })
  await rule({ name: 'Category', mode: 'report', outcome: 'refuse', who: { categories: ['previewed'] } })
  await rule({ name: 'Organisation', mode: 'report', outcome: 'refuse', who: { organizations: [department.id] } })
  await rule({ name: 'Both', mode: 'report', outcome: 'captcha', applications: ['library', 'canteen'] })
  await rule({ name: 'One', mode: 'report', outcome: 'notify', applications: ['library'] })
  const effects = async (field: string, values: string[]) => (await namingOf(field, values)).map(({ effect }) => effect)
  expect(await effects('who.categories', ['previewed'])).toEqual(['nobody'])
  expect(await effects('who.organizations', [department.id])).toEqual(['nobody'])
  expect(await effects('applications', ['library', 'canteen'])).toEqual(['every-application', 'nobody'])
  expect(await effects('applications', ['canteen'])).toEqual(['every-application'])
  expect(await effects('applications', ['unnamed'])).toEqual([])
})

test('what is deleted or off already names nobody: the rest decides what becomes of the rule', async () => {
  const ids: string[] = []
  for (const code of ['first', 'second']) ids.push((await make('/role', { code, name: code })).id)
  const [first = '', second = ''] = ids
  const inside = await make('/role', { code: 'third', name: 'third' })
  await rule({ name: 'Two', outcome: 'notify', who: { roles: ids } })
  await rule({ name: 'Two of three', outcome: 'notify', who: { roles: [...ids, inside.id] } })
  const effects = async () => (await namingOf('who.roles', [second])).map(({ effect }) => effect)
  expect(await effects()).toEqual(['rest', 'rest'])
  expect((await remove('/role', { id: first })).status).toBe(200)
  expect(await effects()).toEqual(['nobody', 'rest'])
  // Again, although it is gone: the rules still name it.
  expect((await namingOf('who.roles', [first])).map(({ effect }) => effect)).toEqual(['rest', 'rest'])
  expect((await remove('/role', { id: second })).status).toBe(200)
  expect((await namingOf('who.roles', [second])).map(({ effect }) => effect)).toEqual(['nobody', 'rest'])
})

test('the login configuration names things too, and prevents their deletion', async () => {
  const category = await make('/user_category', { code: 'asked', name: 'Asked' })
  const id = await addCasApplication(server, { appId: 'asking' })
  const selection = { ids: [id] }
  await root.call('/application_manage/set_enabled/', { body: { selection, enabled: false } })
  await setPolicy(server, { secondFactorCategories: ['asked'], secondFactorApplications: ['asking'] })
  const shown = { mode: 'on', outcome: 'second-factor', effect: 'prevents' }
  expect(await namingOf('who.categories', ['asked'])).toMatchObject([{ ...shown, names: ['Asked'] }])
  expect(await namingOf('applications', ['asking'])).toMatchObject([shown])
  const drop = () =>
    root.call<{ changed: number; refused: object[] }>('/application_manage/delete/', { body: { selection } })
  expect((await remove('/user_category', category)).envelope.code).toBe('access-rule.names-it')
  expect((await drop()).data).toMatchObject({ changed: 0, refused: [{ code: 'access-rule.names-it' }] })
  await setPolicy(server, { secondFactorCategories: [], secondFactorApplications: [] })
  expect((await remove('/user_category', category)).status).toBe(200)
  expect((await drop()).data.changed).toBe(1)
})

test('the rules that name what a filter selects are those that name the same applications', async () => {
  for (const appId of ['select-a', 'select-b', 'other-c']) await addCasApplication(server, { appId })
  await rule({ name: 'Both selected', mode: 'report', outcome: 'notify', applications: ['select-a', 'select-b'] })
  await rule({
    name: 'One selected and another',
    mode: 'report',
    outcome: 'notify',
    applications: ['select-b', 'other-c'],
  })
  await rule({ name: 'Another one', mode: 'report', outcome: 'notify', applications: ['other-c'] })
  const selected = (selection: object) =>
    root.call<Naming>('/application_manage/rules_naming/', { body: { selection } })
  const all = { search: 'select-' }
  const { rules } = (await selected({ all, expected: 2 })).data
  expect(rules.map(({ effect }) => effect)).toEqual(['nobody', 'rest'])
  expect(rules).toEqual(await namingOf('applications', ['select-a', 'select-b']))
  expect((await selected({ all, expected: 3 })).envelope.code).toBe('selection.changed')
})
