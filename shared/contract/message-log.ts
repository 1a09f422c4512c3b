import { z } from 'zod'
import { MESSAGE_TEMPLATES } from '../rules/message-templates.ts'
import { get, Id, Moment } from './endpoint.ts'
import { excluding, LogKey, linePerson, logPage } from './log-centre.ts'
import { MESSAGE_CHANNELS, MESSAGE_PURPOSES } from './message-routes.ts'

export const MESSAGE_STATES = ['pending', 'sent', 'failed', 'expired'] as const
/** `undelivered-code`: a code that no channel of its route delivered. */
export const LOGGED_RESULTS = [...MESSAGE_STATES, 'undelivered-code'] as const
/** `other`: messages without a route, because they prove the address that they are sent to, or carry a link. */
export const LOGGED_PURPOSES = [...MESSAGE_PURPOSES, 'other'] as const

/** Values that can be excluded, by filter name. */
const EXCLUDABLE = ['userId', 'organizationId', 'categoryId', 'channel', 'purpose', 'state']

const Channel = z.enum(MESSAGE_CHANNELS)

const Filters = z.strictObject({
  /** Of a person: account, name or its pinyin, phone number, email address. */
  search: z.string().trim().max(100).default(''),
  userId: Id.optional(),
  organizationId: Id.optional(),
  categoryId: Id.optional(),
  channel: Channel.optional(),
  /** The complete address or number that it was sent to, or the user id at the vendor. */
  receiver: z.string().trim().min(1).max(200).optional(),
  purpose: z.enum(LOGGED_PURPOSES).optional(),
  state: z.enum(LOGGED_RESULTS).optional(),
  from: Moment.optional(),
  to: Moment.optional(),
  without: excluding(EXCLUDABLE).optional(),
})

/** One message on one channel, without what it said. */
const Sending = z.object({
  id: Id,
  at: z.iso.datetime(),
  channel: Channel,
  template: z.enum(MESSAGE_TEMPLATES),
  purpose: z.enum(LOGGED_PURPOSES),
  /** The receiver, masked. */
  to: z.string(),
  state: z.enum(MESSAGE_STATES),
  attempts: z.number().int(),
  /** Of the last failure: a message `message-reason.<name>`; null: none failed. */
  reason: z.string().nullable(),
  /** The other side's own code of the last failure. */
  code: z.string().nullable(),
  /** What the other side said of it; only for super users. */
  words: z.string().nullable(),
  finishedAt: z.iso.datetime().nullable(),
})
export type Sending = z.infer<typeof Sending>

const MessageLogLine = Sending.extend({
  /** Time and id, to open it again. */
  key: LogKey,
  ...linePerson,
  /** The channel that took over after this one; null: none. */
  next: Channel.nullable(),
})
export type MessageLogLine = z.infer<typeof MessageLogLine>

export const searchMessages = get(
  '/message_log/query/',
  'administrator',
  Filters.extend(logPage),
  z.object({
    records: z.array(MessageLogLine),
    searchedBackTo: z.iso.datetime().nullable(),
    next: LogKey.nullable(),
    names: z.record(z.string(), z.string()),
  }),
  {
    summary:
      'Mails and messages sent to people, by channel and receiver, newest first; never what they said. A search is bounded in work: it says how far back it looked, and `next` continues it',
  },
)

export const getMessageLine = get(
  '/message_log/details/',
  'administrator',
  z.strictObject({ key: LogKey }),
  MessageLogLine.extend({
    expiresAt: z.iso.datetime(),
    /** When it may be tried again; null: not waiting. */
    nextAttemptAt: z.iso.datetime().nullable(),
    /** What sent it: smtp, aliyun, tencent, gateway, http, wecom, dingtalk, outbox; none: no gateway was configured. */
    gateway: z.string().nullable(),
    /** Its number there. */
    gatewayId: z.string().nullable(),
    /** The channels of its route that were tried, in order; this one among them. */
    route: z.array(Sending),
  }),
  { summary: 'All details of a message, with every channel that was tried', errors: ['record.not-found'] },
)
