import type { TFunction } from 'i18next'
import { type AddressKind, addressProblem } from '#shared/rules/application-address.ts'

/** The error of an address while typing; an empty one is no error. */
export function addressError(t: TFunction, kind: AddressKind, value: string | null): string | undefined {
  const problem = value ? addressProblem(kind, value) : null
  return problem ? t(`address-problem.${problem}`) : undefined
}
