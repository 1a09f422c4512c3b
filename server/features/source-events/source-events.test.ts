import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { DataSource } from '#shared/contract/data-sources.ts'
import type { DirectorySync, SyncRun } from '#shared/contract/directory-syncs.ts'
import type { SourceEvents } from '#shared/contract/source-events.ts'
import type { VendorCheck } from '#shared/contract/vendors.ts'
import { dingdingEvents, type EventSender, qywxEvents } from '../../../tools/simulators/events.ts'
import { type Simulator, startSimulator, VENDORS } from '../../../tools/simulators/index.ts'
import { SyncWorld } from '../../testing/directory-syncs.ts'
import { startEventSyncs } from '../directory-syncs/index.ts'
import { forgetEvents } from './index.ts'

const syncs = new SyncWorld()
const kinds = ['wecom', 'dingtalk'] as const
type Kind = (typeof kinds)[number]
const KEY = { wecom: 'qywx', dingtalk: 'dingding' } as const
const SENDERS = { wecom: qywxEvents, dingtalk: dingdingEvents } as const

let vendor: Simulator
let source: DataSource
let sync: DirectorySync
let sender: EventSender
const now = () => syncs.server.platform.now()

/** Somebody in the vendor's address book; the account is their id. */
const put = (id: string, name: string, departments = [1]) =>
  vendor.book.users.set(id, {
    ...{ id, name, mobile: '', email: '', title: id, number: id },
    ...{ departments, status: 1 as const },
  })

async function open(
  kind: Kind,
  { people = [1], ...options }: { people?: number[]; rootIds?: string } = {},
): Promise<void> {
  vendor = await startSimulator(VENDORS[KEY[kind]], { trustedOrigin: syncs.server.url, now })
  onTestFinished(() => vendor.close())
  vendor.book.users.clear()
  for (const at of [1, 2, 3]) put(syncs.account(at), `Person ${at}`, people)
  const { application: user = '', secret: password = '' } = VENDORS[KEY[kind]].contacts?.(vendor.url) ?? {}
  const body = { name: syncs.named('Book'), kind, user, password, options: { url: vendor.url, ...options } }
  source = (await syncs.root.call<DataSource>('/data_source/create/', { body })).data
  const mapping = [
    { column: 'userid', field: 'account' },
    { column: 'name', field: 'name' },
  ]
  sync = await syncs.newSync({
    ...{ sourceId: source.id, table: 'people', keyColumn: 'userid', mapping },
    thresholds: { missing: 100, changed: 100, created: 100, field: 100, bad: 100, rows: 0 },
    schedule: { cron: '30 2 1 1 *', zone: 'UTC' },
  })
  expect((await syncs.approve(await syncs.run(sync))).state).toBe('done')
  const { data } = await syncs.root.call<{ url: string; token: string; aesKey: string }>(events('set_up/'), {
    body: {},
  })
  sender = SENDERS[kind]({ ...data, receiver: user }, now)
}
const events = (verb = '') => `/data_source/${source.id}/events/${verb}`
const shown = async () => (await syncs.root.call<SourceEvents>(events())).data

const changed: Record<Kind, (id: string, at?: number) => string> = {
  wecom: (id, at = 0) =>
    `<xml><ToUserName><![CDATA[ww]]></ToUserName><FromUserName><![CDATA[sys]]></FromUserName><CreateTime>${at}</CreateTime><MsgType><![CDATA[event]]></MsgType><Event><![CDATA[change_contact]]></Event><ChangeType>update_user</ChangeType><UserID><![CDATA[${id}]]></UserID></xml>`,
  dingtalk: (id, at = 0) => JSON.stringify({ EventType: 'user_modify_org', UserId: [id], TimeStamp: String(at) }),
}
const left: Record<Kind, (id: string) => string> = {
  wecom: (id) => changed.wecom(id).replace('update_user', 'delete_user'),
  dingtalk: (id) => JSON.stringify({ EventType: 'user_leave_org', UserId: [id] }),
}

/** What the minute's job does, and what came of it; null: it started nothing. */
async function tick(): Promise<SyncRun | null> {
  const [before] = await syncs.runs(sync)
  await startEventSyncs(syncs.server.platform)
  const [after] = await syncs.runs(sync)
  return after && after.id !== before?.id ? await syncs.settled(after.id) : null
}
const nameOf = async (at: number) => (await syncs.people()).find(({ account }) => account === syncs.account(at))?.name
const callsOf = (part: string) => vendor.calls.filter((call) => call.includes(part)).length

beforeEach(async () => {
  await syncs.sql`delete from directory_syncs`
  await syncs.sql`delete from source_callbacks`
})

