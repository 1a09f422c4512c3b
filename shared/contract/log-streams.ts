import { z } from 'zod'
import { RedirectAddress } from './addresses.ts'
import { Id, Moment, post } from './endpoint.ts'
import { NETWORK_PROBLEMS } from './network-problems.ts'
import { EntryName } from './organizations.ts'
import { RECORD_KINDS } from './record-retention.ts'
import { resourceCalls } from './resource-calls.ts'
import { SECRET_PLACEHOLDER } from './stored-secret.ts'

export const LOG_STREAM_KINDS = ['syslog', 'https'] as const
/** `verify`: a trusted certificate for this host; `off`: unencrypted. */
export const LOG_STREAM_TLS = ['verify', 'off'] as const
/** The syslog facilities for records: security, private security, audit, and the local ones. */
export const SYSLOG_FACILITIES = [4, 10, 13, 16, 17, 18, 19, 20, 21, 22, 23] as const
export const MAX_LOG_STREAMS = 10

const text = (most: number) => z.string().trim().max(most).default('')

export const LogStreamFields = z.strictObject({
  name: EntryName,
  kind: z.enum(LOG_STREAM_KINDS),
  /** What is sent. */
  logs: z
    .array(z.enum(RECORD_KINDS))
    .min(1)
    .max(RECORD_KINDS.length)
    .refine((logs) => new Set(logs).size === logs.length, 'each log once'),
  /** False: paused. Records written in the meantime are sent later. */
  enabled: z.boolean().default(true),
  /** For syslog. */
  host: text(255),
  /** 0: the default, 6514 with encryption and 514 without. */
  port: z.number().int().min(0).max(65_535).default(0),
  tls: z.enum(LOG_STREAM_TLS).default('verify'),
  /** PEM certificates that are trusted instead of the public authorities. */
  ca: text(20_000),
  facility: z
    .number()
    .int()
    .refine((value) => (SYSLOG_FACILITIES as readonly number[]).includes(value), 'a facility that records go by')
    .default(13),
  /** For an endpoint: https, or http on the same machine. */
  url: z.union([z.literal(''), RedirectAddress]).default(''),
  /** Signs each batch. Never shown: the placeholder keeps the stored one, as long as the address is unchanged. */
  secret: z.string().max(512).default(''),
  note: text(500),
})
export type LogStreamFields = z.output<typeof LogStreamFields>

/**
 * Each has the message `log-stream-problem.<name>`. `cut-off`: the connection ended early · `refused`: the answer was
 * no · `bad-answer`: it is not HTTP.
 */
export const LOG_STREAM_PROBLEMS = [...NETWORK_PROBLEMS, 'cut-off', 'refused', 'bad-answer'] as const
export type LogStreamProblem = (typeof LOG_STREAM_PROBLEMS)[number]
export const LOG_STREAM_STATES = ['current', 'behind', 'failing', 'paused'] as const

const Cursor = z.object({
  log: z.enum(RECORD_KINDS),
  /** Records up to this time have been delivered. */
  at: z.iso.datetime(),
  /** Number of records delivered since the stream was created. */
  sent: z.number().int(),
  /** Number of waiting records, up to 10,000. */
  waiting: z.number().int(),
  isMore: z.boolean(),
  /** The oldest waiting record. */
  waitingSince: z.iso.datetime().nullable(),
})

const LogStream = LogStreamFields.extend({
  id: Id,
  version: z.number().int(),
  secret: z.union([z.literal(''), z.literal(SECRET_PLACEHOLDER)]),
  updatedAt: z.iso.datetime(),
  state: z.enum(LOG_STREAM_STATES),
  cursors: z.array(Cursor),
  sentAt: z.iso.datetime().nullable(),
  /** The problem of the last failed attempt; it may be resolved. */
  problem: z.enum(LOG_STREAM_PROBLEMS).nullable(),
  /** The other side's message. */
  problemWords: z.string().nullable(),
  problemAt: z.iso.datetime().nullable(),
  /** Consecutive failed attempts. */
  failures: z.number().int(),
  nextAttemptAt: z.iso.datetime().nullable(),
})
export type LogStream = z.infer<typeof LogStream>

export const logStreams = resourceCalls({
  path: '/log_stream',
  one: 'a stream of records to another system, and how it gets on',
  many: 'streams of records to other systems',
  searched: 'part of a name, host, address or note',
  fields: LogStreamFields,
  row: LogStream,
  filters: { kind: z.enum(LOG_STREAM_KINDS).optional() },
  sorts: ['name', '-name', 'updatedAt', '-updatedAt'],
  errors: [
    'log-stream.name-taken',
    'log-stream.incomplete',
    'log-stream.bad-ca',
    'log-stream.weak-secret',
    'log-stream.too-many',
    /** The stored secret would sign for another address than it was entered for. */
    'settings.secret-needed',
  ],
})

const ofStream = { query: z.strictObject({ id: Id }) }

export const testLogStream = post(
  '/log_stream/{id}/test/',
  'superUser',
  z.strictObject({}),
  z.object({
    problem: z.enum(LOG_STREAM_PROBLEMS).nullable(),
    words: z.string().nullable(),
  }),
  {
    ...ofStream,
    summary: 'Send a test record by a stream immediately; the cursor is unchanged',
    errors: ['resource.not-found', 'service.busy'],
  },
)

export const moveLogStream = post(
  '/log_stream/{id}/move/',
  'superUser',
  z.strictObject({
    /** Records after this time are sent; earlier ones are skipped, or sent again. Not in the future. */
    to: Moment,
    reason: z.string().trim().min(1).max(500),
  }),
  LogStream,
  {
    ...ofStream,
    summary: 'Move the cursors of a stream, so that records are skipped or sent again',
    errors: ['resource.not-found', 'log-stream.in-future'],
  },
)
