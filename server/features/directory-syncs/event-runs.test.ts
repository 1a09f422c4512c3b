import { expect, onTestFinished, test, vi } from 'vitest'
import type { SyncRun } from '#shared/contract/directory-syncs.ts'
import { qywxEvents } from '../../../tools/simulators/events.ts'
import { changed, EVENT_KINDS, EventWorld, left } from '../../testing/source-events.ts'
import { startEventSyncs } from './index.ts'

const syncs = new EventWorld()

test('leavers and changed departments are covered by a full run, at most one an hour', async () => {
  await syncs.open('wecom')
  syncs.vendor.book.users.delete(syncs.account(3))
  await syncs.sender.send(left.wecom(syncs.account(3)))
  // The last full run was a moment ago.
  expect(await syncs.tick()).toBeNull()
  await syncs.advance(3_700)
  const run = await syncs.tick()
  expect(run).toMatchObject({ state: 'done', mode: 'full', counts: { missing: 1, unchanged: 2 } })
  await syncs.advance(3_700)
  expect(await syncs.tick()).toBeNull()
})

test("whoever can't be read by name is read in a full run, and is not requested repeatedly", async () => {
  await syncs.open('wecom')
  syncs.put(syncs.account(1), 'Other')
  syncs.vendor.book.failNext.push({ path: '/cgi-bin/user/get', problem: 'no-permission', times: 1 })
  await syncs.sender.send(changed.wecom(syncs.account(1)))
  expect(await syncs.tick()).toMatchObject({ state: 'failed', problem: expect.stringContaining('48002') })
  expect(await syncs.tick()).toBeNull()
  await syncs.advance(3_700)
  expect(await syncs.tick()).toMatchObject({ state: 'done', mode: 'full', counts: { changed: 1 } })
  expect(await syncs.tick()).toBeNull()
})

test('a full run that somebody undid or discarded is not repeated for the same events', async () => {
  await syncs.open('wecom')
  syncs.put(syncs.account(1), 'Other')
  await syncs.sender.send(left.wecom(syncs.account(3)))
  await syncs.advance(3_700)
  const run = await syncs.tick()
  expect(run).toMatchObject({ state: 'done', mode: 'full', counts: { changed: 1 } })
  expect((await syncs.undo(run as SyncRun)).state).toBe('undone')
  await syncs.advance(3_700)
  expect(await syncs.tick()).toBeNull()
  await syncs.sql`update directory_syncs set thresholds = jsonb_set(thresholds, '{missing}', '0') where id = ${syncs.sync.id}`
  syncs.vendor.book.users.delete(syncs.account(2))
  await syncs.sender.send(left.wecom(syncs.account(2)))
  const held = await syncs.tick()
  expect(held).toMatchObject({ state: 'held', mode: 'full' })
  await syncs.root.call(`/directory_sync_run/${held?.id}/discard/`, { body: {} })
  await syncs.advance(3_700)
  expect(await syncs.tick()).toBeNull()
  // Another event is new.
  await syncs.sender.send(left.wecom(syncs.account(1)))
  expect(await syncs.tick()).toMatchObject({ state: 'held', mode: 'full' })
})

test("a person who can't be written is a bad row of a run for events, and holds up nobody else", async () => {
  await syncs.open('wecom')
  await syncs.sql`update directory_syncs set thresholds = jsonb_set(thresholds, '{bad}', '0') where id = ${syncs.sync.id}`
  syncs.put(syncs.account(7), '')
  await syncs.sender.send(changed.wecom(syncs.account(7)))
  expect(await syncs.tick()).toMatchObject({ state: 'done', heldFor: [], counts: { bad: 1 } })
  syncs.put(syncs.account(1), 'Other')
  await syncs.sender.send(changed.wecom(syncs.account(1)))
  expect(await syncs.tick()).toMatchObject({ state: 'done', counts: { changed: 1 } })
})

