import type { FastifyBaseLogger } from 'fastify'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Permission } from '#shared/contract/permissions.ts'
import type { Cache } from './cache.ts'
import type { Config } from './config.ts'
import type { SecretBox } from './crypto.ts'
import type { Database, Db, Transaction } from './db.ts'
import type { Metrics } from './metrics.ts'
import type { OutgoingFetch } from './outgoing-fetch.ts'
import type { EphemeralState } from './state.ts'
import type { Translator } from './translate.ts'
import type { Wording } from './wording.ts'

/** What the whole process shares. Created once in `main.mjs` (or by a test) and passed along, never imported. */
export type Platform = {
  config: Config
  sql: Database
  state: EphemeralState
  cache: Cache
  secrets: SecretBox
  log: FastifyBaseLogger
  /** This node's clock, and the only one that the product reads directly; tests move it. */
  now(): Date
  /** The database's clock, which all nodes share. */
  sharedNow(db: Db): Promise<Date>
  /** The text of a message key in a language: the institution's own, else the shipped one. */
  translate: Translator
  wording: Wording
  /** Outgoing HTTP; the only way anything here calls another system. */
  fetch: OutgoingFetch
  /** The metrics of `/metrics`. */
  metrics: Metrics
  /**
   * `isDraining` from SIGTERM on: not ready, finishing requests in flight. `lastReadinessCheckAt`: when a load balancer last polled our
   * readiness.
   */
  draining: { isDraining: boolean; lastReadinessCheckAt?: number }
}

/** Who sent a request, as far as is known before a login. */
export type Client = {
  requestId: string
  /** The client address, after trusted proxies only. */
  ip: string
  userAgent: string
  language: Language
}

/** The portal session that a request carries. */
export type Caller = {
  userId: string
  /** The portal session. */
  sessionId: string
  ssoSessionId: string
  isSuperUser: boolean
  /** Their permissions in the organisations they administer; null: they administer none. */
  permissions: readonly Permission[] | null
  /** Must change the password before anything else. */
  limited: boolean
  /** A rule asks for a second factor that this session has not proved. */
  lacksFactor: boolean
  /** A required field of the person is missing and must be filled in first. */
  lacksFields: boolean
}

/** The application that makes a call with its app key. */
export type CallingApplication = { id: string; appId: string }

/** First argument of every service function. */
export type Context = Platform & {
  client: Client
  /** Present on calls whose contract requires a session. */
  caller: Caller | null
  /** Present on calls that applications make. */
  application?: CallingApplication
  /** The pool, or inside `transaction` its handle. */
  db: Db
}

/**
 * Runs `work` in one transaction: a write and its audit record share it. Inside, use only the context given to `work`. Counters and
 * consumed codes must be committed before, so that a thrown error does not roll them back.
 */
export async function transaction<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  const later: (() => void)[] = []
  const done = await ctx.sql.begin((tx: Transaction) => {
    awaitingCommit.set(tx, later)
    return work({ ...ctx, db: tx })
  })
  for (const then of later) then()
  return done as T
}

/** By the handle of their transaction. */
const awaitingCommit = new WeakMap<Db, (() => void)[]>()

/** Calls `then` when the caller's transaction has been committed; immediately outside of one, never if it is rolled back. */
export function afterCommit({ db }: Context, then: () => void): void {
  const later = awaitingCommit.get(db)
  if (later) later.push(then)
  else then()
}

/**
 * The same context by the database's clock: for moments that nodes compare with each other, such as when a schedule is due. A node's own
 * clock may be wrong by an hour.
 */
export async function onSharedClock<C extends Context>(ctx: C): Promise<C> {
  const { now } = ctx
  const behind = (await ctx.sharedNow(ctx.db)).getTime() - now().getTime()
  return { ...ctx, now: () => new Date(now().getTime() + behind) }
}

/** The user of a call whose contract requires a session. @throws Error if the contract does not. */
export function callerOf(ctx: Context): Caller {
  if (!ctx.caller) throw new Error('this call has no session: its contract says public')
  return ctx.caller
}

/** The application of a call whose contract says `application`. @throws Error when it says something else. */
export function applicationOf(ctx: Context): CallingApplication {
  if (!ctx.application) throw new Error('no application makes this call')
  return ctx.application
}

/** The context of work without a request: a job, the start. */
export const systemContext = (platform: Platform): Context => ({
  ...platform,
  db: platform.sql,
  client: { requestId: '', ip: '', userAgent: '', language: 'en' },
  caller: null,
})
