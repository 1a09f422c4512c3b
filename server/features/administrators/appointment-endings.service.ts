import type { Context } from '../../platform/platform.ts'
import type { EndingHandler, EndingPlace } from '../organizations/index.ts'
import { recordAudits } from '../records/index.ts'
import { deleteAppointmentsFor, moveAppointments } from './administrators.store.ts'
import { revokeIssuedCredentials } from './credential-revocation.service.ts'

/** What becomes of appointments for an organisation that ends. */
export const appointmentEndings: EndingHandler = {
  async merge(ctx, from, into) {
    await transferAppointments(ctx, from, into)
    await withdrawAppointments(ctx, from)
  },
  remove: withdrawAppointments,
}

/** The id decides who may read the name. */
const toAuditPlace = ({ id, code }: EndingPlace) => ({ organization: code, organizationId: id })

async function transferAppointments(ctx: Context, row: EndingPlace, target: EndingPlace): Promise<void> {
  const moved = await moveAppointments(ctx.db, row.id, target.id, ctx.now())
  await revokeIssuedCredentials(
    ctx.db,
    moved.map(({ userId }) => userId),
    ctx.now(),
  )
  const change = { before: toAuditPlace(row), after: toAuditPlace(target) }
  await recordAudits(
    ctx,
    moved.map(({ id, userId }) => ({
      action: 'appointment.update',
      targetKind: 'appointment',
      targetId: id,
      userId,
      ...change,
    })),
  )
}

/** The remaining appointments for an organisation end with it. */
async function withdrawAppointments(ctx: Context, row: EndingPlace): Promise<void> {
  const ended = await deleteAppointmentsFor(ctx.db, row.id)
  const change = { before: toAuditPlace(row), after: null }
  await recordAudits(
    ctx,
    ended.map(({ id, userId }) => ({
      action: 'appointment.withdraw',
      targetKind: 'appointment',
      targetId: id,
      userId,
      ...change,
    })),
  )
}
