import type { Language } from '#shared/contract/endpoint.ts'
import type { LogoutDelivery } from '#shared/contract/logout-deliveries.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'

export type Delivery = {
  id: string
  applicationId: string
  url: string
  /** What identifies the session to the application: the ticket it was given, or the `sid` of its tokens. */
  ticket: string
  attempts: number
  protocol: 'cas' | 'oidc'
  /** With `oidc`: the person, as the application knows them. */
  subject: string | null
}

/** Queues a logout message for each matching entry `v` (a used ticket, or an OpenID Connect application that was entered). */
export async function insertLogoutDeliveries(db: Db, condition: SqlFragment, now: Date): Promise<void> {
  await db`
    insert into logout_deliveries (id, sso_session_id, user_id, application_id, channel, url, ticket, next_attempt_at, created_at)
    select gen_random_uuid(), v.sso_session_id, s.user_id, a.id, a.single_logout,
      coalesce(a.logout_url, v.service_url), v.ticket, ${now}, ${now}
    from session_services v join sso_sessions s on s.id = v.sso_session_id join applications a on a.id = v.application_id
    where ${condition} and v.ticket is not null and a.single_logout <> 'none'`
  await db`
    insert into logout_deliveries (id, sso_session_id, user_id, application_id, channel, url, ticket, next_attempt_at, created_at,
      protocol, subject)
    select gen_random_uuid(), v.sso_session_id, s.user_id, a.id, 'back-channel', a.backchannel_logout_uri, v.sid, ${now}, ${now},
      'oidc', v.subject
    from session_clients v join sso_sessions s on s.id = v.sso_session_id join applications a on a.id = v.application_id
    where ${condition} and a.backchannel_logout_uri is not null`
  await db`select pg_notify('gatehouse_logout', '')`
}

type ClaimOptions = {
  now: Date
  leaseUntil: Date
  limit: number
  /** Per application, including those that this node is delivering. */
  limitPerApplication: number
  inFlight: ReadonlyMap<string, number>
}

/**
 * Claims deliveries that are due, so that no other node takes them until `leaseUntil`; by then they are settled, or their node has died and
 * another continues. Skips through the index by application, so thousands of messages of one cost nothing.
 */
export const claimDueDeliveries = (
  db: Db,
  { now, leaseUntil, limit, limitPerApplication, inFlight }: ClaimOptions,
) => db<Delivery[]>`
  with recursive waiting (application_id) as (
    (select application_id from logout_deliveries where state = 'pending' order by application_id limit 1)
    union all
    select (select d.application_id from logout_deliveries d
      where d.state = 'pending' and d.application_id > w.application_id order by d.application_id limit 1)
    from waiting w where w.application_id is not null
  ), claimed as materialized (
    select due.id
    from waiting w
      left join unnest(${[...inFlight.keys()]}::uuid[], ${[...inFlight.values()]}::int[]) as busy (application_id, messages)
        on busy.application_id = w.application_id
      cross join lateral (
        select d.id, d.next_attempt_at from logout_deliveries d
        where d.application_id = w.application_id
          and d.state = 'pending' and d.channel = 'back-channel' and d.next_attempt_at <= ${now}
        order by d.next_attempt_at limit greatest(0, ${limitPerApplication}::int - coalesce(busy.messages, 0)) for update skip locked
      ) due
    order by due.next_attempt_at limit ${limit}
  )
  update logout_deliveries d set attempts = attempts + 1, next_attempt_at = ${leaseUntil}
  from claimed where d.id = claimed.id
  returning d.id, application_id, url, ticket, attempts, protocol, subject`

type DeliveryResult = {
  state: 'delivered' | 'failed' | 'pending'
  error: string | null
  nextAttemptAt: Date | null
  at: Date
}

export async function updateDelivery(
  db: Db,
  id: string,
  { state, error, nextAttemptAt, at }: DeliveryResult,
): Promise<void> {
  await db`
    update logout_deliveries set state = ${state}, last_error = ${error}, next_attempt_at = ${nextAttemptAt},
      finished_at = ${state === 'pending' ? null : at}
    where id = ${id} and state = 'pending'`
}

/** The front-channel messages of a session, to be shown in its own browser now: each is returned once. */
export const claimFrontChannelDeliveries = (db: Db, ssoSessionId: string, now: Date, limit: number) => db<Delivery[]>`
  update logout_deliveries set state = 'delivered', attempts = attempts + 1, next_attempt_at = null, finished_at = ${now}
  where id in (
    select id from logout_deliveries
    where sso_session_id = ${ssoSessionId} and state = 'pending' and channel = 'front-channel'
    order by id limit ${limit} for update)
  returning id, application_id, url, ticket, attempts, protocol, subject`

export async function failFrontChannelDeliveries(db: Db, before: Date, error: string, now: Date): Promise<void> {
  await db`
    update logout_deliveries set state = 'failed', last_error = ${error}, next_attempt_at = null, finished_at = ${now}
    where state = 'pending' and channel = 'front-channel' and created_at < ${before}`
}

export async function deleteDeliveries(db: Db, before: Date): Promise<void> {
  await db`delete from logout_deliveries where created_at < ${before}`
}

/** Deliveries of these sessions by application, and the applications entered that accept no logout message. */
export async function listDeliveriesByApplication(
  db: Db,
  sessionIds: readonly string[],
  language: Language,
): Promise<LogoutDelivery[]> {
  const ids = sessionIds as string[]
  return [
    ...(await db<LogoutDelivery[]>`
      with told as (
        select application_id, state, channel, last_error, created_at from logout_deliveries
        where sso_session_id = any(${ids}::uuid[])
      ), entered as (
        select sso_session_id, application_id from session_services
        where sso_session_id = any(${ids}::uuid[]) and ticket is not null
        union select sso_session_id, application_id from session_clients where sso_session_id = any(${ids}::uuid[])
      ), counted as (
        select application_id, count(*) filter (where state = 'delivered')::int as delivered,
          count(*) filter (where state = 'pending' and channel = 'back-channel')::int as pending,
          count(*) filter (where state = 'pending' and channel = 'front-channel')::int as in_browser,
          count(*) filter (where state = 'failed')::int as failed,
          (array_agg(last_error order by created_at desc) filter (where state = 'failed'))[1] as error, 0 as not_told
        from told group by application_id
        union all
        select application_id, 0, 0, 0, 0, null, count(*)::int
        from entered e where not exists (select from told t where t.application_id = e.application_id) group by application_id
      )
      select a.id as application_id, ${localized(db, 'a', language)} as application,
        c.delivered, c.pending, c.in_browser, c.failed, c.error, c.not_told
      from counted c join applications a on a.id = c.application_id where not a.built_in
      order by c.failed = 0, c.pending = 0, application, a.id`),
  ]
}
