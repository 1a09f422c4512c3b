import { expect } from 'vitest'
import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import type { OrganizationDetails } from '#shared/contract/organizations.ts'
import type { SyncWorld } from './directory-syncs.ts'

/** Rows of a test: key, parent key, name. */
export type DepartmentRows = [string, string, string][]

const mapping = [
  { column: 'id', field: 'code', transforms: [{ kind: 'template', text: '{}' }] },
  { column: 'name', field: 'name', transforms: [{ kind: 'trim' }] },
]
const options = { keyColumn: 'id', parentColumn: 'parent', mapping }
const open = { thresholds: { missing: 100, changed: 100, created: 100, field: 100, bad: 100, rows: 0 } }

export const SCHOOL: DepartmentRows = [
  ['a', '', 'School'],
  ['b', 'a', 'Faculty'],
  ['c', 'b', 'Class'],
]

export const OTHER_SCHOOL: DepartmentRows = SCHOOL.map(([key, parent, name]) => [key, parent, `Other ${name}`])
/** The tree of `SCHOOL`, as `tree` reads it. */
export const SCHOOL_TREE = { a: 'a School', b: 'a/b Faculty', c: 'a/b/c Class' }

/** Syncs of departments from files; keys and codes begin with a word of their own in each test. */
export function departmentSyncs(syncs: SyncWorld) {
  const word = () => syncs.account(0)
  const csv = (rows: DepartmentRows) =>
    `id,parent,name\n${rows.map(([key, parent, name]) => `${word()}${key},${parent && word() + parent},${name}`).join('\n')}\n`
  const newSync = (more: object = {}, departments: object = {}) =>
    syncs.newSync({
      objects: 'departments',
      departments: { ...options, ...departments },
      keyColumn: '',
      mapping: [],
      ...more,
    })
  const give = (sync: DirectorySync, rows: DepartmentRows) => syncs.giveText(sync, csv(rows))
  /** Path and name of each department, by its key. */
  const tree = async () => {
    const rows = await syncs.sql<{ key: string; name: string; path: string; enabled: boolean }[]>`
      select substr(o.code, ${word().length + 1}) as key, o.name, o.enabled,
        (select string_agg(substr(a.code, ${word().length + 1}), '/' order by cardinality(a.ancestor_ids)) from organizations a where a.id = any(o.ancestor_ids)) as path
      from organizations o where o.code like ${`${word()}%`} order by o.code`
    return Object.fromEntries(
      rows.map(({ key, name, path, enabled }) => [key, `${path} ${name}${enabled ? '' : ' closed'}`]),
    )
  }
  const filled = async (more: object = open, departments: object = {}): Promise<DirectorySync> => {
    const sync = await newSync(more, departments)
    await give(sync, SCHOOL)
    expect(await syncs.approve(await syncs.run(sync))).toMatchObject({ state: 'done', counts: { new: 3 } })
    return sync
  }
  const ranked = (name: string, rank: number, departments: object = {}) =>
    newSync({ ...open, name: syncs.named(name), rank }, departments)
  const first = async (sync: DirectorySync) => await syncs.approve(await syncs.run(sync))
  /** Two sources of the same departments under other names, both applied; the first has precedence. */
  async function disagreeing() {
    const hr = await ranked('HR', 10)
    const portal = await ranked('Portal', 20)
    await give(hr, SCHOOL)
    await first(hr)
    await give(portal, OTHER_SCHOOL)
    return { hr, portal, linked: await first(portal) }
  }
  async function details(key: string): Promise<OrganizationDetails> {
    const [row] = await syncs.sql<{ id: string }[]>`select id from organizations where code = ${word() + key}`
    return (await syncs.root.call<OrganizationDetails>(`/organization/${row?.id}/details/`)).data
  }
  return { mapping, options, open, newSync, give, tree, filled, ranked, first, disagreeing, details }
}
