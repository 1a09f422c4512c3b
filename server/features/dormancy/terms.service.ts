import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import type { Context } from '../../platform/platform.ts'
import { loadInstitutionZone } from '../messages/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { findNextMorning, type Terms } from './dormancy.store.ts'

/** The dormancy terms of the policy at a moment. */
export const loadTerms = async (ctx: Context, at: Date): Promise<Terms> => termsOf(await signInPolicy(ctx), at)

/** The same for any policy. */
export function termsOf(policy: SignInPolicy, at: Date): Terms {
  const { dormantAfterDays, dormantLockAfterDays, dormantWarnDays, dormantExemptCategories } = policy
  return {
    at,
    afterDays: dormantAfterDays,
    // Where nobody becomes dormant, nobody is locked for it either.
    lockAfterDays: dormantAfterDays === 0 ? 0 : dormantLockAfterDays,
    warnDays: dormantWarnDays,
    exemptCategories: dormantExemptCategories,
  }
}

export type NoticeWording = Awaited<ReturnType<typeof loadWording>>

/** In the institution's first language, with dates in its time zone; not sent at night. */
export async function loadWording(ctx: Context, at: Date) {
  const timeZone = await loadInstitutionZone(ctx)
  const language = ctx.wording.offered()[0] ?? 'zh_CN'
  const format = new Intl.DateTimeFormat(languageTag(language), { timeZone, dateStyle: 'long' })
  const notBefore = await findNextMorning(ctx.db, at, timeZone)
  return { language, notBefore, toDay: (moment: Date) => format.format(moment) }
}
