import { z } from 'zod'
import type { DataSourceKind } from './data-sources.ts'
import { Done, Empty, get, Id, post } from './endpoint.ts'

/** Kinds of sources that tell of their changes. */
export const EVENT_SOURCES = ['wecom', 'dingtalk'] as const satisfies readonly DataSourceKind[]
export type EventSourceKind = (typeof EVENT_SOURCES)[number]
export const tellsEvents = (kind: DataSourceKind): kind is EventSourceKind => EVENT_SOURCES.some((one) => one === kind)

const ById = z.strictObject({ id: Id })

const SourceEvents = z.object({
  /** What is entered at the vendor. */
  url: z.string(),
  /** Null: nothing is set up. */
  setUpAt: z.iso.datetime().nullable(),
  /** When the vendor last tried the address and was answered; null: it never has. */
  echoedAt: z.iso.datetime().nullable(),
  lastEventAt: z.iso.datetime().nullable(),
  /** Events of the last 24 hours. */
  received: z.number().int(),
})
export type SourceEvents = z.infer<typeof SourceEvents>

export const sourceEvents = get('/data_source/{id}/events/', 'superUser', ById, SourceEvents, {
  summary: 'Whether WeCom or DingTalk tells of changes in this address book, and when it last did',
  errors: ['resource.not-found', 'data-source.no-events'],
})

export const setUpSourceEvents = post(
  '/data_source/{id}/events/set_up/',
  'superUser',
  Empty,
  z.object({ url: z.string(), token: z.string(), aesKey: z.string() }),
  {
    query: ById,
    summary:
      'Make the token and the key for the events of an address book; shown once, and in the place of the ones before',
    errors: ['resource.not-found', 'data-source.no-events'],
  },
)

export const removeSourceEvents = post('/data_source/{id}/events/remove/', 'superUser', Empty, Done, {
  query: ById,
  summary: 'Take no more events of an address book',
  errors: ['resource.not-found', 'data-source.no-events'],
})
