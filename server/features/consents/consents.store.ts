import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'

type NewConsent = { userId: string; applicationId: string; scopes: string[]; at: Date }

/** Adds to what was agreed to before. */
export async function saveConsent(db: Db, { userId, applicationId, scopes, at }: NewConsent): Promise<void> {
  await db`
    insert into consents as c (user_id, application_id, scopes, given_at)
    values (${userId}, ${applicationId}, ${scopes}, ${at})
    on conflict (user_id, application_id) do update
      set scopes = array(select distinct unnest(c.scopes || excluded.scopes) order by 1), given_at = excluded.given_at`
}

export type ConsentRow = {
  appId: string
  name: string
  names: Partial<Record<Language, string>>
  scopes: string[]
  givenAt: Date
}

const MOST_CONSENTS = 1000

export const consentsOf = (db: Db, userId: string) => db<ConsentRow[]>`
  select a.app_id as "appId", a.name, a.names, c.scopes, c.given_at as "givenAt"
  from consents c join applications a on a.id = c.application_id
  where c.user_id = ${userId} order by c.given_at desc limit ${MOST_CONSENTS}`

/** Deletes a consent with every token that the application holds for this person. @returns whether there was one. */
export async function deleteConsent(db: Db, userId: string, appId: string): Promise<boolean> {
  const rows = await db`
    with gone as (
      delete from consents c using applications a
      where a.app_id = ${appId} and c.application_id = a.id and c.user_id = ${userId}
      returning c.application_id
    ), refresh as (
      delete from oidc_refresh_tokens t using sso_sessions s, gone
      where t.application_id = gone.application_id and s.id = t.sso_session_id and s.user_id = ${userId}
    ), access as (
      delete from oidc_access_tokens t using sso_sessions s, gone
      where t.application_id = gone.application_id and s.id = t.sso_session_id and s.user_id = ${userId}
    )
    select from gone`
  return rows.length > 0
}
