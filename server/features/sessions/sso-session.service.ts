import type { FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import type { SessionEndReason } from '#shared/contract/session-ends.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import {
  type AccessPlace,
  type DenialReason,
  decideAccess,
  type JudgedRule,
  mayLogIn,
  PORTAL_APP_ID,
  toAccessPerson,
} from '../access/index.ts'
import { type Application, isUsableUserName, type PersonAttributes } from '../applications/index.ts'
import { type ClientDetails, loadClientDetails, recordLogout } from '../records/index.ts'
import { type GateSettings, loadGateSettings, loadServerGateSettings } from './gate-settings.service.ts'
import { issueTicketBySecret, type TicketRequest } from './service-tickets.store.ts'
import { ssoCookieOf } from './session-cookies.service.ts'
import { sessionShape } from './session-shape.rules.ts'
import {
  completeGrants,
  consumeTicket,
  findSessionById,
  findSessionBySecret,
  insertSsoSession,
  loadPersonAttributes,
  markSessionsEnded,
  type PresentedTicket,
  queueLogouts,
  renewSsoSession,
  type SecondFactor,
  type SessionRow,
  type SessionSelector,
  type TicketRow,
  touchSsoSession,
  updateSecondFactor,
} from './sso-session.store.ts'

/** A sign-on session together with the gate's answer for the application in question. */
export type SsoSession = {
  id: string
  userId: string
  authType: string
  remembered: boolean
  /** Ask before entering each further service. */
  warn: boolean
  limited: boolean
  authenticatedAt: Date
  openedAt: Date
  isSuperUser: boolean
  /** What was proved besides the first factor, and when. */
  secondFactor: SecondFactor | null
  secondFactorAt: Date | null
  /** A rule asks for a second factor that has not been proved in this session; the portal then only allows setting one up. */
  lacksFactor: boolean
  /** A required field is missing; the portal then only allows filling it in. */
  lacksFields: boolean
  /** Null: allowed. */
  refusal: DenialReason | null
  /** The access rule behind `rule.refused`. */
  refusedBy: JudgedRule | null
}

/** How a password login is recorded; other methods don't depend on the age of the password. */
const PASSWORD_AUTH_TYPE = 'user'

type SsoSessionInput = {
  id: string
  /** Read before the transaction: a request that holds one connection while it waits for another can block the whole pool. */
  settings: GateSettings
  userId: string
  /** Login type: user, captcha, qywx … */
  authType: string
  /** The application that the gate is asked about. */
  application: Application | null
  remembered: boolean
  warn: boolean
  secondFactor: SecondFactor | null
  details: ClientDetails
  /** The session this browser had: renewed with its id for the same person; for another it must be ended. */
  replaces: SsoSession | null
}

/** With the arguments of `setSsoCookie` for when the session is committed. `maxAge` in seconds; null: until the browser closes. */
export type OpenedSession = { session: SsoSession; secret: string; maxAge: number | null }

/**
 * Opens a sign-on session in the caller's transaction, and asks the gate. It is restricted if the person must change the password first;
 * the password's age counts only if they logged in with it. The secret is always new, so a planted cookie is worthless.
 */
export async function openSsoSession(ctx: Context, input: SsoSessionInput): Promise<OpenedSession> {
  const { settings, replaces, application, ...facts } = input
  const { policy, rules } = settings
  const remembered = input.remembered && policy.rememberMeLongSecond > 0
  const seconds = remembered ? policy.rememberMeLongSecond : policy.sessionMaxHours * 3600
  const secret = `TGT-${randomToken(43)}`
  const at = ctx.now()
  const expiresAt = new Date(at.getTime() + seconds * 1000)
  const passwordPolicy = input.authType === PASSWORD_AUTH_TYPE ? policy : null
  const session = { ...facts, remembered, secretHash: sha256(secret), at, expiresAt, passwordPolicy }
  const query = { application, rules, now: at }
  const previous = replaces?.userId === input.userId && replaces.refusal !== 'session.ended' ? replaces : null
  const row =
    (previous && (await renewSsoSession(ctx.db, { ...session, id: previous.id }, query))) ??
    (await insertSsoSession(ctx.db, session, query))
  return {
    session: toSsoSession(row, settings, at, { application, place: facts.details }),
    secret,
    maxAge: remembered ? seconds : null,
  }
}

