import { expect, test } from 'vitest'
import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import { departmentSyncs } from '../../testing/department-syncs.ts'
import { SyncWorld } from '../../testing/directory-syncs.ts'
import { until } from '../../testing/process.ts'
import { startDueSyncs } from './index.ts'

const syncs = new SyncWorld()
const { mapping, options, open } = departmentSyncs(syncs)

/** Starts what is due, and waits for its runs to end. */
async function runDue(sync: DirectorySync, ended: number) {
  const { nextRunAt } = (await syncs.root.call<DirectorySync>(`/directory_sync/${sync.id}/details/`)).data
  await syncs.advance((Date.parse(nextRunAt ?? '') - syncs.server.platform.now().getTime()) / 1000 + 1)
  await startDueSyncs(syncs.server.platform)
  await until(async () => (await syncs.runs(sync)).length === ended, 20_000)
  const [latest] = await syncs.runs(sync)
  await syncs.settled(latest?.id ?? '')
  return await syncs.runs(sync)
}

test('a scheduled run, which nobody started, writes departments and every field that refers to something here', async () => {
  const table = syncs.table()
  const { sql } = syncs
  const [code, one, two, three] = [0, 1, 2, 3].map((at) => syncs.account(at)) as [string, string, string, string]
  for (const path of ['user_category', 'user_feature'])
    expect((await syncs.root.call(`/${path}/create/`, { body: { code: `k${code}`, name: code } })).status).toBe(200)
  await sql.unsafe(`
    create table ${table}_d (id text, parent text, name text);
    insert into ${table}_d values ('${code}a', '0', 'School'), ('${code}b', '${code}a', 'Faculty');
    create table ${table} (no text, account text, name text, dept text, others text, kind text);
    insert into ${table} values ('1', '${one}', 'One', '${code}b', '', 'k${code}'), ('2', '${two}', 'Two', '${code}a', '', 'k${code}')`)
  const sync = await syncs.newSync(
    {
      ...open,
      objects: 'both',
      departments: { ...options, mapping, table: `${table}_d`, roots: [{ value: '0', organizationId: null }] },
      leavers: { action: 'freeze', runs: 1, days: 0 },
      schedule: { cron: '30 2 * * *', zone: 'Asia/Shanghai' },
      mapping: [
        ...['account', 'name'].map((field) => ({ column: field, field })),
        { column: 'dept', field: 'organization' },
        { column: 'others', field: 'secondaryOrganizations' },
        ...['category', 'personnelType'].map((field) => ({ column: 'kind', field })),
      ],
    },
    table,
  )
  await syncs.approve(await syncs.run(sync))
  await until(async () => (await syncs.runs(sync)).length === 2, 20_000)
  const [people] = await syncs.runs(sync)
  await syncs.approve(await syncs.settled(people?.id ?? ''))
  await sql.unsafe(`
    update ${table}_d set name = 'Institute' where id = '${code}b'; insert into ${table}_d values ('${code}c', '${code}b', 'Class');
    update ${table} set dept = '${code}c', others = '${code}a' where no = '1'; delete from ${table} where no = '2';
    insert into ${table} values ('3', '${three}', 'Three', '${code}c', '${code}b', 'k${code}')`)
  const runs = await runDue(sync, 4)
  expect(runs.map(({ state, objects, startedBy }) => [state, objects, startedBy]).slice(0, 2)).toEqual([
    ['done', 'people', null],
    ['done', 'departments', null],
  ])
  expect(runs[0]?.counts).toEqual({ changed: 1, new: 1, leaver: 1 })
  const rows = await sql<{ name: string; code: string; frozen: boolean }[]>`
    select u.name, o.code, u.frozen_from is not null as frozen from users u join organizations o on o.id = u.organization_id
    where u.account in (${one}, ${two}, ${three}) order by u.account`
  expect(rows.map((row) => [row.name, row.code, row.frozen])).toEqual([
    ['One', `${code}c`, false],
    ['Two', `${code}a`, true],
    ['Three', `${code}c`, false],
  ])
})
