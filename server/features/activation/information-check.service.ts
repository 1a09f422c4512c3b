import type { ActivationField } from '#shared/contract/account-fields.ts'
import type { CustomField, CustomKind, CustomValues } from '#shared/contract/custom-fields.ts'
import { canonicalIdNumber } from '#shared/rules/id-number.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import { canonicalPersonName } from '#shared/rules/person-name.ts'
import { toE164 } from '#shared/rules/phone.ts'
import { isSameSecret } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import type { ActivationUser } from './activation-users.store.ts'

/** What was typed, field by field; absent and empty are the same. */
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
 * Compares what was typed with what is on file; of nobody, with nothing, in the same time. A field for which nothing is on file
 * can't agree with anything: it is passed over, and only the ID number counts as something that strangers don't know, so that who
 * has none on file has to prove the identity otherwise.
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
