import type { Context } from '../../platform/platform.ts'
import { failedDimensions, findAccessPerson, needsOf, PORTAL_APP_ID, rulesInForce } from '../access/index.ts'

/** An active access rule that rejects a person now. */
type RuleDenial = {
  name: string
  /** Whatever the network; else only from some networks. */
  everywhere: boolean
  /** Null: all. */
  appIds: ReadonlySet<string> | null
}

/** The access rules that reject a person now, whichever network and application they come from and go to. */
export async function findRuleDenials(ctx: Context, userId: string): Promise<RuleDenial[]> {
  const { rules } = await rulesInForce(ctx)
  const refusing = rules.filter(({ mode, outcome }) => mode === 'on' && outcome === 'refuse')
  if (refusing.length === 0) return []
  const person = await findAccessPerson(ctx.db, userId, needsOf(refusing), ctx.now())
  return refusing.flatMap((rule) => {
    if (rule.applications === 'nobody' || rule.where === 'nobody') return []
    const failed = failedDimensions(rule, { person, place: null, at: ctx.now(), appId: PORTAL_APP_ID })
    if (failed.includes('who') || failed.includes('when')) return []
    return [{ name: rule.name, everywhere: rule.where === null, appIds: rule.applications }]
  })
}

/** The names of the rules that reject entering this application, or the portal. */
export function rulesAgainst(denials: readonly RuleDenial[], appId: string) {
  const those = denials.filter(({ appIds }) => appIds === null || appIds.has(appId))
  const named = (everywhere: boolean) => those.filter((one) => one.everywhere === everywhere).map(({ name }) => name)
  return { everywhere: named(true), somewhere: named(false) }
}

/** The `appId` of each application that can't be entered from anywhere; null: none can. */
export function refusedApplications(denials: readonly RuleDenial[]): string[] | null {
  const lists = denials.filter(({ everywhere }) => everywhere).map(({ appIds }) => appIds)
  return lists.includes(null) ? null : lists.flatMap((appIds) => [...(appIds ?? [])])
}
