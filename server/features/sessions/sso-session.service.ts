import type { FastifyReply, FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { demandsSecondFactor, mayLogIn, type NotAllowed } from '../account-status/index.ts'
import type { Application, Person } from '../applications/index.ts'
import { type ClientDetails, clientDetails, recordLogout } from '../records/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { setSsoCookie, ssoCookieOf } from './cookies.ts'
import {
  findById,
  findBySecret,
  insertSsoSession,
  markEnded,
  type PresentedTicket,
  queueLogouts,
  renewSsoSession,
  type SecondFactor,
  type Selector,
  type SessionRow,
  type SpentTicket,
  setSecondFactor,
  spendTicket,
  touchSsoSession,
} from './sso-session.store.ts'

/** A sign-on session together with the gate's answer for the application that was asked about. */
export type SsoSession = {
  id: string
  userId: string
  authType: string
  remembered: boolean
  /** Ask before each further service. */
  warn: boolean
  limited: boolean
  authenticatedAt: Date
  openedAt: Date
  isSuperUser: boolean
  /** What was proved besides the first factor, and when. */
  secondFactor: SecondFactor | null
  secondFactorAt: Date | null
  /** A rule asks for a second factor that has not been proved here; the portal then serves for setting one up, nothing else. */
  lacksFactor: boolean
  /** Null: allowed. */
  refusal: NotAllowed | null
}

type Opening = {
  /** Read before the transaction: whoever holds a connection and waits for another one can block the whole pool. */
  policy: SignInPolicy
  userId: string
  /** Login type: user, captcha, qywx … */
  authType: string
  remembered: boolean
  warn: boolean
  limited: boolean
  secondFactor: SecondFactor | null
  details: ClientDetails
  /** The session this browser had: of the same person it is renewed, of another it must have been ended. */
  replaces?: SsoSession | null
}

/**
 * Opens a sign-on session and sets its cookie, if there is a browser to set it in. The caller has asked `mayLogIn` and holds the transaction in `ctx.db`.
 * The secret is new each time, so a planted cookie is worth nothing.
 */
export async function openSsoSession(
  ctx: Context,
  reply: FastifyReply | null,
  opening: Opening,
): Promise<{ id: string; openedAt: Date }> {
  const { policy, replaces, details, ...facts } = opening
  const remembered = opening.remembered && policy.rememberMeLongSecond > 0
  const seconds = remembered ? policy.rememberMeLongSecond : policy.sessionMaxHours * 3600
  const secret = `TGT-${randomToken(43)}`
  const at = ctx.now()
  const former = replaces?.userId === opening.userId && replaces.refusal !== 'session.ended' ? replaces : null
  const row = {
    ...facts,
    details,
    remembered,
    id: v7(),
    secretHash: sha256(secret),
    at,
    expiresAt: new Date(at.getTime() + seconds * 1000),
  }
  if (reply) setSsoCookie(ctx.config, reply, secret, remembered ? seconds : null)
  if (former && (await renewSsoSession(ctx.db, { ...row, id: former.id }))) {
    return { id: former.id, openedAt: former.openedAt }
  }
  await insertSsoSession(ctx.db, row)
  return { id: row.id, openedAt: at }
}

/**
 * The sign-on session of a browser, with the gate's answer for `application`; null without a (known) cookie.
 * An ended or expired one is returned with `refusal: 'session.ended'`.
 */
export async function ssoSessionOf(
  ctx: Context,
  request: FastifyRequest,
  application: Application | null,
): Promise<SsoSession | null> {
  const secret = ssoCookieOf(request)
  if (!secret || secret.length > 100) return null
  const row = await findBySecret(ctx.db, sha256(secret), application, ctx.now())
  if (!row) return null
  const session = await browserSessionFrom(ctx, row, application)
  if (!session.refusal) await touch(ctx, row)
  return session
}

/** As `ssoSessionOf`, for what stands in for the cookie in a browser's request: a login that has just succeeded, a hand-over. */
export async function browserSessionById(
  ctx: Context,
  id: string,
  application: Application | null,
): Promise<SsoSession | null> {
  const row = await findById(ctx.db, id, application, ctx.now())
  return row && (await browserSessionFrom(ctx, row, application))
}

/** As `ssoSessionOf`, for what an application's server brings in place of the cookie: a ticket, a token. */
export async function ssoSessionById(
  ctx: Context,
  id: string,
  application: Application | null,
): Promise<SsoSession | null> {
  const row = await findById(ctx.db, id, application, ctx.now())
  return row && sessionFrom(row, await signInPolicy(ctx), ctx.now(), { application, onCampus: null })
}

/**
 * Spends a service or proxy ticket, for good or ill: the session and person behind it, with the gate's answer at this moment
 * for the application it was issued to; null for a ticket that is unknown, expired or spent.
 */
export async function sessionOfTicket(ctx: Context, presented: PresentedTicket) {
  const row = await spendTicket(ctx.db, presented, ctx.now())
  if (!row) return null
  const session = sessionFrom(row, await signInPolicy(ctx), ctx.now(), { application: row, onCampus: null })
  const person: Person = row
  const ticket: SpentTicket = row
  return { ticket, session, person }
}

type Asked = {
  application: Pick<Application, 'appId' | 'builtIn'> | null
  /** Null: this request says nothing of where the person is. */
  onCampus: boolean | null
}

/** The gate's answer for a row of facts, to the person's own browser. */
export async function browserSessionFrom(ctx: Context, row: SessionRow, application: Asked['application']) {
  const policy = await signInPolicy(ctx)
  const onCampus = policy.secondFactorOffCampus ? (await clientDetails(ctx)).onCampus : null
  return sessionFrom(row, policy, ctx.now(), { application, onCampus })
}

/** The gate's answer for a row of facts. */
export function sessionFrom(row: SessionRow, policy: SignInPolicy, now: Date, asked: Asked): SsoSession {
  const idle = row.remembered ? row.expiresAt : new Date(row.lastSeenAt.getTime() + policy.sessionIdleMinutes * 60_000)
  const application =
    row.applicationEnabled === null
      ? null
      : {
          enabled: row.applicationEnabled,
          granted: row.granted ?? false,
          isPortal: asked.application?.builtIn ?? false,
        }
  const facts = {
    administers: row.administers,
    category: row.ruleCategory,
    onCampus: asked.onCampus,
    appId: asked.application?.appId ?? null,
  }
  const lacksFactor = row.secondFactorAt === null && demandsSecondFactor(policy, facts)
  const session = { endedAt: row.endedAt, expiresAt: row.expiresAt, idleUntil: idle, limited: row.limited, lacksFactor }
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
    refusal: mayLogIn(now, row, application, session),
  }
}

