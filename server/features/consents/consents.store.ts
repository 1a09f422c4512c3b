import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'

type ConsentInput = { userId: string; applicationId: string; scopes: string[]; at: Date }

/** Adds to the existing consent. */
export async function saveConsent(db: Db, { userId, applicationId, scopes, at }: ConsentInput): Promise<void> {
  await db`
    insert into consents as c (user_id, application_id, scopes, given_at)
    values (${userId}, ${applicationId}, ${scopes}, ${at})
    on conflict (user_id, application_id) do update
      set scopes = array(select distinct unnest(c.scopes || excluded.scopes) order by 1), given_at = excluded.given_at`
}

export type ConsentRow = {
  appId: string
  name: string
  names: Record<Language, string>
  picture: string | null
  scopes: string[]
  givenAt: Date
}

const MAX_CONSENTS = 1000

export const listConsents = (db: Db, userId: string) => db<ConsentRow[]>`
  select a.app_id, a.name, a.names, a.picture, c.scopes, c.given_at
  from consents c join applications a on a.id = c.application_id
  where c.user_id = ${userId} order by c.given_at desc limit ${MAX_CONSENTS}`

/** @returns the application's id, or null if there was no consent */
export async function deleteConsent(db: Db, userId: string, appId: string): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`
    delete from consents c using applications a
    where a.app_id = ${appId} and c.application_id = a.id and c.user_id = ${userId}
    returning a.id`
  return row?.id ?? null
}