test('a cancelled run for events does not restart by itself', async () => {
  await syncs.open('wecom')
  syncs.vendor.delayMs = 300
  for (const at of [1, 2, 3]) await syncs.sender.send(changed.wecom(syncs.account(at)))
  await startEventSyncs(syncs.server.platform)
  const [run] = await syncs.runs(syncs.sync)
  const [task] = await syncs.sql<
    { id: string }[]
  >`select task_id as id from directory_sync_runs where id = ${run?.id ?? ''}`
  await syncs.root.call(`/background_task/${task?.id}/cancel/`, { body: {} })
  expect(await syncs.settled(run?.id ?? '')).toMatchObject({ state: 'cancelled' })
  syncs.vendor.delayMs = 0
  expect(await syncs.tick()).toBeNull()
})

test('an interrupted run for events is followed by a full run, not repeated', async () => {
  await syncs.open('wecom')
  const heal = async () => void (await syncs.sql`drop function if exists refuse_rows cascade`)
  await syncs.sql.unsafe(`
    create function refuse_rows() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$;
    create trigger refuse_rows before insert on directory_sync_rows for each row execute function refuse_rows()`)
  onTestFinished(heal)
  syncs.put(syncs.account(1), 'Other')
  await syncs.sender.send(changed.wecom(syncs.account(1)))
  expect(await syncs.tick()).toMatchObject({ state: 'failed', problem: 'The run was interrupted.' })
  expect(await syncs.tick()).toBeNull()
  await heal()
  await syncs.advance(3_700)
  expect(await syncs.tick()).toMatchObject({ state: 'done', mode: 'full', counts: { changed: 1 } })
})

test('during another run of the source events wait silently', async () => {
  await syncs.open('wecom')
  syncs.vendor.delayMs = 300
  const warn = vi.spyOn(syncs.server.platform.log, 'warn')
  onTestFinished(() => warn.mockRestore())
  const { data: run } = await syncs.start(syncs.sync)
  await syncs.sender.send(changed.wecom(syncs.account(1)))
  expect(await syncs.tick()).toBeNull()
  expect(warn).not.toHaveBeenCalled()
  syncs.vendor.delayMs = 0
  await syncs.settled(run.id)
  expect(await syncs.tick()).toMatchObject({ state: 'done', rowsRead: 1 })
})

test.each(EVENT_KINDS)('%s: a run for events fails without a mapped column and clears no value', async (kind) => {
  await syncs.open(kind)
  await syncs.sql`update directory_syncs set mapping = mapping || '[{"column": "extattr.gone", "field": "alias", "transforms": []}]'::jsonb
    where id = ${syncs.sync.id}`
  await syncs.sender.send(changed[kind](syncs.account(1)))
  expect(await syncs.tick()).toMatchObject({ state: 'failed', problem: expect.stringContaining('(extattr.gone)') })
})

test("events don't replace a plan under review, and start nothing while paused or without a schedule", async () => {
  await syncs.open('wecom')
  const plan = await syncs.run(syncs.sync, true)
  syncs.put(syncs.account(1), 'Other')
  await syncs.sender.send(changed.wecom(syncs.account(1)))
  expect(await syncs.tick()).toBeNull()
  expect((await syncs.details(plan.id)).run.state).toBe('planned')
  await syncs.root.call(`/directory_sync_run/${plan.id}/discard/`, { body: {} })
  await syncs.root.call('/directory_sync_switch/update/', { body: { isPaused: true } })
  onTestFinished(
    async () => void (await syncs.root.call('/directory_sync_switch/update/', { body: { isPaused: false } })),
  )
  expect(await syncs.tick()).toBeNull()
  await syncs.root.call('/directory_sync_switch/update/', { body: { isPaused: false } })
  await syncs.sql`update directory_syncs set schedule = null where id = ${syncs.sync.id}`
  expect(await syncs.tick()).toBeNull()
  await syncs.sql`update directory_syncs set schedule = '{"cron": "1 1 1 1 *", "zone": "UTC"}' where id = ${syncs.sync.id}`
  expect(await syncs.tick()).toMatchObject({ state: 'done', counts: { changed: 1 } })
})

