import { applicationFactColumns } from '../../features/access/index.ts'
import type { PersonAttributes } from '../../features/applications/index.ts'
import type { TokenValue } from '../../features/oidc-tokens/index.ts'
import {
  byShape,
  completeGrants,
  personColumns,
  personJoins,
  type SessionRow,
  type SessionShape,
  sessionColumns,
} from '../../features/sessions/index.ts'
import type { Db } from '../../platform/db.ts'
import { createStatement } from '../../platform/statement.ts'

/** A session, its person, and what the gate needs about one application: one row, one round trip. */
export type ClientSessionRow = SessionRow & PersonAttributes & { consented: string[] | null }

const clientSessionColumns = (shape: SessionShape) => `
  ${sessionColumns(shape)}, ${personColumns(shape)}, ${applicationFactColumns(shape.roleGrants)}, k.scopes as consented`

/** Expects `sso_sessions s` and `applications a` before it. @param userJoin `left join` if there may be no session */
const clientSessionJoins = (shape: SessionShape, userJoin = 'join') => `
  ${userJoin} users u on u.id = s.user_id left join organizations o on o.id = u.organization_id ${personJoins(shape)}
  left join consents k on k.user_id = s.user_id and k.application_id = a.id`

const findSession = (condition: string) =>
  byShape((shape) =>
    createStatement<ClientSessionRow>(`
      select ${clientSessionColumns(shape)}
      from sso_sessions s join applications a on a.id = :applicationId ${clientSessionJoins(shape)}
      where ${condition}`),
  )

const findBySecret = findSession('s.secret_hash = :secretHash')
const findById = findSession('s.id = :id')

type Query = { applicationId: string; shape: SessionShape; now: Date }

export async function findClientSessionBySecret(
  db: Db,
  secretHash: Buffer,
  { applicationId, shape, now }: Query,
): Promise<ClientSessionRow | null> {
  const [row] = await findBySecret(shape)(db, { ...shape.parameters, secretHash, applicationId, now })
  return row ? await completeGrants(db, row, shape, applicationId, now) : null
}

export async function findClientSessionById(
  db: Db,
  id: string,
  { applicationId, shape, now }: Query,
): Promise<ClientSessionRow | null> {
  const [row] = await findById(shape)(db, { ...shape.parameters, id, applicationId, now })
  return row ? await completeGrants(db, row, shape, applicationId, now) : null
}

export type TokenRow = ClientSessionRow & { value: TokenValue; applicationId: string; consumed: boolean }

const findToken = (table: string, consumed: string) =>
  byShape((shape) =>
    createStatement<TokenRow>(`
      select t.value, t.application_id, ${consumed} as consumed, ${clientSessionColumns(shape)}
      from ${table} t join sso_sessions s on s.id = t.sso_session_id join applications a on a.id = t.application_id
        ${clientSessionJoins(shape)}
      where t.token_hash = :hash and t.expires_at > :now
        and not exists (select from oidc_revoked_grants r where r.grant_id = t.grant_id)`),
  )

const findAccess = findToken('oidc_access_tokens', 'false')
const findRefresh = findToken(
  'oidc_refresh_tokens',
  't.consumed_at is not null and (t.answer is null or t.consumed_at <= :graceSince)',
)

/** The access token with this hash and whether its session is still valid, in one round trip. */
export async function findAccessToken(
  db: Db,
  hash: Buffer,
  { shape, now }: { shape: SessionShape; now: Date },
): Promise<TokenRow | null> {
  const [row] = await findAccess(shape)(db, { ...shape.parameters, hash, now })
  return row ? await completeGrants(db, row, shape, row.applicationId, now) : null
}

/**
 * As `findAccessToken`, for a refresh token; a used one is returned too, and counts as unused while its answer may be repeated.
 * @param graceSince answers to uses before this can't be repeated.
 */
export async function findRefreshToken(
  db: Db,
  hash: Buffer,
  { shape, now, graceSince }: { shape: SessionShape; now: Date; graceSince: Date },
): Promise<TokenRow | null> {
  const [row] = await findRefresh(shape)(db, { ...shape.parameters, hash, now, graceSince })
  return row ? await completeGrants(db, row, shape, row.applicationId, now) : null
}

/** A code with the session that it was issued in; without one if that is gone, and then nothing is known about the person. */
type CodeRow = TokenRow & { uses: number; isExpired: boolean; hasSession: boolean }

const countUse = byShape((shape) =>
  createStatement<CodeRow>(`
    with code as (
      update oidc_codes set uses = uses + 1
      where code_hash = :hash and issued_at > :retainedSince and issued_at <= :latestIssue
      returning value, uses, expires_at, application_id, sso_session_id
    )
    select t.value, t.application_id, t.uses > 1 as consumed, t.uses, t.expires_at <= :now as is_expired,
      s.id is not null as has_session, ${clientSessionColumns(shape)}
    from code t join applications a on a.id = t.application_id left join sso_sessions s on s.id = t.sso_session_id
      ${clientSessionJoins(shape, 'left join')}`),
)

type CodeQuery = { shape: SessionShape; now: Date; retainedSince: Date; latestIssue: Date }

/** Counts a use of the code and reads its session, in one round trip: of parallel callers on all nodes exactly one gets `uses` 1. */
export async function countCodeUse(db: Db, hash: Buffer, { shape, now, ...times }: CodeQuery): Promise<CodeRow | null> {
  const [row] = await countUse(shape)(db, { ...shape.parameters, ...times, now, hash })
  return row?.hasSession ? await completeGrants(db, row, shape, row.applicationId, now) : (row ?? null)
}

const findValue = createStatement<{ value: TokenValue }>(`
  select t.value from oidc_access_tokens t join applications a on a.id = t.application_id
  where t.token_hash = :hash and t.sso_session_id is null and t.expires_at > :now and a.enabled`)

/** A client's own token, without a person. */
export async function findClientToken(db: Db, hash: Buffer, now: Date): Promise<TokenValue | null> {
  const [row] = await findValue(db, { hash, now })
  return row?.value ?? null
}
