import { type Context, callerOf } from '../../platform/platform.ts'
import { inScope, mayManage } from '../administrators/index.ts'
import { isReasonTold } from '../records/index.ts'
import type { ChangeRow } from './change-history.store.ts'
import { applicationsSeen, organizationsSeen } from './outside.store.ts'
import type { Snapshot } from './restorer.ts'

/** A line as an administrator of some organisations sees it. */
export type SeenRow = ChangeRow & {
  /** In place of what the target is called. */
  targetName?: string
}

/** What lines about a person are made to; of anything else it is not known what its values tell. */
const KNOWN: ReadonlySet<string> = new Set([
  'user',
  'session',
  'role-member',
  'delegation',
  'application-grant',
  'application',
])
const ABOUT_APPLICATIONS: ReadonlySet<string> = new Set(['application-grant', 'application'])

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(text) : [])
const sidesOf = ({ before, after }: ChangeRow): Snapshot[] => [before, after].filter((side) => side !== null)

/** The ids that stand beside the names of organisations: names prove nothing, anybody may call a department anything. */
const placesOf = (side: Snapshot): string[] =>
  [text(side['organizationId']), ...texts(side['secondaryOrganizationIds'])].filter((id) => id !== '')

type Words = { organization: string; application: string }

/** A side with one wording for every organisation that is not seen, however many they are. */
function maskedPlaces(side: Snapshot, seen: ReadonlySet<string>, { organization: mask }: Words): Snapshot {
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

type Seen = { organizations: ReadonlySet<string>; applications: ReadonlySet<string> }

function masked(row: ChangeRow, { organizations, applications }: Seen, words: Words): SeenRow {
  const { targetKind, targetId } = row
  if (!KNOWN.has(targetKind)) return { ...row, targetId: '', before: null, after: null }
  if (ABOUT_APPLICATIONS.has(targetKind) && !applications.has(targetId)) {
    const hidden = (side: Snapshot | null) => side && { application: words.application }
    return { ...row, targetId: '', targetName: words.application, before: hidden(row.before), after: hidden(row.after) }
  }
  const places = (side: Snapshot | null) => side && maskedPlaces(side, organizations, words)
  return { ...row, before: places(row.before), after: places(row.after) }
}

/**
 * What an administrator of some organisations may read of the lines about a person. Organisations that they do not administer are one
 * wording, and so are applications that this person does not have and they could not grant; nor do they learn who and where others are.
 */
export async function asSeen(ctx: Context, userId: string, rows: readonly ChangeRow[]): Promise<SeenRow[]> {
  const { db } = ctx
  const places = [...new Set(rows.flatMap(sidesOf).flatMap(placesOf))]
  const targets = rows.filter(({ targetKind }) => ABOUT_APPLICATIONS.has(targetKind)).map(({ targetId }) => targetId)
  const seen: Seen = {
    organizations: await organizationsSeen(db, places, inScope(ctx, db`o.id`)),
    applications: await applicationsSeen(db, {
      userId,
      targets: [...new Set(targets)],
      mayGrant: mayManage(ctx, 'authorise'),
      now: ctx.now(),
    }),
  }
  const say = (what: keyof Words) => ctx.translate(ctx.client.language, `change-history.outside.${what}`)
  const words = { organization: say('organization'), application: say('application') }
  return rows.map((row) => withoutOthers(ctx, userId, masked(row, seen, words)))
}

function withoutOthers(ctx: Context, userId: string, row: SeenRow): SeenRow {
  const { actorId, action } = row
  if (actorId === userId || actorId === callerOf(ctx).userId) return row
  const reason = isReasonTold(action) ? row.reason : null
  if (actorId === null) return { ...row, reason }
  return { ...row, reason, actorId: null, actor: 'administrator', ip: null, userAgent: '' }
}
