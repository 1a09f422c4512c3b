import type { Db, SqlFragment } from '../../platform/db.ts'
import { isTrustedContact } from '../contact-cooldown/index.ts'

export type Contacts = {
  id: string
  mailbox: string | null
  phone: string | null
  mailOpens: boolean
  smsOpens: boolean
}

/** The contacts on file of a person whom the caller may manage. */
export async function findContacts(db: Db, id: string, mayManage: SqlFragment, now: Date): Promise<Contacts | null> {
  const [row] = await db<Contacts[]>`
    select u.id, u.mailbox, u.phone, ${isTrustedContact(db, 'mailbox', now)} as mail_opens,
      ${isTrustedContact(db, 'phone', now)} as sms_opens from users u where u.id = ${id} and u.deleted_at is null and ${mayManage}`
  return row ?? null
}

export type ContactChange = { channel: 'mail' | 'sms'; at: Date; actorId: string | null; isCreation: boolean }

/** When and by whom a person's contacts were set, according to the audit records, which name the changed fields. */
export const listContactChanges = (db: Db, userId: string, since: Date) => db<ContactChange[]>`
  select c.channel, a.at, a.actor_id, a.action = 'account.create' as is_creation
  from audit_records a
    join (values ('mail', 'mailbox', 'account.mailbox-changed'), ('sms', 'phone', 'account.phone-changed'))
      c (channel, field, action)
      on a.action = c.action or a.action in ('account.create', 'account.update') and jsonb_exists(a.after, c.field)
  where a.user_id = ${userId} and a.at > ${since}`
