import { Gateway } from '#shared/contract/appearance.ts'
import {
  type GetStarted,
  GetStartedMarks,
  type GetStartedStep,
  type updateGetStarted,
} from '#shared/contract/get-started.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { findMailGateway, findSmsGateway } from '../messages/index.ts'
import { changeSettings } from '../settings/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { findFacts } from './get-started.store.ts'

const DOCUMENT = 'getStarted'

type Hint = GetStarted['steps'][number]['hint']

/**
 * Which steps are done, looked up each time: nobody ticks them, except the backup.
 * @param protocol of this request, after trusted proxies only
 */
export async function describeGetStarted(ctx: Context, protocol: string): Promise<GetStarted> {
  const [marks, gateway, mail, sms, policy, facts] = await Promise.all([
    readSettings(ctx, DOCUMENT, GetStartedMarks),
    readSettings(ctx, 'gateway', Gateway),
    findMailGateway(ctx),
    findSmsGateway(ctx),
    signInPolicy(ctx),
    findFacts(ctx.db, callerOf(ctx).userId),
  ])
  const step = (name: GetStartedStep, isDone: boolean, hint: Hint = null) => ({
    name,
    isDone,
    hint: isDone ? null : hint,
  })
  const isHttps = ctx.config.publicUrl.startsWith('https:')
  const isDemanded = policy.secondFactorSuperUsers
  return {
    ...marks,
    steps: [
      step('https', isHttps && protocol === 'https', isHttps ? 'proxy' : null),
      step('institution', Object.keys(gateway.names).length > 0),
      step('mail', mail !== null),
      step('sms', sms !== null),
      step('second-factor', isDemanded && facts.hasFactor, isDemanded ? 'own' : null),
      step('people', facts.hasPeople),
      step('application', facts.hasApplication),
      step('backup', marks.backupTestedAt !== null),
    ],
  }
}

/** Stores what somebody declares as done, with its audit record. */
export async function markGetStarted(
  ctx: Context,
  { isDismissed, isBackupTested }: Input<typeof updateGetStarted>['body'],
): Promise<void> {
  const { account } = await findFacts(ctx.db, callerOf(ctx).userId)
  const tested = { backupTestedAt: ctx.now().toISOString(), backupTestedBy: account }
  const untested = { backupTestedAt: null, backupTestedBy: null }
  const changes = {
    ...(isDismissed !== undefined && { isDismissed }),
    ...(isBackupTested !== undefined && (isBackupTested ? tested : untested)),
  }
  if (Object.keys(changes).length === 0) return
  await transaction(ctx, (inner) => changeSettings(inner, DOCUMENT, changes))
}
