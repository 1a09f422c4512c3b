import { expect } from 'vitest'
import { PERMISSIONS } from '#shared/contract/permissions.ts'
import { ENDING_HANDLERS } from '../ending-handlers.ts'
import { startTasks } from '../features/background-tasks/index.ts'
import { applyBootstrap } from '../features/bootstrap/index.ts'
import { organizationTasks } from '../features/organizations/index.ts'
import { importTasks } from '../features/user-imports/index.ts'
import { addCasApplication } from './people.ts'
import { openPortal, type Portal } from './portal.ts'
import { startTestServer } from './server.ts'

const below = (parent: string, ...codes: string[]) => codes.map((code) => ({ code, name: code.toUpperCase(), parent }))

const SCHOOL = {
  organizations: [
    { code: 'school', name: 'School' },
    { code: 'elsewhere', name: 'Elsewhere' },
    ...below('school', 'rich', 'poor', 'readers'),
    ...below('rich', 'within'),
  ],
  userCategories: ['insider', 'plain', 'trusted'].map((code) => ({ code, name: code })),
  personnelTypes: [{ code: 'guest', name: 'Guest' }],
  roles: ['reader', 'keeper'].map((code) => ({ code, name: `Role ${code}` })),
}

/**
 * A school in which the department `rich` has VAULT, the category `insider` SAFE, members of `readers` a role with PRESS, and the category
 * `trusted` only a role. Of its two administrators, `editor` has every permission but granting applications.
 */
export async function startGains() {
  const server = await startTestServer()
  const { stop } = await startTasks(server.platform, [...importTasks, ...organizationTasks(ENDING_HANDLERS)])
  await applyBootstrap(server.platform, SCHOOL, { source: 'test' })
  const { sql } = server.platform
  const ids = new Map<string, string>()
  const id = (code: string) => ids.get(code) ?? ''
  for (const table of ['organizations', 'user_categories', 'personnel_types', 'roles'] as const)
    for (const row of await sql`select id, code from ${sql(table)}`) ids.set(row['code'], row['id'])
  for (const appId of ['vault', 'safe', 'press', 'chest'])
    await addCasApplication(server, { appId, name: appId.toUpperCase(), type: 'system' })
  const root = await openPortal(server, { account: 'root', isSuperUser: true })
  const administers = id('school')
  const editor = await openPortal(server, { account: 'editor', permissions: PERMISSIONS.slice(0, 4), administers })
  const granter = await openPortal(server, { account: 'granter', permissions: PERMISSIONS, administers })
  const grant = (appId: string, memberId: string) =>
    root.call('/application_grant/bind/', { body: { memberId, appIds: [appId] } })
  const join = (role: string, kind: string, code: string) =>
    root.call(`/role/${id(role)}/member/add/`, { body: { kind, ids: [id(code)] } })
  await grant('vault', id('rich'))
  await grant('safe', id('insider'))
  await grant('press', id('reader'))
  await join('reader', 'organization', 'readers')
  await join('keeper', 'category', 'trusted')
  await grant('chest', id('elsewhere'))

  /** Every grant and role of everybody, in the simplest form that the database has. */
  async function everything(): Promise<string[]> {
    const rows = await sql<{ what: string }[]>`
      with filed as (
        select id as person, id as subject from users union select id, category_id from users
        union select u.id, unnest(o.ancestor_ids) from users u join organizations o on o.id = u.organization_id
        union select m.user_id, unnest(o.ancestor_ids) from user_organizations m join organizations o on o.id = m.organization_id),
      roled as (
        select person, role_id from filed join role_member_groups on subject_id = subject
        union select user_id, role_id from role_members)
      select distinct u.account || ' ' || had.subject as what
      from users u join (
        select person, application_id as subject from filed join application_grants on subject_id = subject
        union select person, role_id from roled
        union select person, application_id from roled join application_grants on subject_id = role_id) had on had.person = u.id
      where u.deleted_at is null`
    return rows.map(({ what }) => what)
  }

  let made = 0
  /** An unused number. */
  const next = () => ++made
  return {
    server,
    id,
    root,
    editor,
    granter,
    grant,
    next,
    /** A person without any access, unless told otherwise. */
    async somebody(fields: object = {}) {
      const account = `p${next()}`
      const body = { account, name: account, organizationId: id('poor'), ...fields }
      const reply = await root.call<{ id: string }>('/user_information/create/', { body })
      if (reply.status !== 200) throw new Error(JSON.stringify(reply.envelope))
      return { id: reply.data.id, account }
    },
    versionOf: async (user: string, page: Portal = root) =>
      (await page.call<{ version: number }>(`/user_information/${user}/full_details/`)).data.version,
    /** Asserts that nobody gains anything by an action. */
    async nothingGained<T>(what: unknown, act: () => Promise<T>): Promise<T> {
      const before = new Set(await everything())
      const answer = await act()
      const gained = (await everything()).filter((one) => !before.has(one))
      expect([what, gained]).toEqual([what, []])
      return answer
    },
    async close() {
      await stop()
      await server.close()
    },
  }
}

export type Gains = Awaited<ReturnType<typeof startGains>>