/**
 * The sign-on session of a browser, with the gate's answer for `application`; null without a (known) cookie.
 * An ended or expired one is returned with `refusal: 'session.ended'`.
 */
export async function findBrowserSession(
  ctx: Context,
  request: FastifyRequest,
  application: Application | null,
): Promise<SsoSession | null> {
  const secretHash = hashSsoCookie(request)
  if (!secretHash) return null
  const settings = await loadGateSettings(ctx)
  const now = ctx.now()
  const row = await findSessionBySecret(ctx.db, secretHash, { application, rules: settings.rules, now })
  return row && (await toSeenSession(ctx, row, application, { ...settings, now }))
}

function hashSsoCookie(request: FastifyRequest): Buffer | null {
  const secret = ssoCookieOf(request)
  return secret && secret.length <= 100 ? sha256(secret) : null
}

async function toSeenSession(
  ctx: Context,
  row: SessionRow,
  application: Application | null,
  settings: GateSettings & { now: Date },
): Promise<SsoSession> {
  const session = await toBrowserSession(ctx, row, application, settings)
  if (!session.refusal) await touchSession(ctx, row)
  return session
}

/**
 * As `findBrowserSession`; if the entry is allowed without a question, the same statement issues the ticket and records the visit.
 * @returns `issued` false: the ticket has not been written.
 */
export async function issueTicketOnSession(
  ctx: Context,
  request: FastifyRequest,
  { application, ticket }: Pick<TicketRequest, 'application' | 'ticket'>,
): Promise<{ session: SsoSession | null; issued: boolean }> {
  const secretHash = hashSsoCookie(request)
  if (!secretHash) return { session: null, issued: false }
  const settings = await loadGateSettings(ctx)
  const details = await loadClientDetails(ctx)
  const found = await issueTicketBySecret(ctx.db, secretHash, { application, ticket, settings, details, visitId: v7() })
  if (!found) return { session: null, issued: false }
  const { issued } = found.row
  const row = await completeGrants(ctx.db, found.row, found.shape, application.id, ticket.at)
  // At the moment for which the statement judged: a rule or a validity may begin or end meanwhile.
  const session = await toSeenSession(ctx, row, application, { ...settings, now: ticket.at })
  if (issued && (session.refusal || session.warn)) throw new Error('a ticket was issued past the gate')
  return { session, issued }
}

/** As `findBrowserSession`, for an exchange code that replaces the cookie in a browser's request. */
export async function findBrowserSessionById(
  ctx: Context,
  id: string,
  application: Application | null,
): Promise<SsoSession | null> {
  const settings = await loadGateSettings(ctx)
  const row = await findSessionById(ctx.db, id, { application, rules: settings.rules, now: ctx.now() })
  return row && (await toBrowserSession(ctx, row, application, settings))
}

/** As `findBrowserSession`, for a ticket or token that an application's server sends instead of the cookie. */
export async function findSsoSessionById(
  ctx: Context,
  id: string,
  application: Application | null,
): Promise<SsoSession | null> {
  const settings = await loadGateSettings(ctx)
  const row = await findSessionById(ctx.db, id, { application, rules: settings.rules, now: ctx.now() })
  return row && toSsoSession(row, settings, ctx.now(), { application, place: null })
}

/** As `findSsoSessionById`, for the server that sent the password of this session. */
export async function findServerSessionById(
  ctx: Context,
  id: string,
  application: Application | null,
): Promise<SsoSession | null> {
  const settings = await loadServerGateSettings(ctx)
  const row = await findSessionById(ctx.db, id, { application, rules: settings.rules, now: ctx.now() })
  return row && (await toBrowserSession(ctx, row, application, settings))
}

/**
 * Consumes a service or proxy ticket, valid or not: the session and person behind it, with the gate's answer at this moment for the
 * application it was issued to; null for a ticket that is unknown, expired or used.
 * @param expected the application that presents it, as far as its address says.
 */
export async function redeemTicket(ctx: Context, presented: PresentedTicket, expected: Application | null) {
  const settings = await loadGateSettings(ctx)
  const { placelessNeeds: hopNeeds, requiredFields } = settings.rules
  const row = await consumeTicket(ctx.db, presented, sessionShape({ hopNeeds, requiredFields }, expected), ctx.now())
  if (!row) return null
  const session = toSsoSession(row, settings, ctx.now(), { application: row, place: null })
  const isExpected = row.applicationId === expected?.id
  const person: PersonAttributes = isExpected ? row : await loadPersonAttributes(ctx.db, row.userId)
  const ticket: TicketRow = row
  return { ticket, session, person }
}

