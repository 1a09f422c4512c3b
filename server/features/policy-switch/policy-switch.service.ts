import { FIELD_RULE_KEYS, partsOf } from '#shared/contract/account-fields.ts'
import { AccessSettings } from '#shared/contract/policy-switch.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { refuseLockout } from '../access-rules/index.ts'
import { canSomeSuperUserLogIn, changeSettings, resetSettings } from '../settings/index.ts'

const DOCUMENT = 'access'
const COMMAND_LINE = { actor: 'command line' }

/** Settings that may lock everybody out, independent of access rules. */
const LOGIN_METHODS: Readonly<Record<string, readonly string[]>> = {
  accountFields: FIELD_RULE_KEYS.filter((key) => partsOf(key)[1] === 'isLoginName'),
  login: ['loginTypes'],
}

/** Keys as named in the bootstrap file: `login.loginTypes`. */
type SwitchedOff = {
  /** Those reset to their default, because no super user could log in with them. */
  reset: string[]
  /** Those that should be reset, but are set by the bootstrap file. */
  setByFile: string[]
}

/**
 * The last resort, for an operator with shell access: no access rule applies on any node any more, and a super user can log in by name.
 * @throws Refusal `settings.set-by-file`.
 */
export async function switchPoliciesOff(ctx: Context): Promise<SwitchedOff> {
  return await transaction(ctx, async (inner) => {
    await changeSettings(inner, DOCUMENT, { suspended: true } satisfies AccessSettings, COMMAND_LINE)
    if (await canSomeSuperUserLogIn(inner)) return { reset: [], setByFile: [] }
    const all: SwitchedOff = { reset: [], setByFile: [] }
    for (const [name, keys] of Object.entries(LOGIN_METHODS)) {
      const { reset, setByFile } = await resetSettings(inner, name, keys, COMMAND_LINE)
      all.reset.push(...reset.map((key) => `${name}.${key}`))
      all.setByFile.push(...setByFile.map((key) => `${name}.${key}`))
    }
    return all
  })
}

/** From the command line, or by a super user in the back office. @throws Refusal `settings.set-by-file`, `policy.locks-out`. */
export async function switchPoliciesOn(ctx: Context): Promise<void> {
  await transaction(ctx, async (inner) => {
    await changeSettings(inner, DOCUMENT, AccessSettings.parse({ suspended: false }), ctx.caller ? {} : COMMAND_LINE)
    await refuseLockout(inner, { ofPolicies: true })
  })
}
