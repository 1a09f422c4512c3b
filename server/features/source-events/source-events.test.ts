import { expect, test } from 'vitest'
import type { VendorCheck } from '#shared/contract/vendors.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { VENDORS } from '../../../tools/simulators/index.ts'
import { changed, EVENT_KINDS, EVENT_VENDORS, EventWorld } from '../../testing/source-events.ts'
import { forgetEvents } from './index.ts'

const syncs = new EventWorld()

test.each(EVENT_KINDS)(
  '%s verifies the address, and from then on people named by its events are read again',
  async (kind) => {
    await syncs.open(kind)
    expect(await syncs.shown()).toMatchObject({ echoedAt: null, lastEventAt: null, received: 0 })
    expect(await syncs.sender.echo()).toBe(true)
    expect(await syncs.shown()).toMatchObject({ echoedAt: expect.any(String), received: 0 })
    expect(await syncs.tick()).toBeNull()
    syncs.put(syncs.account(2), 'New name')
    syncs.put(syncs.account(7), 'Newcomer')
    // The content of the event is not used: the vendor is asked for the current data.
    for (const at of [2, 7]) expect(await syncs.sender.send(changed[kind](syncs.account(at)))).toBe(200)
    expect(await syncs.shown()).toMatchObject({ received: 2 })
    const [lists, reads] = [syncs.callsOf('user/list'), syncs.callsOf('user/get')]
    expect(await syncs.tick()).toMatchObject({ state: 'done', startedBy: null, counts: { changed: 1, new: 1 } })
    expect([syncs.callsOf('user/list') - lists, syncs.callsOf('user/get') - reads]).toEqual([0, 2])
    expect([await syncs.nameOf(1), await syncs.nameOf(2), await syncs.nameOf(7)]).toEqual([
      'Person 1',
      'New name',
      'Newcomer',
    ])
    expect(await syncs.tick()).toBeNull()
  },
)

const OUTSIDE = { wecom: { of: {}, department: 5 }, dingtalk: { of: { people: [4], rootIds: '3' }, department: 2 } }
test.each(EVENT_KINDS)('%s: an event adds nobody whom a full run would not return', async (kind) => {
  const { of, department } = OUTSIDE[kind]
  await syncs.open(kind, of)
  const [outside, inside] = [syncs.account(7), syncs.account(8)]
  syncs.put(outside, 'Elsewhere', [department])
  syncs.vendor.book.visiblePeople.add(outside)
  syncs.put(inside, 'Newcomer', [department, 4])
  for (const id of [outside, inside]) await syncs.sender.send(changed[kind](id))
  expect(await syncs.tick()).toMatchObject({ state: 'done', rowsRead: 1, counts: { new: 1 } })
  expect([await syncs.nameOf(7), await syncs.nameOf(8)]).toEqual([undefined, 'Newcomer'])
})

test.each(EVENT_KINDS)('%s: repeated, late and reordered events lead to the current state', async (kind) => {
  await syncs.open(kind)
  const id = syncs.account(2)
  syncs.put(id, 'Third name')
  // The later one first, each three times, as an impatient vendor repeats them.
  for (const at of [3, 1, 2])
    for (const _ of [1, 2, 3]) expect(await syncs.sender.send(changed[kind](id, at))).toBe(200)
  expect(await syncs.shown()).toMatchObject({ received: 3 })
  const reads = syncs.callsOf('user/get')
  expect(await syncs.tick()).toMatchObject({ state: 'done', rowsRead: 1, counts: { changed: 1 } })
  expect(syncs.callsOf('user/get') - reads).toBe(1)
  expect(await syncs.nameOf(2)).toBe('Third name')
  // A replayed event reads nobody again.
  expect(await syncs.sender.send(changed[kind](id, 1))).toBe(200)
  expect(await syncs.tick()).toBeNull()
  // Deleted meanwhile: an event removes nobody.
  syncs.vendor.book.users.delete(id)
  await syncs.sender.send(changed[kind](id, 9))
  expect(await syncs.tick()).toMatchObject({ state: 'done', rowsRead: 0 })
  expect(await syncs.nameOf(2)).toBe('Third name')
})

