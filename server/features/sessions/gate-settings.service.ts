import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Db } from '../../platform/db.ts'
import type { Platform } from '../../platform/platform.ts'
import { forServers, type RulesInForce, rulesInForce } from '../access/index.ts'
import { findUnbindableContacts } from '../messages/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'

/** The login rules and access rules by which the gate judges a session. */
export type GateSettings = { policy: SignInPolicy; rules: RulesInForce }

/** Cached; a change is seen on every node within a second. */
export const loadGateSettings = async (platform: Platform & { db?: Db }): Promise<GateSettings> => ({
  policy: await signInPolicy(platform),
  rules: await platform.cache.read('settings', 'gate', async () => {
    const rules = await rulesInForce(platform)
    // Otherwise everybody would be kept out.
    const unbindable = await findUnbindableContacts(platform)
    return { ...rules, requiredFields: rules.requiredFields.filter((field) => !unbindable.has(field)) }
  }),
})

/** As `loadGateSettings`, for a server that sends the password: rules for a second factor apply to its own address, rejecting ones don't apply. */
export async function loadServerGateSettings(platform: Platform & { db?: Db }): Promise<GateSettings> {
  const gateSettings = await loadGateSettings(platform)
  return { ...gateSettings, rules: forServers(gateSettings.rules) }
}
