import { z } from 'zod'
import { Id } from '#shared/contract/endpoint.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import type { Line, Restorer, Side, Snapshot } from '../change-history/index.ts'
import { errors } from './application-grants.errors.ts'
import { deleteGrants, insertGrants, lockGrant, updateDates } from './binding.store.ts'
import { grantsStanding } from './grant-restorer.store.ts'
import { memberToGive } from './member.service.ts'

/** What a line tells of one grant. Those written before there was an id of the member can't be put back. */
const Told = z.object({
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
type Told = z.infer<typeof Told>

const NOT_GRANTED = { granted: false, validFrom: null, validUntil: null }

/** A line is about one member of the application that it names; a side that is empty means: not granted. */
function partOf({ targetId, before, after }: Line, side: Side): { id: string; state: Snapshot } | null {
  const own = side === 'before' ? before : after
  const told = Told.safeParse(own ?? before ?? after).data
  return told ? { id: `${targetId}.${told.member.id}`, state: own ? told : { ...told, ...NOT_GRANTED } } : null
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null
const dated = (text: string | null): Date | null => (text === null ? null : new Date(text))

async function current(ctx: Context, ids: readonly string[]) {
  const pairs = ids.map((id) => {
    const [applicationId = '', memberId = ''] = id.split('.')
    return { applicationId, memberId }
  })
  const rows = await grantsStanding(ctx.db, pairs)
  return new Map(
    rows.map(({ applicationId, application, member, grant }) => {
      const state: Told = {
        application,
        member,
        granted: grant !== null,
        validFrom: grant && iso(grant.validFrom),
        validUntil: grant && iso(grant.validUntil),
      }
      return [`${applicationId}.${member.id}`, { name: application, version: grant?.version ?? 0, snapshot: state }]
    }),
  )
}

/** How a grant is given again, taken back, or gets its former dates: with the power to authorise, as by hand. */
export const grantRestorer: Restorer = {
  partOf,
  current,
  async restore(ctx, id, snapshot, version) {
    const { granted, validFrom, validUntil } = Told.parse(snapshot)
    const [applicationId = '', memberId = ''] = id.split('.')
    const member = await memberToGive(ctx, memberId)
    const [standing] = await grantsStanding(ctx.db, [{ applicationId, memberId }])
    if (!standing) throw errors['application-grant.application-not-found']()
    const { appId } = standing
    const row = await lockGrant(ctx.db, member, appId)
    const now = await current(ctx, [id])
    if ((row?.version ?? 0) !== version) {
      throw platformErrors['version.conflict']({ data: { current: now.get(id)?.snapshot } })
    }
    const dates = {
      validFrom: dated(validFrom),
      validUntil: dated(validUntil),
      at: ctx.now(),
      by: callerOf(ctx).userId,
    }
    if (!granted) await deleteGrants(ctx.db, member, [appId])
    else if (row) await updateDates(ctx.db, member, { applicationId, ...dates })
    // What is open to all by now takes no grants.
    else if ((await insertGrants(ctx.db, { member, ...dates }, [appId])).length === 0)
      throw errors['application-grant.open-to-all']()
  },
}
