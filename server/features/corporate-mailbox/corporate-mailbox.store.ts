import type { AddressRule } from '#shared/contract/mailbox-settings.ts'
import type { Db } from '../../platform/db.ts'

export type StoredMailboxes = {
  version: number
  enabled: boolean
  settings: Record<string, unknown>
  /** Encrypted. */
  secrets: string
  rules: AddressRule[]
}

export async function findMailboxes(db: Db): Promise<StoredMailboxes | null> {
  const [row] = await db<StoredMailboxes[]>`select version, enabled, settings, secrets, rules from corporate_mailbox`
  return row ?? null
}

/** Locks the settings until the end of the transaction. */
export const lockMailboxes = (db: Db) => db`select pg_advisory_xact_lock(hashtextextended('corporate mailbox', 0))`

export const saveMailboxes = (db: Db, given: Omit<StoredMailboxes, 'version'> & { at: Date }) => db`
  insert into corporate_mailbox as m (enabled, settings, secrets, rules, updated_at)
  values (${given.enabled}, ${JSON.stringify(given.settings)}::text::jsonb, ${given.secrets},
    ${JSON.stringify(given.rules)}::text::jsonb, ${given.at})
  on conflict (id) do update set enabled = excluded.enabled, settings = excluded.settings, secrets = excluded.secrets,
    rules = excluded.rules, version = m.version + 1, updated_at = excluded.updated_at`

/** Replaces one origin wherever the settings name it. */
export const moveMailboxHosts = (db: Db, { from, to }: { from: string; to: string }, at: Date) => db`
  update corporate_mailbox set updated_at = ${at}, settings = (
    select jsonb_object_agg(key, case when value = to_jsonb(${from}::text) then to_jsonb(${to}::text) else value end)
    from jsonb_each(settings))
  where exists (select from jsonb_each_text(settings) where value = ${from})`
