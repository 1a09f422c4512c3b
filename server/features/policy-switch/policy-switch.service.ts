import { FIELD_RULE_KEYS, partsOf } from '#shared/contract/account-fields.ts'
import { AccessSettings } from '#shared/contract/policy-switch.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { refuseLockout } from '../access-rules/index.ts'
import { canSomeSuperUserLogIn, changeSettings, resetSettings } from '../settings/index.ts'

const DOCUMENT = 'access'
const COMMAND_LINE = { actor: 'command line' }

/** What of the settings may keep everybody out, whatever the access rules say. */
const LOGIN_WAYS: Readonly<Record<string, readonly string[]>> = {
  accountFields: FIELD_RULE_KEYS.filter((key) => partsOf(key)[1] === 'isLoginName'),
  login: ['loginTypes'],
}

/** Keys as the bootstrap file names them: `login.loginTypes`. */
type SwitchedOff = {
  /** Those that went back to their default, because no super user could log in with them. */
  reset: string[]
  /** Those that would have to, but the bootstrap file sets them. */
  setByFile: string[]
}

/**
 * The last way in, for an operator with shell access: no access rule holds any more on any node, and a super user can log in by name.
 * @throws Refusal `settings.set-by-file`.
 */
export async function switchPoliciesOff(ctx: Context): Promise<SwitchedOff> {
  return await transaction(ctx, async (inner) => {
    await changeSettings(inner, DOCUMENT, { suspended: true } satisfies AccessSettings, COMMAND_LINE)
    if (await canSomeSuperUserLogIn(inner)) return { reset: [], setByFile: [] }
    const all: SwitchedOff = { reset: [], setByFile: [] }
    for (const [name, keys] of Object.entries(LOGIN_WAYS)) {
      const { reset, setByFile } = await resetSettings(inner, name, keys, COMMAND_LINE)
      all.reset.push(...reset.map((key) => `${name}.${key}`))
      all.setByFile.push(...setByFile.map((key) => `${name}.${key}`))
    }
    return all
  })
}

/** From the command line or, by a super user, in the back office. @throws Refusal `settings.set-by-file`, `policy.locks-out`. */
export async function switchPoliciesOn(ctx: Context): Promise<void> {
  await transaction(ctx, async (inner) => {
    await changeSettings(inner, DOCUMENT, AccessSettings.parse({ suspended: false }), ctx.caller ? {} : COMMAND_LINE)
    await refuseLockout(inner)
  })
}