test('a run for events resumes after its node restarts, without losing any', async () => {
  await syncs.open('wecom')
  syncs.vendor.delayMs = 300
  for (const at of [1, 2, 3]) syncs.put(syncs.account(at), `Other ${at}`)
  for (const at of [1, 2, 3]) await syncs.sender.send(changed.wecom(syncs.account(at)))
  await startEventSyncs(syncs.server.platform)
  await syncs.restartTasks()
  syncs.vendor.delayMs = 0
  const [run] = await syncs.runs(syncs.sync)
  expect(await syncs.settled(run?.id ?? '')).toMatchObject({ state: 'done', counts: { changed: 3 } })
})

test('an event that came by a node whose clock is behind is newer than the full run before it', async () => {
  await syncs.open('wecom')
  const node = await syncs.server.secondNode(-1800)
  const { token, aesKey } = (
    await syncs.root.call<{ token: string; aesKey: string }>(syncs.events('set_up/'), { body: {} })
  ).data
  const url = `${node.url}/auth_service/source_events/${syncs.source.id}`
  const sender = qywxEvents({ url, token, aesKey, receiver: syncs.source.user }, syncs.now)
  syncs.vendor.book.users.delete(syncs.account(3))
  expect(await sender.send(left.wecom(syncs.account(3)))).toBe(200)
  await syncs.advance(3_700)
  expect(await syncs.tick()).toMatchObject({ state: 'done', mode: 'full', counts: { missing: 1 } })
})

test('more people than can be read by name are left to a full run, which is repeated each hour until it succeeds', async () => {
  await syncs.open('dingtalk')
  syncs.put(syncs.account(1), 'Other')
  const named = Array.from({ length: 2001 }, (_, at) => syncs.account(at))
  await syncs.sender.send(JSON.stringify({ EventType: 'user_modify_org', UserId: named }))
  expect(await syncs.tick()).toBeNull()
  syncs.vendor.book.failNext.push({ path: '/topapi/v2/department/listsub', problem: 'no-permission', times: 1 })
  await syncs.advance(3_700)
  expect(await syncs.tick()).toMatchObject({ state: 'failed', mode: 'full' })
  expect(await syncs.tick()).toBeNull()
  await syncs.advance(3_700)
  expect(await syncs.tick()).toMatchObject({ state: 'done', mode: 'full', counts: { changed: 1 } })
  await syncs.advance(3_700)
  expect(await syncs.tick()).toBeNull()
})

test('events that one sync leaves to its full run are not left to those of other syncs of the source', async () => {
  await syncs.open('dingtalk')
  const {
    sync: { sourceId, table, keyColumn, mapping, thresholds, schedule },
  } = syncs
  const body = { sourceId, table, keyColumn, mapping, thresholds, schedule }
  const other = await syncs.newSync({ ...body, name: syncs.named('Other') })
  expect((await syncs.approve(await syncs.run(other))).state).toBe('done')
  const named = Array.from({ length: 2001 }, (_, at) => syncs.account(at))
  await syncs.sender.send(JSON.stringify({ EventType: 'user_modify_org', UserId: named }))
  // The other one has read these people by name.
  await syncs.sql`update directory_syncs set events_seen = (select max(id) from source_events) where id = ${other.id}`
  expect(await syncs.tick()).toBeNull()
  await syncs.advance(3_700)
  expect(await syncs.tick()).toMatchObject({ state: 'done', mode: 'full' })
  await startEventSyncs(syncs.server.platform)
  expect(await syncs.runs(other)).toHaveLength(1)
})

test('the full run that events are left to is one of people: a run of departments alone does not settle it', async () => {
  await syncs.open('wecom')
  const { id, sourceId } = syncs.sync
  await syncs.advance(3_700)
  const due = syncs.now()
  await syncs.sql`update directory_syncs set objects = 'both', full_run_due_since = ${due} where id = ${id}`
  await syncs.sql`insert into directory_sync_runs (id, sync_id, source_id, objects, state, dry_run, sync_version, source_version, started_at)
    values (gen_random_uuid(), ${id}, ${sourceId}, 'departments', 'done', false, 1, 1, ${new Date(due.getTime() + 1000)})`
  const before = (await syncs.runs(syncs.sync)).length
  await startEventSyncs(syncs.server.platform)
  expect(await syncs.runs(syncs.sync)).toHaveLength(before + 1)
})