test.each(kinds)('%s tries the address, and from then on whom its events name is read again', async (kind) => {
  await open(kind)
  expect(await shown()).toMatchObject({ echoedAt: null, lastEventAt: null, received: 0 })
  expect(await sender.echo()).toBe(true)
  expect(await shown()).toMatchObject({ echoedAt: expect.any(String), received: 0 })
  expect(await tick()).toBeNull()
  put(syncs.account(2), 'New name')
  put(syncs.account(7), 'Newcomer')
  // The event itself has nothing that is used: what stands there is asked of the vendor.
  for (const at of [2, 7]) expect(await sender.send(changed[kind](syncs.account(at)))).toBe(200)
  expect(await shown()).toMatchObject({ received: 2 })
  const [lists, reads] = [callsOf('user/list'), callsOf('user/get')]
  expect(await tick()).toMatchObject({ state: 'done', startedBy: null, counts: { changed: 1, new: 1 } })
  expect([callsOf('user/list') - lists, callsOf('user/get') - reads]).toEqual([0, 2])
  expect([await nameOf(1), await nameOf(2), await nameOf(7)]).toEqual(['Person 1', 'New name', 'Newcomer'])
  expect(await tick()).toBeNull()
})

const OUTSIDE = { wecom: { of: {}, department: 5 }, dingtalk: { of: { people: [4], rootIds: '3' }, department: 2 } }
test.each(kinds)('%s: whom a read of everything would not return, no event adds', async (kind) => {
  const { of, department } = OUTSIDE[kind]
  await open(kind, of)
  const [outside, inside] = [syncs.account(7), syncs.account(8)]
  put(outside, 'Elsewhere', [department])
  vendor.book.visiblePeople.add(outside)
  put(inside, 'Newcomer', [department, 4])
  for (const id of [outside, inside]) await sender.send(changed[kind](id))
  expect(await tick()).toMatchObject({ state: 'done', rowsRead: 1, counts: { new: 1 } })
  expect([await nameOf(7), await nameOf(8)]).toEqual([undefined, 'Newcomer'])
})

test.each(kinds)(
  '%s: an event that comes again, late or in another order leads to what stands there now',
  async (kind) => {
    await open(kind)
    const id = syncs.account(2)
    put(id, 'Third name')
    // The later one first, each three times, as a vendor that waits for its answer sends them.
    for (const at of [3, 1, 2]) for (const _ of [1, 2, 3]) expect(await sender.send(changed[kind](id, at))).toBe(200)
    expect(await shown()).toMatchObject({ received: 3 })
    const reads = callsOf('user/get')
    expect(await tick()).toMatchObject({ state: 'done', rowsRead: 1, counts: { changed: 1 } })
    expect(callsOf('user/get') - reads).toBe(1)
    expect(await nameOf(2)).toBe('Third name')
    // A replay of what was taken before reads nobody again.
    expect(await sender.send(changed[kind](id, 1))).toBe(200)
    expect(await tick()).toBeNull()
    // Gone by now: an event takes nobody away.
    vendor.book.users.delete(id)
    await sender.send(changed[kind](id, 9))
    expect(await tick()).toMatchObject({ state: 'done', rowsRead: 0 })
    expect(await nameOf(2)).toBe('Third name')
  },
)

test.each(kinds)(
  '%s: nothing is taken that is not signed, not for this receiver, too old, or of a former key',
  async (kind) => {
    await open(kind)
    const message = changed[kind](syncs.account(1))
    const old = String(
      Math.floor(now().getTime() / (kind === 'wecom' ? 1000 : 1)) - (kind === 'wecom' ? 3700 : 3_700_000),
    )
    expect(await sender.send(message, { signature: '0'.repeat(40) })).toBe(403)
    expect(await sender.send(message, { signature: '' })).toBe(403)
    expect(await sender.send(message, { timestamp: old })).toBe(403)
    expect(await sender.send(message, { timestamp: 'NaN' })).toBe(403)
    expect(await sender.send(message, { encrypted: 'AAAA' })).toBe(403)
    const { url } = await shown()
    for (const body of ['{"encrypt":"x"}', '<![CDATA['.repeat(7_000)])
      for (const one of [url, `${url}x`, url.replace(source.id, sync.id)]) {
        const answer = await fetch(`${one}?msg_signature=x&timestamp=1&nonce=1`, { method: 'POST', body })
        expect([answer.status, await answer.text()]).toEqual([403, ''])
      }
    expect((await fetch(url)).status).toBe(403)
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(300_000) })).status).toBe(413)
    await syncs.root.call(events('set_up/'), { body: {} })
    expect(await sender.send(message)).toBe(403)
    expect(await sender.echo()).toBe(false)
    expect(await shown()).toMatchObject({ echoedAt: null, lastEventAt: null, received: 0 })
    expect(await tick()).toBeNull()
  },
)

test('who has left and what became of departments is seen by a run of everything, one an hour at most', async () => {
  await open('wecom')
  vendor.book.users.delete(syncs.account(3))
  await sender.send(left.wecom(syncs.account(3)))
  // The last one of everything was a moment ago.
  expect(await tick()).toBeNull()
  await syncs.advance(3_700)
  const run = await tick()
  expect(run).toMatchObject({ state: 'done', mode: 'full', counts: { missing: 1, unchanged: 2 } })
  await syncs.advance(3_700)
  expect(await tick()).toBeNull()
})

