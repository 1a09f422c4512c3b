import { v7 } from 'uuid'
import { PERMISSIONS } from '#shared/contract/permissions.ts'
import { insertAppointment, openPortal, type Portal } from './portal.ts'
import type { TestServer } from './server.ts'

/** A part of the institution with something of every kind that administrators can reach. */
export type Part = {
  organization: string
  /** An empty organisation below it. */
  below: string
  person: string
  colleague: string
  task: string
  userImport: string
  /** For a login and a visit of the person. */
  logKey: string
  /** For a message to the person. */
  messageKey: string
  /** An insight about the person. */
  insight: string
}

/** Unknown ids of the same shape. */
export const unknownPart = (): Part => ({
  organization: v7(),
  below: v7(),
  person: v7(),
  colleague: v7(),
  task: v7(),
  userImport: v7(),
  logKey: `2026-01-01T00:00:00.000000Z_${v7()}`,
  messageKey: `2026-01-01T00:00:00.000000Z_${v7()}`,
  insight: v7(),
})

type PartOptions = { word: string; under: string | null; owner: string }

/** Writes a part directly into the database; each of its texts contains `word`. */
export async function addPart(server: TestServer, { word, under, owner }: PartOptions): Promise<Part> {
  const { sql, now } = server.platform
  const part = unknownPart()
  const at = now()
  const tag = `${word}${part.organization.slice(-6)}`
  const organization = async (id: string, parent: string | null, name: string) => {
    await sql`
      insert into organizations (id, code, name, parent_id, ancestor_ids, created_at, updated_at)
      values (${id}, ${name}, ${name}, ${parent},
        (select coalesce((select ancestor_ids from organizations where id = ${parent}::uuid), '{}') || ${id}::uuid), ${at}, ${at})`
  }
  await organization(part.organization, under, tag)
  await organization(part.below, part.organization, `${tag}-below`)
  for (const [id, account] of [
    [part.person, `${tag}-person`],
    [part.colleague, `${tag}-colleague`],
  ] as const) {
    await sql`
      insert into users (id, account, name, name_pinyin, organization_id, phone, mailbox, created_at, updated_at)
      values (${id}, ${account}, ${account}, ${account}, ${part.organization}, null, ${`${account}@example.edu`}, ${at}, ${at})`
  }
  await sql`
    insert into background_tasks (id, kind, owner_id, client, total, input, state, created_at, finished_at)
    values (${part.task}, 'users.batch-update', ${owner}, '{}', 1, ${JSON.stringify({ word: tag })}::text::jsonb, 'done', ${at}, ${at})`
  await sql`
    insert into user_imports (id, owner_id, file_name, format, encoding, separator, state, created_at, updated_at)
    values (${part.userImport}, ${owner}, ${`${tag}.csv`}, 'csv', 'utf-8', ',', 'finished', ${at}, ${at})`
  const line = part.logKey.slice(28)
  part.logKey = `${at.toISOString().replace('Z', '000Z')}_${line}`
  await sql`
    insert into login_records (id, at, user_id, account, auth_type, succeeded, ip, user_agent, browser, device, client_type,
      on_campus, request_id)
    values (${line}, ${at}, ${part.person}, ${tag}, 'user', true, '192.0.2.7', '', ${tag}, '', 'pc', false, '')`
  await sql`
    insert into visit_records (id, at, user_id, application_id, entry, ip, client_type, on_campus)
    values (${line}, ${at}, ${part.person}, ${v7()}, 'portal', '192.0.2.7', 'pc', false)`
  const message = part.messageKey.slice(28)
  part.messageKey = `${at.toISOString().replace('Z', '000Z')}_${message}`
  await sql`
    insert into messages (id, user_id, channel, template, language, masked_to, target_hash, state, next_attempt_at,
      expires_at, last_error, created_at)
    values (${message}, ${part.person}, 'mail', 'code.login', 'en', ${`${tag}***`}, ${Buffer.from(tag)}, 'sent', ${at}, ${at},
      ${tag}, ${at})`
  await sql`
    insert into log_insights (id, kind, subject, first_at, last_at, count, facts, user_id)
    values (${part.insight}, 'failing-account', ${part.person}, ${at}, ${at}, 20, '{"hours": 24}', ${part.person})`
  const cells = server.platform.secrets.seal(JSON.stringify([tag]))
  await sql`insert into user_import_rows (import_id, row, cells) values (${part.userImport}, 2, ${cells})`
  return part
}

export type Institution = {
  server: TestServer
  /** Administers `inside` with every permission. */
  dean: Portal
  root: Portal
  inside: Part
  /** Its neighbour, below the same parent. */
  beside: Part
  above: Part
}

/** A department with its administrator, a neighbouring one, and what belongs to both. Texts elsewhere contain `hush`. */
export async function openInstitution(server: TestServer): Promise<Institution> {
  const root = await openPortal(server, { account: 'root', isSuperUser: true })
  const other = await openPortal(server, { account: 'hush-other-dean' })
  const above = await addPart(server, { word: 'hushabove', under: null, owner: other.user.userId })
  const beside = await addPart(server, { word: 'hushbeside', under: above.organization, owner: other.user.userId })
  await insertAppointment(server, other.user.userId, { permissions: PERMISSIONS, administers: beside.organization })
  const [dean] = await server.platform.sql<{ id: string }[]>`
    insert into users (id, account, name, created_at, updated_at)
    values (${v7()}, 'dean', 'Dean', now(), now()) returning id`
  const inside = await addPart(server, { word: 'ours', under: above.organization, owner: dean?.id ?? '' })
  await insertAppointment(server, dean?.id ?? '', { permissions: PERMISSIONS, administers: inside.organization })
  return { server, root, inside, beside, above, dean: await openPortal(server, { userId: dean?.id ?? '' }) }
}
