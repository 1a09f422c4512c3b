import type { Context } from '../../platform/platform.ts'
import { findSettingsDocument } from '../../platform/settings.ts'
import { listStoredRules, ReadablePolicy, referencesOf, settingsRules } from '../access/index.ts'
import { errors } from './access-rules.errors.ts'

type Field = ReturnType<typeof referencesOf>[number]['field']

/**
 * What is named by rules in force that ask for a second factor or a captcha. Without it such a rule fails closed: it would ask everybody.
 * @returns ids of organisations and roles, codes of categories, or ids of applications as clients know them
 */
export async function listNamedByRules(ctx: Context, field: Field): Promise<ReadonlySet<string>> {
  const policy = ReadablePolicy.parse((await findSettingsDocument(ctx.db, 'login')).value)
  const asking = [...settingsRules(policy), ...(await listStoredRules(ctx.db))].filter(
    ({ mode, outcome }) => mode === 'on' && (outcome === 'second-factor' || outcome === 'captcha'),
  )
  const references = asking.flatMap(referencesOf).filter((one) => one.field === field)
  return new Set(references.map(({ value }) => value))
}

/** Called before a deletion. @throws Refusal `access-rule.names-it`. */
export async function refuseIfNamedByRules(ctx: Context, field: Field, value: string): Promise<void> {
  if ((await listNamedByRules(ctx, field)).has(value)) throw errors['access-rule.names-it']()
}
