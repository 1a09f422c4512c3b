import { beforeEach, expect, onTestFinished } from 'vitest'
import type { DataSource } from '#shared/contract/data-sources.ts'
import type { DirectorySync, SyncRun } from '#shared/contract/directory-syncs.ts'
import type { EventSourceKind, SourceEvents } from '#shared/contract/source-events.ts'
import { dingdingEvents, type EventSender, qywxEvents } from '../../tools/simulators/events.ts'
import { type Simulator, startSimulator, VENDORS } from '../../tools/simulators/index.ts'
import { startEventSyncs } from '../features/directory-syncs/index.ts'
import { SyncWorld } from './directory-syncs.ts'

export const EVENT_KINDS = ['wecom', 'dingtalk'] as const
export const EVENT_VENDORS = { wecom: 'qywx', dingtalk: 'dingding' } as const
const SENDERS = { wecom: qywxEvents, dingtalk: dingdingEvents } as const

/** That somebody has changed, as each vendor says it. */
export const changed: Record<EventSourceKind, (id: string, at?: number) => string> = {
  wecom: (id, at = 0) =>
    `<xml><ToUserName><![CDATA[ww]]></ToUserName><FromUserName><![CDATA[sys]]></FromUserName><CreateTime>${at}</CreateTime><MsgType><![CDATA[event]]></MsgType><Event><![CDATA[change_contact]]></Event><ChangeType>update_user</ChangeType><UserID><![CDATA[${id}]]></UserID></xml>`,
  dingtalk: (id, at = 0) => JSON.stringify({ EventType: 'user_modify_org', UserId: [id], TimeStamp: String(at) }),
}
/** That somebody has left. */
export const left: Record<EventSourceKind, (id: string) => string> = {
  wecom: (id) => changed.wecom(id).replace('update_user', 'delete_user'),
  dingtalk: (id) => JSON.stringify({ EventType: 'user_leave_org', UserId: [id] }),
}

/** A vendor's address book that tells of changes, with a sync that has read everything once. */
export class EventWorld extends SyncWorld {
  vendor!: Simulator
  source!: DataSource
  sync!: DirectorySync
  sender!: EventSender

  constructor() {
    super()
    beforeEach(async () => {
      await this.sql`delete from directory_syncs`
      await this.sql`delete from source_callbacks`
    })
  }

  now = () => this.server.platform.now()

  /** Somebody in the vendor's address book; the account is their id. */
  put = (id: string, name: string, departments = [1]) =>
    this.vendor.book.users.set(id, {
      ...{ id, name, mobile: '', email: '', title: id, number: id },
      ...{ departments, status: 1 as const },
    })

  /** @param people their departments. */
  async open(
    kind: EventSourceKind,
    { people = [1], ...options }: { people?: number[]; rootIds?: string } = {},
  ): Promise<void> {
    const known = VENDORS[EVENT_VENDORS[kind]]
    this.vendor = await startSimulator(known, { trustedOrigin: this.server.url, now: this.now })
    onTestFinished(() => this.vendor.close())
    this.vendor.book.users.clear()
    for (const at of [1, 2, 3]) this.put(this.account(at), `Person ${at}`, people)
    const { application: user = '', secret: password = '' } = known.contacts?.(this.vendor.url) ?? {}
    const body = { name: this.named('Book'), kind, user, password, options: { url: this.vendor.url, ...options } }
    this.source = (await this.root.call<DataSource>('/data_source/create/', { body })).data
    const mapping = [
      { column: 'userid', field: 'account' },
      { column: 'name', field: 'name' },
    ]
    this.sync = await this.newSync({
      ...{ sourceId: this.source.id, table: 'people', keyColumn: 'userid', mapping },
      thresholds: { missing: 100, changed: 100, created: 100, field: 100, bad: 100, rows: 0 },
      schedule: { cron: '30 2 1 1 *', zone: 'UTC' },
    })
    expect((await this.approve(await this.run(this.sync))).state).toBe('done')
    const { data } = await this.root.call<{ url: string; token: string; aesKey: string }>(this.events('set_up/'), {
      body: {},
    })
    this.sender = SENDERS[kind]({ ...data, receiver: user }, this.now)
  }
  events = (verb = '') => `/data_source/${this.source.id}/events/${verb}`
  shown = async () => (await this.root.call<SourceEvents>(this.events())).data

  /** What the minute's job does, and what came of it; null: it started nothing. */
  async tick(): Promise<SyncRun | null> {
    const [before] = await this.runs(this.sync)
    await startEventSyncs(this.server.platform)
    const [after] = await this.runs(this.sync)
    return after && after.id !== before?.id ? await this.settled(after.id) : null
  }
  nameOf = async (at: number) => (await this.people()).find(({ account }) => account === this.account(at))?.name
  callsOf = (part: string) => this.vendor.calls.filter((call) => call.includes(part)).length
}
