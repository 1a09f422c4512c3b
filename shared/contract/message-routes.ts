import { z } from 'zod'
import { Empty, get, post } from './endpoint.ts'
import { HttpChannel } from './message-gateways.ts'

/** All channels. `http` is the institution's own message platform. */
export const MESSAGE_CHANNELS = ['mail', 'sms', 'wecom', 'dingtalk', 'http'] as const
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number]

/** Purposes of codes; a route must end before its code expires. */
export const CODE_PURPOSES = ['login', 'recovery', 'activation'] as const
/** The purposes with a configurable route; a code that verifies one address is sent to that address only. */
export const MESSAGE_PURPOSES = [...CODE_PURPOSES, 'security', 'dormancy', 'administration'] as const
export type MessagePurpose = (typeof MESSAGE_PURPOSES)[number]

/** Total seconds of a code's channels except the last: half of the code's validity. */
export const MAX_CODE_WAIT_SECONDS = 150
/** How long the channel that somebody requests a code on is waited for, before a route that doesn't include it. */
export const REQUESTED_WAIT_SECONDS = 20
const MIN_WAIT_SECONDS = 5
const MAX_WAIT_SECONDS = 3600

const Step = z.strictObject({
  channel: z.enum(MESSAGE_CHANNELS),
  /** Seconds until the next channel is tried; a permanent failure doesn't wait. Unused for the last one. */
  seconds: z.number().int().min(MIN_WAIT_SECONDS).max(MAX_WAIT_SECONDS).default(20),
})
export type RouteStep = z.infer<typeof Step>

/** Channels in order; none: as the person requested, and notices to every bound phone number and email address. */
const Route = z
  .array(Step)
  .max(MESSAGE_CHANNELS.length)
  .refine((steps) => new Set(steps.map(({ channel }) => channel)).size === steps.length, 'each channel once')
const CodeRoute = Route.refine(
  (steps) => steps.slice(0, -1).reduce((sum, { seconds }) => sum + seconds, 0) <= MAX_CODE_WAIT_SECONDS,
  `at most ${MAX_CODE_WAIT_SECONDS} seconds before the last channel`,
)

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as 22:00')
/** Messages per day, in the institution's time zone; null: no separate limit. */
const DailyQuota = z.number().int().min(1).max(10_000_000).nullable().default(null)

/** Settings document `messageRoutes`. */
export const MessageRoutes = z.strictObject({
  login: CodeRoute.default([]),
  recovery: CodeRoute.default([]),
  activation: CodeRoute.default([]),
  security: Route.default([]),
  dormancy: Route.default([]),
  administration: Route.default([]),
  /** From this time notices wait for `quietUntil`; null: never. Codes never wait, nor does mail. */
  quietFrom: TimeOfDay.nullable().default(null),
  quietUntil: TimeOfDay.default('07:00'),
  /** The purposes that wait; those that need action don't. */
  quietPurposes: z
    .array(z.enum(['security', 'dormancy', 'administration']))
    .max(3)
    .default(['dormancy']),
  dailyMail: DailyQuota,
  dailySms: DailyQuota,
  dailyWecom: DailyQuota,
  dailyDingtalk: DailyQuota,
  dailyHttp: DailyQuota,
  /** The app that notifies people in DingTalk; '': none. */
  dingtalkAgentId: z
    .string()
    .trim()
    .regex(/^\d{0,20}$/, 'expected a number')
    .default(''),
})
export type MessageRoutes = z.infer<typeof MessageRoutes>
export type MessageRoutesKey = keyof MessageRoutes
export const MESSAGE_ROUTES_KEYS = Object.keys(MessageRoutes.shape) as MessageRoutesKey[]
const KeyName = z.enum(MESSAGE_ROUTES_KEYS as [MessageRoutesKey, ...MessageRoutesKey[]])

/** The key of a channel's quota. */
export const QUOTA_KEYS = {
  mail: 'dailyMail',
  sms: 'dailySms',
  wecom: 'dailyWecom',
  dingtalk: 'dailyDingtalk',
  http: 'dailyHttp',
} as const satisfies Record<MessageChannel, MessageRoutesKey>

const SomeOfRoutes = z.strictObject(
  Object.fromEntries(Object.entries(MessageRoutes.shape).map(([key, field]) => [key, field.unwrap().optional()])),
) as unknown as z.ZodType<Partial<MessageRoutes>>

const ChannelState = z.object({
  channel: z.enum(MESSAGE_CHANNELS),
  isConfigured: z.boolean(),
  /** Suspended after failures. */
  isDown: z.boolean(),
  /** Sent today, in the institution's time zone. */
  usedToday: z.number().int(),
})

const StoredRoutes = z.object({
  version: z.number().int(),
  /** The stored values; missing ones have their default. */
  values: SomeOfRoutes,
  setByFile: z.array(KeyName),
  channels: z.array(ChannelState),
  /** The platform with a masked secret; null: none. */
  http: z.object({ version: z.number().int(), isSetByFile: z.boolean(), gateway: HttpChannel.nullable() }),
})
export type StoredRoutes = z.infer<typeof StoredRoutes>

export const messageRoutesDetails = get('/message_routes/details/', 'superUser', Empty, StoredRoutes, {
  summary: 'The channels of messages for each purpose, and their state',
})

const version = z.number().int().min(0)
export const updateMessageRoutes = post(
  '/message_routes/update/',
  'superUser',
  z.strictObject({
    version,
    changes: SomeOfRoutes,
    reset: z.array(KeyName).max(MESSAGE_ROUTES_KEYS.length).default([]),
  }),
  StoredRoutes,
  {
    summary: 'Change routes, quiet hours and quotas; a conflict returns the stored document as `current`',
    errors: ['version.conflict', 'settings.set-by-file'],
  },
)

export const saveHttpChannel = post(
  '/message_routes/save_http/',
  'superUser',
  z.strictObject({ version, gateway: HttpChannel.nullable() }),
  StoredRoutes,
  {
    summary: 'Change the institution’s message platform',
    errors: ['version.conflict', 'settings.secret-needed', 'settings.set-by-file'],
  },
)

export const CHANNEL_CHECK_STEPS = [
  'configured',
  'host',
  'clock',
  'secret',
  'application',
  'permission',
  'range',
  'rest',
  'quota',
  'receiver',
  'sent',
] as const

const ChannelCheck = z.object({
  steps: z.array(
    z.object({
      step: z.enum(CHANNEL_CHECK_STEPS),
      outcome: z.enum(['well', 'failed', 'skipped']),
      /** A message `channel-fault.<reason>`, `vendor-fault.<reason>` or `message-reason.<reason>`. */
      reason: z.string().nullable(),
      /** From the other side's manual, or its message. */
      code: z.string().nullable(),
    }),
  ),
})
export type ChannelCheck = z.infer<typeof ChannelCheck>

export const checkChannel = post(
  '/message_routes/check/',
  'superUser',
  z.strictObject({
    channel: z.enum(MESSAGE_CHANNELS),
    /** Sends a test message to the caller's own address. */
    send: z.boolean().default(false),
  }),
  ChannelCheck,
  {
    summary: 'Check a stored channel step by step; with `send` it ends with a test message to the caller',
    errors: ['message.too-many'],
  },
)
