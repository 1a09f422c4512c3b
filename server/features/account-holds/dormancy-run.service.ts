import type { confirmDormancyRun, dormancyRun } from '#shared/contract/account-holds.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import type { Context } from '../../platform/platform.ts'
import { confirmSweep, describeRuns, dormancyErrors } from '../dormancy/index.ts'

/** What the latest nightly run did, or would do if it is held. */
export async function showDormancyRun(ctx: Context): Promise<Output<typeof dormancyRun>> {
  const { latest, isUnderWay, nextAt } = await describeRuns(ctx)
  return { latest: latest && toShown(latest), isUnderWay, nextAt: toIso(nextAt) }
}

type LatestRun = NonNullable<Awaited<ReturnType<typeof describeRuns>>['latest']>
const toShown = ({ at, held, people, dormant, locked, told }: LatestRun) => ({
  at: at.toISOString(),
  isHeld: held,
  ...{ people, dormant, locked, told },
})

/** Lets a held run continue. @throws Refusal `dormancy.not-held`. */
export async function confirmHeldRun(ctx: Context, shown: Input<typeof confirmDormancyRun>['body']): Promise<null> {
  if (!(await confirmSweep(ctx, shown))) throw dormancyErrors['dormancy.not-held']()
  return null
}