type GateOptions = {
  application: Pick<Application, 'appId' | 'builtIn'> | null
  /** Null: this request says nothing about where the person is. */
  place: AccessPlace | null
}

/** The gate's answer for a row of facts, to the person's own browser; `now` if it is not for this moment. */
export async function toBrowserSession(
  ctx: Context,
  row: SessionRow,
  application: GateOptions['application'],
  { now, ...settings }: GateSettings & { now?: Date },
): Promise<SsoSession> {
  const place = settings.rules.hopNeeds.place ? await loadClientDetails(ctx) : null
  return toSsoSession(row, settings, now ?? ctx.now(), { application, place })
}

/** The gate's answer for a row of facts. */
export function toSsoSession(
  row: SessionRow,
  { policy, rules }: GateSettings,
  now: Date,
  gate: GateOptions,
): SsoSession {
  const idle = row.remembered ? row.expiresAt : new Date(row.lastSeenAt.getTime() + policy.sessionIdleMinutes * 60_000)
  const application =
    row.applicationEnabled === null
      ? null
      : {
          enabled: row.applicationEnabled,
          granted: row.granted ?? false,
          named: isUsableUserName(row.userName),
          isPortal: gate.application?.builtIn ?? false,
        }
  const { outcome, decidedBy, asksFactor } = decideAccess(rules.onHops, {
    person: toAccessPerson(row),
    place: gate.place,
    at: now,
    appId: gate.application?.appId ?? PORTAL_APP_ID,
  })
  const lacksFactor = row.secondFactorAt === null && asksFactor
  const refusedBy = outcome === 'refuse' ? decidedBy : null
  const { endedAt, expiresAt, limited, lacksFields } = row
  const refusedByRule = refusedBy !== null
  const session = { endedAt, expiresAt, idleUntil: idle, limited, lacksFactor, lacksFields, refusedByRule }
  return {
    id: row.id,
    userId: row.userId,
    authType: row.authType,
    remembered: row.remembered,
    warn: row.warn,
    limited: row.limited,
    authenticatedAt: row.authenticatedAt,
    openedAt: row.openedAt,
    isSuperUser: row.isSuperUser,
    secondFactor: row.secondFactor,
    secondFactorAt: row.secondFactorAt,
    lacksFactor,
    lacksFields,
    refusal: mayLogIn(now, row, application, session),
    refusedBy,
  }
}

/**
 * Records that the person in this session has just proved a second factor; what required one is open from the commit on.
 * @returns false if the session has ended meanwhile.
 */
export const saveSecondFactor = (ctx: Context, id: string, factor: SecondFactor): Promise<boolean> =>
  updateSecondFactor(ctx.db, id, factor, ctx.now())

/** "Last seen" is exact to a minute, which saves a write on most requests. */
const TOUCH_AFTER_MS = 60_000

/** Records activity for a person's own request in this session; background requests don't count. */
export async function touchSession(ctx: Context, row: Pick<SessionRow, 'id' | 'lastSeenAt'>): Promise<void> {
  if (ctx.now().getTime() - row.lastSeenAt.getTime() > TOUCH_AFTER_MS) await touchSsoSession(ctx.db, row.id, ctx.now())
}

/**
 * Ends sign-on sessions everywhere at once: their portal sessions, tickets and tokens are rejected from the commit on, the logout time is
 * recorded, and single logout is queued.
 * @param options.tellApplications false: no single logout (idle expiry of the portal).
 * @returns the ids that this call ended.
 */
export async function endSsoSessions(
  ctx: Context,
  which: SessionSelector,
  reason: SessionEndReason,
  options: { tellApplications?: boolean } = {},
): Promise<string[]> {
  const work = async (inner: Context) => {
    const ended = await markSessionsEnded(inner.db, which, reason, inner.now())
    const ids = ended.map(({ id }) => id)
    if (ids.length === 0) return ids
    await recordLogout(inner, ids)
    if (options.tellApplications !== false) await queueLogouts(inner.db, ids, inner.now())
    return ids
  }
  return ctx.db === ctx.sql ? await transaction(ctx, work) : await work(ctx)
}
