import type { dormancyRun } from '#shared/contract/account-holds.ts'
import type { Output } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import type { Context } from '../../platform/platform.ts'
import { confirmSweep, describeRuns, dormancyErrors } from '../dormancy/index.ts'

/** What the latest nightly run did, or would do if it is held. */
export async function showDormancyRun(ctx: Context): Promise<Output<typeof dormancyRun>> {
  const { latest, nextAt } = await describeRuns(ctx)
  if (!latest) return { latest, nextAt: toIso(nextAt) }
  const { at, held, people, dormant, locked, told } = latest
  return { latest: { at: at.toISOString(), isHeld: held, people, dormant, locked, told }, nextAt: toIso(nextAt) }
}

/** Lets a held run continue. @throws Refusal `dormancy.not-held`. */
export async function confirmHeldRun(ctx: Context): Promise<null> {
  if (!(await confirmSweep(ctx))) throw dormancyErrors['dormancy.not-held']()
  return null
}