test('a burst of a thousand events is taken at once, and read once for each person', async () => {
  await open('dingtalk')
  for (const at of [1, 2, 3]) put(syncs.account(at), `Other ${at}`)
  const sent = await Promise.all(
    Array.from({ length: 1000 }, (_, at) => sender.send(changed.dingtalk(syncs.account(1 + (at % 3)), at))),
  )
  expect(sent.every((status) => status === 200)).toBe(true)
  expect(await shown()).toMatchObject({ received: 1000 })
  const reads = callsOf('user/get')
  expect(await tick()).toMatchObject({ state: 'done', rowsRead: 3, counts: { changed: 3 } })
  expect(callsOf('user/get') - reads).toBe(3)
  expect(await tick()).toBeNull()
})

test('what can not be read by name is read with everybody else, and nobody is asked for again and again', async () => {
  await open('wecom')
  put(syncs.account(1), 'Other')
  vendor.book.failNext.push({ path: '/cgi-bin/user/get', problem: 'no-permission', times: 1 })
  await sender.send(changed.wecom(syncs.account(1)))
  expect(await tick()).toMatchObject({ state: 'failed', problem: expect.stringContaining('48002') })
  expect(await tick()).toBeNull()
  await syncs.advance(3_700)
  expect(await tick()).toMatchObject({ state: 'done', mode: 'full', counts: { changed: 1 } })
  expect(await tick()).toBeNull()
})

test('events replace no plan that somebody is looking at, start nothing while all are paused, and nothing without a schedule', async () => {
  await open('wecom')
  const plan = await syncs.run(sync, true)
  put(syncs.account(1), 'Other')
  await sender.send(changed.wecom(syncs.account(1)))
  expect(await tick()).toBeNull()
  expect((await syncs.details(plan.id)).run.state).toBe('planned')
  await syncs.root.call(`/directory_sync_run/${plan.id}/discard/`, { body: {} })
  await syncs.root.call('/directory_sync_switch/update/', { body: { isPaused: true } })
  onTestFinished(
    async () => void (await syncs.root.call('/directory_sync_switch/update/', { body: { isPaused: false } })),
  )
  expect(await tick()).toBeNull()
  await syncs.root.call('/directory_sync_switch/update/', { body: { isPaused: false } })
  await syncs.sql`update directory_syncs set schedule = null where id = ${sync.id}`
  expect(await tick()).toBeNull()
  await syncs.sql`update directory_syncs set schedule = '{"cron": "1 1 1 1 *", "zone": "UTC"}' where id = ${sync.id}`
  expect(await tick()).toMatchObject({ state: 'done', counts: { changed: 1 } })
})

test('a run for events that is stopped with its node goes on at the next start, and loses none', async () => {
  await open('wecom')
  vendor.delayMs = 300
  for (const at of [1, 2, 3]) put(syncs.account(at), `Other ${at}`)
  for (const at of [1, 2, 3]) await sender.send(changed.wecom(syncs.account(at)))
  await startEventSyncs(syncs.server.platform)
  await syncs.restartTasks()
  vendor.delayMs = 0
  const [run] = await syncs.runs(sync)
  expect(await syncs.settled(run?.id ?? '')).toMatchObject({ state: 'done', counts: { changed: 3 } })
})

const EVENT_STEP = { wecom: 'corpId', dingtalk: 'clientId' } as const
test.each(kinds)('the check of %s says whether the vendor has tried the address for events', async (kind) => {
  await open(kind)
  const key = KEY[kind]
  const settings = { ...VENDORS[key].settings(vendor.url) }
  const step = async () => {
    const { data } = await syncs.root.call<VendorCheck>(`/vendor/${key}/check/`, { body: { settings } })
    return data.steps.find((one) => one.step === 'events')
  }
  expect(await step()).toMatchObject({ outcome: 'failed', code: 'no-echo' })
  expect(await sender.echo()).toBe(true)
  expect(await step()).toMatchObject({ outcome: 'well', code: null })
  await syncs.root.call(events('remove/'), { body: {} })
  expect(await step()).toMatchObject({ outcome: 'skipped', code: 'no-events' })
  expect(await sender.echo()).toBe(false)
  expect(settings).toHaveProperty(EVENT_STEP[kind])
})

test('only address books tell of changes, and what they told is forgotten after three days', async () => {
  await open('wecom')
  await sender.send(changed.wecom(syncs.account(1)))
  await syncs.advance(4 * 86_400)
  await forgetEvents(syncs.server.platform)
  expect(await syncs.sql`select from source_events`).toHaveLength(0)
  const file = await syncs.newSource()
  const { envelope } = await syncs.root.call(`/data_source/${file}/events/set_up/`, { body: {} })
  expect(envelope).toMatchObject({ state: 409, code: 'data-source.no-events' })
})
