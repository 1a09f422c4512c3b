import { ACCOUNT_FIELDS } from '#shared/contract/account-fields.ts'
import type { AskedCustomField, CustomField, ShownCustomField } from '#shared/contract/custom-fields.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import { customName } from '#shared/contract/field-rules.ts'
import type { Context } from '../../platform/platform.ts'
import { countCustomValues } from '../user-accounts/index.ts'
import { mayAdministratorsEdit } from './account-fields.rules.ts'
import { accountFieldRules, customFields, describeFieldRules } from './account-fields.service.ts'
import { expectedFormat } from './expected-format.service.ts'

type Named = { name: string; names: Record<Language, string> }
export const customLabel = ({ name, names }: Named, language: Language): string => names[language] ?? name

/** Fields with labels in the caller's language. */
export const showCustomFields = (ctx: Context, fields: readonly CustomField[]): ShownCustomField[] =>
  fields.map((field) => ({
    name: customName(field.key),
    key: field.key,
    label: customLabel(field, ctx.client.language),
    kind: field.kind,
    choices: field.choices.map((choice) => ({
      code: choice.code,
      label: customLabel(choice, ctx.client.language),
      isOffered: choice.isOffered,
    })),
    editableBy: field.editableBy,
    isRequired: field.required === 'always',
    isSensitive: field.isSensitive,
    expected: expectedFormat(ctx, field.format),
  }))

/** The fields that the information check compares; only what the public form needs. */
export async function askedCustomFields(ctx: Context): Promise<AskedCustomField[]> {
  const asked = (await customFields(ctx)).filter(({ askAtActivation }) => askAtActivation)
  return showCustomFields(ctx, asked).map(({ name, key, label, kind, choices, expected }) => {
    return { name, key, label, kind, choices, expected }
  })
}

/** What the back office's forms need to know about a person's fields. */
export async function describePersonFields(ctx: Context) {
  const rules = await accountFieldRules(ctx)
  const closed = ACCOUNT_FIELDS.filter((field) => field !== 'account' && !mayAdministratorsEdit(rules, field))
  return {
    custom: showCustomFields(ctx, await customFields(ctx)),
    closed: closed.map((field) => ({ field, editableBy: rules[field].editableBy })),
  }
}

const MAX_COUNTED = 10_000

/** How many people have a value, including deleted people; counted up to the limit of lists. */
export async function countUse(ctx: Context, key: string) {
  const people = await countCustomValues(ctx.db, { key, most: MAX_COUNTED })
  return { people, isLowerBound: people === MAX_COUNTED }
}

/** The current labels of all fields and choices, including removed ones: `custom.<key>`, `custom.<key>.<code>`. */
export async function customFieldNames(ctx: Context): Promise<Record<string, string>> {
  const { values } = await describeFieldRules(ctx)
  const { language } = ctx.client
  return Object.fromEntries(
    (values.custom ?? []).flatMap((field) => {
      const name = customName(field.key)
      const choices = field.choices.map((choice) => [`${name}.${choice.code}`, customLabel(choice, language)])
      return [[name, customLabel(field, language)], ...choices]
    }),
  )
}
