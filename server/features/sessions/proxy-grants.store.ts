import type { Db } from '../../platform/db.ts'

type NewProxyGrant = { ticketHash: Buffer; ssoSessionId: string; applicationId: string; proxies: string[]; at: Date }

/** @returns false if the session has ended meanwhile: its proxy tickets ended with it, and none may be created afterwards */
export async function insertProxyGrant(db: Db, g: NewProxyGrant): Promise<boolean> {
  const inserted = await db`
    insert into proxy_granting_tickets (ticket_hash, sso_session_id, application_id, proxies, created_at)
    select ${g.ticketHash}, s.id, ${g.applicationId}, ${g.proxies}, ${g.at}
    from sso_sessions s where s.id = ${g.ssoSessionId} and s.ended_at is null for share`
  return inserted.count > 0
}

export type ProxyGrant = { ssoSessionId: string; applicationId: string; proxies: string[] }

export async function findProxyGrant(db: Db, ticketHash: Buffer): Promise<ProxyGrant | null> {
  const [row] = await db<ProxyGrant[]>`
    select sso_session_id, application_id, proxies
    from proxy_granting_tickets where ticket_hash = ${ticketHash}`
  return row ?? null
}
