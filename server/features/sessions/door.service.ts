import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Db } from '../../platform/db.ts'
import type { Platform } from '../../platform/platform.ts'
import { forServers, type RulesInForce, rulesInForce } from '../access/index.ts'
import { findConfiguredChannels } from '../messages/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'

/** What everybody who comes with a session is judged by. */
export type Door = { policy: SignInPolicy; rules: RulesInForce }

/** Cached; a change is seen on every node within a second. */
export const loadDoor = async (platform: Platform & { db?: Db }): Promise<Door> => ({
  policy: await signInPolicy(platform),
  rules: await platform.cache.read('settings', 'door', async () => {
    const rules = await rulesInForce(platform)
    const { mail, sms } = await findConfiguredChannels(platform)
    // Without a channel for codes nobody could bind one, and everybody would be kept out.
    const isUnreachable = { mailbox: !mail, phone: !sms } as Readonly<Record<string, boolean>>
    return { ...rules, requiredFields: rules.requiredFields.filter((field) => !isUnreachable[field]) }
  }),
})

/** As `loadDoor`, for a server that sends the password: rules for a second factor apply to its own address, rejecting ones don't apply. */
export async function loadServerDoor(platform: Platform & { db?: Db }): Promise<Door> {
  const door = await loadDoor(platform)
  return { ...door, rules: forServers(door.rules) }
}
