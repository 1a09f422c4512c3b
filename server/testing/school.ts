import type { UserDetails, UserRow } from '#shared/contract/users.ts'
import { applyBootstrap } from '../features/bootstrap/index.ts'
import { PASSWORD } from './people.ts'
import type { Portal } from './portal.ts'
import type { TestServer } from './server.ts'

const SCHOOL = {
  organizations: [
    { code: 'school', name: 'School' },
    { code: 'cs', name: 'Computing', parent: 'school' },
    { code: 'art', name: 'Art', parent: 'school' },
  ],
  userCategories: [{ code: 'student', name: 'Student' }],
  users: [
    { account: '20260001', name: '张三丰', organization: 'cs', category: 'student', phone: '13800001234' },
    { account: '20260002', name: '李四', organization: 'cs', mailbox: 'lisi@example.edu', password: PASSWORD },
    { account: '20260003', name: '欧阳娜娜', organization: 'art' },
    { account: 'T-100', name: "Mary O'Neill", organization: 'art', alias: 'maryo' },
  ],
}

/** A school with two departments and four people. @returns the ids by account and code */
export async function school(server: TestServer) {
  await applyBootstrap(server.platform, SCHOOL, { source: 'test' })
  const { sql } = server.platform
  const idsOf = async (table: 'organizations' | 'users' | 'user_categories', key: string) =>
    Object.fromEntries(
      (await sql`select id, ${sql(key)} as key from ${sql(table)}`).map((row) => [row['key'], row['id'] as string]),
    )
  const organizations = await idsOf('organizations', 'code')
  const people = await idsOf('users', 'account')
  const categories = await idsOf('user_categories', 'code')
  const id = (account: string) => people[account] ?? ''
  const organizationId = (code: string) => organizations[code] ?? ''
  return { id, organizationId, category: categories['student'] ?? '' }
}

export const PEOPLE = '/user_information'

export type List = { records: UserRow[]; total: number; totalIsLowerBound?: boolean }

export const list = async (page: Portal, query = '') =>
  (await page.call<List>(`${PEOPLE}/query/?pageSize=100&${query}`)).data
export const accounts = async (page: Portal, query = '') =>
  (await list(page, query)).records.map(({ account }) => account)
export const details = (page: Portal, id: string) => page.call<UserDetails>(`${PEOPLE}/${id}/full_details/`)
export const verb = (page: Portal, id: string, name: string, body: object = {}) =>
  page.call(`${PEOPLE}/${id}/${name}/`, { body })
export const fieldsOf = (data: unknown) => (data as { fields: { field: string }[] }).fields.map(({ field }) => field)
