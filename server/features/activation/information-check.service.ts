import type { ActivationField } from '#shared/contract/account-fields.ts'
import type { CustomField, CustomKind, CustomValues } from '#shared/contract/custom-fields.ts'
import { canonicalIdNumber } from '#shared/rules/id-number.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import { canonicalPersonName } from '#shared/rules/person-name.ts'
import { toE164 } from '#shared/rules/phone.ts'
import { isSameSecret } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import type { ActivationUser } from './activation-users.store.ts'

/** The input by field; absent and empty are equivalent. */
export type InformationFields = Partial<Record<ActivationField, string | undefined>> & {
  custom?: CustomValues | undefined
}

const canonicalDate = (text: string): string => text.normalize('NFKC').replace(/\D/g, '')

const CUSTOM_FORMS: Record<CustomKind, (text: string) => string> = {
  text: (text) => text.normalize('NFKC').trim().toLowerCase(),
  date: canonicalDate,
  choice: (text) => text,
}

const CANONICAL_FORMS: Record<ActivationField, (text: string) => string> = {
  account: canonicalLoginName,
  name: canonicalPersonName,
  idNumber: canonicalIdNumber,
  birthday: canonicalDate,
  phone: (text) => toE164(text) ?? '',
  mailbox: canonicalLoginName,
}

/**
 * Compares the input with the data on file, or with nothing in the same time if there is no such person. A field without data on file is
 * skipped. Only the ID number counts as a secret, so whoever has none on file must verify their identity otherwise.
 */
export function compareInformation(
  ctx: Context,
  { fields, custom }: { fields: readonly ActivationField[]; custom: readonly CustomField[] },
  person: ActivationUser | null,
  typed: InformationFields,
): { agrees: boolean; knowsSecret: boolean } {
  const idNumber = ctx.secrets.open(person?.idNumber ?? ctx.secrets.seal(''))
  const onFile: InformationFields = { ...knownValues(person), idNumber }
  const results = fields.map((field) => {
    const canonical = CANONICAL_FORMS[field]
    const expected = canonical(onFile[field] ?? '')
    const given = canonical(typed[field] ?? '')
    return { field, isOnFile: expected !== '', isSame: isSameSecret(given, expected) }
  })
  const further = custom.map(({ key, kind }) => {
    const expected = CUSTOM_FORMS[kind](person?.customValues?.[key] ?? '')
    const given = CUSTOM_FORMS[kind](typed.custom?.[key] ?? '')
    return { isOnFile: expected !== '', isSame: isSameSecret(given, expected) }
  })
  return {
    agrees: person !== null && [...results, ...further].every(({ isOnFile, isSame }) => isSame || !isOnFile),
    knowsSecret: results.some(({ field, isOnFile, isSame }) => field === 'idNumber' && isOnFile && isSame),
  }
}

const knownValues = (person: ActivationUser | null): InformationFields => ({
  account: person?.account,
  name: person?.name,
  birthday: person?.birthday ?? undefined,
  phone: person?.phone ?? undefined,
  mailbox: person?.mailbox ?? undefined,
})