test.each(EVENT_KINDS)(
  '%s: events without a valid signature, for another receiver, too old, or encrypted with a former key are rejected',
  async (kind) => {
    await syncs.open(kind)
    const message = changed[kind](syncs.account(1))
    const old = String(
      Math.floor(syncs.now().getTime() / (kind === 'wecom' ? 1000 : 1)) - (kind === 'wecom' ? 3700 : 3_700_000),
    )
    expect(await syncs.sender.send(message, { signature: '0'.repeat(40) })).toBe(403)
    expect(await syncs.sender.send(message, { signature: '' })).toBe(403)
    expect(await syncs.sender.send(message, { timestamp: old })).toBe(403)
    expect(await syncs.sender.send(message, { timestamp: 'NaN' })).toBe(403)
    expect(await syncs.sender.send(message, { encrypted: 'AAAA' })).toBe(403)
    const { url } = await syncs.shown()
    for (const body of ['{"encrypt":"x"}', '<![CDATA['.repeat(7_000)])
      for (const one of [url, `${url}x`, url.replace(syncs.source.id, syncs.sync.id)]) {
        const answer = await fetch(`${one}?msg_signature=x&timestamp=1&nonce=1`, { method: 'POST', body })
        expect([answer.status, await answer.text()]).toEqual([403, ''])
      }
    expect((await fetch(url)).status).toBe(403)
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(300_000) })).status).toBe(413)
    await syncs.root.call(syncs.events('set_up/'), { body: {} })
    expect(await syncs.sender.send(message)).toBe(403)
    expect(await syncs.sender.echo()).toBe(false)
    expect(await syncs.shown()).toMatchObject({ echoedAt: null, lastEventAt: null, received: 0 })
    expect(await syncs.tick()).toBeNull()
  },
)

test('a burst of a thousand events is accepted immediately, and each person is read once', async () => {
  await syncs.open('dingtalk')
  for (const at of [1, 2, 3]) syncs.put(syncs.account(at), `Other ${at}`)
  const sent = await Promise.all(
    Array.from({ length: 1000 }, (_, at) => syncs.sender.send(changed.dingtalk(syncs.account(1 + (at % 3)), at))),
  )
  expect(sent.every((status) => status === 200)).toBe(true)
  expect(await syncs.shown()).toMatchObject({ received: 1000 })
  const reads = syncs.callsOf('user/get')
  expect(await syncs.tick()).toMatchObject({ state: 'done', rowsRead: 3, counts: { changed: 3 } })
  expect(syncs.callsOf('user/get') - reads).toBe(3)
  expect(await syncs.tick()).toBeNull()
})

const EVENT_STEP = { wecom: 'corpId', dingtalk: 'clientId' } as const
test.each(EVENT_KINDS)('the check of %s says whether the vendor has verified the address for events', async (kind) => {
  await syncs.open(kind)
  const key = EVENT_VENDORS[kind]
  const settings = { ...VENDORS[key].settings(syncs.vendor.url) }
  const step = async () => {
    const { data } = await syncs.root.call<VendorCheck>(`/vendor/${key}/check/`, { body: { settings } })
    return data.steps.find((one) => one.step === 'events')
  }
  expect(await step()).toMatchObject({ outcome: 'failed', code: 'no-echo' })
  expect(await syncs.sender.echo()).toBe(true)
  expect(await step()).toMatchObject({ outcome: 'well', code: null })
  await syncs.root.call(syncs.events('remove/'), { body: {} })
  expect(await step()).toMatchObject({ outcome: 'skipped', code: 'no-events' })
  expect(await syncs.sender.echo()).toBe(false)
  expect(settings).toHaveProperty(EVENT_STEP[kind])
})

test('only address books report changes, and events are deleted after three days', async () => {
  await syncs.open('wecom')
  await syncs.sender.send(changed.wecom(syncs.account(1)))
  const { platform } = syncs.server
  await forgetEvents({ ...platform, now: () => new Date(platform.now().getTime() + 9 * DAY_MS) })
  expect(await syncs.sql`select from source_events`).toHaveLength(1)
  await syncs.advance(4 * 86_400)
  await forgetEvents(platform)
  expect(await syncs.sql`select from source_events`).toHaveLength(0)
  const file = await syncs.newSource()
  const { envelope } = await syncs.root.call(`/data_source/${file}/events/set_up/`, { body: {} })
  expect(envelope).toMatchObject({ state: 409, code: 'data-source.no-events' })
})
