import { z } from 'zod'
import { Id } from '#shared/contract/endpoint.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import type { ChangeLine, ChangeSide, Restorer, Snapshot } from '../records/index.ts'
import { errors } from './application-grants.errors.ts'
import { findGrantStates } from './grant-restorer.store.ts'
import { deleteGrants, insertGrants, lockGrant, updateGrantRow } from './grants-update.store.ts'
import { lockMemberForGrant } from './member.service.ts'

/** What an audit record holds about one grant. Old records without the member's id can't be rolled back. */
const GrantSnapshot = z.object({
  application: z.string(),
  member: z.object({
    id: Id,
    kind: z.enum(['role', 'organization', 'category', 'user']),
    code: z.string(),
    name: z.string(),
  }),
  granted: z.boolean().default(true),
  validFrom: z.string().nullable(),
  validUntil: z.string().nullable(),
})
type GrantSnapshot = z.infer<typeof GrantSnapshot>

const NOT_GRANTED = { granted: false, validFrom: null, validUntil: null }

/** A record is about one member of the application that it names; an empty side means: not granted. */
function partOf({ targetId, before, after }: ChangeLine, side: ChangeSide): { id: string; state: Snapshot } | null {
  const own = side === 'before' ? before : after
  const told = GrantSnapshot.safeParse(own ?? before ?? after).data
  return told ? { id: `${targetId}.${told.member.id}`, state: own ? told : { ...told, ...NOT_GRANTED } } : null
}

const parseDate = (text: string | null): Date | null => (text === null ? null : new Date(text))

async function findCurrentGrants(ctx: Context, ids: readonly string[]) {
  const pairs = ids.map((id) => {
    const [applicationId = '', memberId = ''] = id.split('.')
    return { applicationId, memberId }
  })
  const rows = await findGrantStates(ctx.db, pairs)
  return new Map(
    rows.map(({ applicationId, application, member, grant }) => {
      const state: GrantSnapshot = {
        application,
        member,
        granted: grant !== null,
        validFrom: grant && toIso(grant.validFrom),
        validUntil: grant && toIso(grant.validUntil),
      }
      return [`${applicationId}.${member.id}`, { name: application, version: grant?.version ?? 0, snapshot: state }]
    }),
  )
}

/** How a grant is granted again, withdrawn, or given its former dates; requires the permission to grant, as by hand. */
export const grantRestorer: Restorer = {
  partOf,
  current: findCurrentGrants,
  async restore(ctx, id, snapshot, version) {
    const { granted, validFrom, validUntil } = GrantSnapshot.parse(snapshot)
    const [applicationId = '', memberId = ''] = id.split('.')
    const member = await lockMemberForGrant(ctx, memberId)
    const [grantState] = await findGrantStates(ctx.db, [{ applicationId, memberId }])
    if (!grantState) throw errors['application-grant.application-not-found']()
    const { appId } = grantState
    const row = await lockGrant(ctx.db, member, appId)
    const now = await findCurrentGrants(ctx, [id])
    if ((row?.version ?? 0) !== version) {
      throw platformErrors['version.conflict']({ data: { current: now.get(id)?.snapshot } })
    }
    const dates = {
      validFrom: parseDate(validFrom),
      validUntil: parseDate(validUntil),
      at: ctx.now(),
      by: callerOf(ctx).userId,
    }
    if (!granted) await deleteGrants(ctx.db, member, [appId])
    else if (row) await updateGrantRow(ctx.db, member, { applicationId, ...dates })
    // An application that is now open to all takes no grants.
    else if ((await insertGrants(ctx.db, { member, ...dates }, [appId])).length === 0)
      throw errors['application-grant.open-to-all']()
  },
}
