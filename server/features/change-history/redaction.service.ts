import { type Context, callerOf } from '../../platform/platform.ts'
import { inScope, mayManage } from '../access/index.ts'
import { isReasonVisible, type Snapshot } from '../records/index.ts'
import type { ChangeRow } from './change-history.store.ts'
import { findVisibleApplications, findVisibleOrganizations } from './redaction.store.ts'

/** A record as a scoped administrator sees it. */
export type RedactedRow = ChangeRow & {
  /** Instead of the target's name. */
  targetName?: string
}

/** The kinds of targets in records about a person; what values of any others reveal is not known. */
const REDACTABLE_KINDS: ReadonlySet<string> = new Set([
  'user',
  'session',
  'role-member',
  'appointment',
  'application-grant',
  'application',
])
const APPLICATION_KINDS: ReadonlySet<string> = new Set(['application-grant', 'application'])

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(text) : [])
const sidesOf = ({ before, after }: ChangeRow): Snapshot[] => [before, after].filter((side) => side !== null)

/** The ids beside the names of organisations: names prove nothing, as anybody may give a department any name. */
const organizationIdsOf = (side: Snapshot): string[] =>
  [text(side['organizationId']), ...texts(side['secondaryOrganizationIds'])].filter((id) => id !== '')

type MaskWords = { organization: string; application: string }

/** A side with one placeholder for all invisible organisations, however many they are. */
function redactOrganizations(side: Snapshot, seen: ReadonlySet<string>, { organization: mask }: MaskWords): Snapshot {
  const { organization, secondaryOrganizations } = side
  const isHidden = Boolean(organization) && !seen.has(text(side['organizationId']))
  const ids = texts(side['secondaryOrganizationIds'])
  const names = texts(secondaryOrganizations)
  const shown = names.filter((_, at) => seen.has(ids[at] ?? ''))
  return {
    ...side,
    ...(isHidden && { organization: mask, organizationId: null }),
    ...(secondaryOrganizations !== undefined && {
      secondaryOrganizations: shown.length < names.length ? [...shown, mask] : shown,
    }),
  }
}

type VisibleIds = { organizations: ReadonlySet<string>; applications: ReadonlySet<string> }

function redactRow(row: ChangeRow, { organizations, applications }: VisibleIds, words: MaskWords): RedactedRow {
  const { targetKind, targetId } = row
  if (!REDACTABLE_KINDS.has(targetKind)) return { ...row, targetId: '', before: null, after: null }
  if (APPLICATION_KINDS.has(targetKind) && !applications.has(targetId)) {
    const hidden = (side: Snapshot | null) => side && { application: words.application }
    return { ...row, targetId: '', targetName: words.application, before: hidden(row.before), after: hidden(row.after) }
  }
  const places = (side: Snapshot | null) => side && redactOrganizations(side, organizations, words)
  return { ...row, before: places(row.before), after: places(row.after) }
}

/**
 * What a scoped administrator may read of the records about a person. Organisations that they do not administer are replaced by one
 * placeholder, and so are applications that this person does not have and that they could not grant; nor do they learn who and where others
 * are.
 */
export async function redactForScope(ctx: Context, userId: string, rows: readonly ChangeRow[]): Promise<RedactedRow[]> {
  const { db } = ctx
  const places = [...new Set(rows.flatMap(sidesOf).flatMap(organizationIdsOf))]
  const targets = rows.filter(({ targetKind }) => APPLICATION_KINDS.has(targetKind)).map(({ targetId }) => targetId)
  const seen: VisibleIds = {
    organizations: await findVisibleOrganizations(db, places, inScope(ctx, db`o.id`)),
    applications: await findVisibleApplications(db, {
      userId,
      targets: [...new Set(targets)],
      mayGrant: mayManage(ctx, 'authorise'),
      now: ctx.now(),
    }),
  }
  const say = (what: keyof MaskWords) => ctx.translate(ctx.client.language, `change-history.outside.${what}`)
  const words = { organization: say('organization'), application: say('application') }
  return rows.map((row) => redactActor(ctx, userId, redactRow(row, seen, words)))
}

function redactActor(ctx: Context, userId: string, row: RedactedRow): RedactedRow {
  const { actorId, action } = row
  if (actorId === userId || actorId === callerOf(ctx).userId) return row
  const reason = isReasonVisible(action) ? row.reason : null
  if (actorId === null) return { ...row, reason }
  return { ...row, reason, actorId: null, actor: 'administrator', ip: null, userAgent: '' }
}
