import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Db } from '../../platform/db.ts'
import type { Platform } from '../../platform/platform.ts'
import { forServers, type RulesInForce, rulesInForce } from '../access/index.ts'
import { findConfiguredChannels } from '../messages/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'

/** What everybody is judged by who comes with a session. */
export type Door = { policy: SignInPolicy; rules: RulesInForce }

/** Cached; a change is seen on every node within a second. */
export const loadDoor = async (platform: Platform & { db?: Db }): Promise<Door> => ({
  policy: await signInPolicy(platform),
  rules: await platform.cache.read('settings', 'door', async () => {
    const rules = await rulesInForce(platform)
    const { mail, sms } = await findConfiguredChannels(platform)
    // Where no codes can be sent nobody could bind one, and all would be kept out.
    const isUnreachable = { mailbox: !mail, phone: !sms } as Readonly<Record<string, boolean>>
    return { ...rules, requiredFields: rules.requiredFields.filter((field) => !isUnreachable[field]) }
  }),
})

/** As `loadDoor`, for a server that brings a password: a second factor is judged by its own address, a refusal by none. */
export async function loadServerDoor(platform: Platform & { db?: Db }): Promise<Door> {
  const door = await loadDoor(platform)
  return { ...door, rules: forServers(door.rules) }
}
