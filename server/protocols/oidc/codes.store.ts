import type { TokenValue } from '../../features/oidc-tokens/index.ts'
import { type ClientDetails, insertVisitsText } from '../../features/records/index.ts'
import { INSERT_CLIENT } from '../../features/sessions/index.ts'
import type { Db } from '../../platform/db.ts'
import { createStatement } from '../../platform/statement.ts'

export type EntryInput = {
  ssoSessionId: string
  applicationId: string
  sid: string
  subject: string
  userId: string
  at: Date
  visitId: string
  details: ClientDetails
}

const VISIT = insertVisitsText(`
  select :visitId::uuid, :at::timestamptz, :userId::uuid, :applicationId::uuid, 'sign-on', :ip::inet, :clientType::text,
    :onCampus::boolean, :ipRange::text, :ssoSessionId::uuid`)
const enter = createStatement(`with visit as (${VISIT}) ${INSERT_CLIENT}`)
const enterWithCode = createStatement(`
  with visit as (${VISIT}), entry as (${INSERT_CLIENT})
  insert into oidc_codes (code_hash, sso_session_id, application_id, value, issued_at, expires_at)
  values (:codeHash, :ssoSessionId::uuid, :applicationId::uuid, :codeValue::text::jsonb, :at::timestamptz, :codeExpiresAt)`)

/** Authorization codes are found by their hash. */
export type NewCode = { hash: Buffer; value: TokenValue; expiresAt: Date }

/**
 * Records that a session entered an application, for back-channel logout, together with the visit and the code that stands for it.
 * @param code null: the application got its tokens without one
 */
export async function insertEntry(db: Db, { details, ...entry }: EntryInput, code: NewCode | null): Promise<void> {
  const { ip, clientType, onCampus, ipRange } = details
  const parameters = { ...entry, ip, clientType, onCampus, ipRange }
  if (!code) return void (await enter(db, parameters))
  const { hash, value, expiresAt } = code
  await enterWithCode(db, { ...parameters, codeHash: hash, codeValue: JSON.stringify(value), codeExpiresAt: expiresAt })
}

/** Deletes codes issued before `since`. @returns how many, at most `limit`. */
export async function deleteOldCodes(db: Db, since: Date, limit: number): Promise<number> {
  const { count } = await db`
    delete from oidc_codes where code_hash in (select code_hash from oidc_codes where issued_at < ${since} limit ${limit})`
  return count
}
