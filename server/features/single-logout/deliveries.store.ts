import type { Db } from '../../platform/db.ts'

export type Delivery = {
  id: string
  applicationId: string
  url: string
  /** What names the session to the application: the ticket it was given, or the `sid` of its tokens. */
  ticket: string
  attempts: number
  protocol: 'cas' | 'oidc'
  /** With `oidc`: the person, as the application knows them. */
  subject: string | null
}

type Claim = {
  now: Date
  leaseUntil: Date
  most: number
  /** Of one application, with those that this node has under way. */
  mostOfOne: number
  underWay: ReadonlyMap<string, number>
}

/**
 * Takes deliveries that are due, so that no other node takes them until `leaseUntil`; by then they are settled, or their node
 * has died and somebody else goes on. The index is skipped through by application: thousands of messages of one cost nothing.
 */
export const claimDueDeliveries = (db: Db, { now, leaseUntil, most, mostOfOne, underWay }: Claim) => db<Delivery[]>`
  with recursive waiting (application_id) as (
    (select application_id from logout_deliveries where state = 'pending' order by application_id limit 1)
    union all
    select (select d.application_id from logout_deliveries d
      where d.state = 'pending' and d.application_id > w.application_id order by d.application_id limit 1)
    from waiting w where w.application_id is not null
  ), claimed as materialized (
    select due.id
    from waiting w
      left join unnest(${[...underWay.keys()]}::uuid[], ${[...underWay.values()]}::int[]) as busy (application_id, messages)
        on busy.application_id = w.application_id
      cross join lateral (
        select d.id, d.next_attempt_at from logout_deliveries d
        where d.application_id = w.application_id
          and d.state = 'pending' and d.channel = 'back-channel' and d.next_attempt_at <= ${now}
        order by d.next_attempt_at limit greatest(0, ${mostOfOne}::int - coalesce(busy.messages, 0)) for update skip locked
      ) due
    order by due.next_attempt_at limit ${most}
  )
  update logout_deliveries d set attempts = attempts + 1, next_attempt_at = ${leaseUntil}
  from claimed where d.id = claimed.id
  returning d.id, application_id as "applicationId", url, ticket, attempts, protocol, subject`

type Outcome = { state: 'delivered' | 'failed' | 'pending'; error: string | null; nextAttemptAt: Date | null; at: Date }

export async function settleDelivery(db: Db, id: string, { state, error, nextAttemptAt, at }: Outcome): Promise<void> {
  await db`
    update logout_deliveries set state = ${state}, last_error = ${error}, next_attempt_at = ${nextAttemptAt},
      finished_at = ${state === 'pending' ? null : at}
    where id = ${id} and state = 'pending'`
}

/** The front-channel messages of a session, shown in its own browser now: each is shown once. */
export const takeFrontDeliveries = (db: Db, ssoSessionId: string, now: Date, most: number) => db<Delivery[]>`
  update logout_deliveries set state = 'delivered', attempts = attempts + 1, next_attempt_at = null, finished_at = ${now}
  where id in (
    select id from logout_deliveries
    where sso_session_id = ${ssoSessionId} and state = 'pending' and channel = 'front-channel'
    order by id limit ${most} for update)
  returning id, application_id as "applicationId", url, ticket, attempts, protocol, subject`

export async function failFrontDeliveries(db: Db, before: Date, error: string, now: Date): Promise<void> {
  await db`
    update logout_deliveries set state = 'failed', last_error = ${error}, next_attempt_at = null, finished_at = ${now}
    where state = 'pending' and channel = 'front-channel' and created_at < ${before}`
}

export async function deleteDeliveries(db: Db, before: Date): Promise<void> {
  await db`delete from logout_deliveries where created_at < ${before}`
}