/**
 * Notes that the person at this session has just proved a second factor; what was closed for the lack of one opens with the commit.
 * @returns false when the session has ended meanwhile.
 */
export const noteSecondFactor = (ctx: Context, id: string, factor: SecondFactor): Promise<boolean> =>
  setSecondFactor(ctx.db, id, factor, ctx.now())

/** "Last seen" is exact to a minute, which spares a write on most requests. */
const TOUCH_AFTER_MS = 60_000

/** A person's own request came with this session; what runs in the background doesn't count as activity. */
export async function touch(ctx: Context, row: Pick<SessionRow, 'id' | 'lastSeenAt'>): Promise<void> {
  if (ctx.now().getTime() - row.lastSeenAt.getTime() > TOUCH_AFTER_MS) await touchSsoSession(ctx.db, row.id, ctx.now())
}

/**
 * Ends sign-on sessions everywhere at once: their portal sessions, tickets and tokens are refused from the commit on, the
 * logout time stands in the records, and single logout is queued.
 * @param options.tellApplications false: no single logout (idle expiry of the portal).
 * @returns the ids that this call ended.
 */
export async function endSsoSessions(
  ctx: Context,
  which: Selector,
  reason: string,
  options: { tellApplications?: boolean } = {},
): Promise<string[]> {
  const work = async (inner: Context) => {
    const ended = await markEnded(inner.db, which, reason, inner.now())
    const ids = ended.map(({ id }) => id)
    if (ids.length === 0) return ids
    await recordLogout(inner, ids)
    if (options.tellApplications !== false) await queueLogouts(inner.db, ids, inner.now())
    return ids
  }
  return ctx.db === ctx.sql ? await transaction(ctx, work) : await work(ctx)
}
