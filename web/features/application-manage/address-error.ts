import type { TFunction } from 'i18next'
import { type AddressKind, addressProblem } from '#shared/rules/application-address.ts'

/** What is wrong with an address while it is typed; an empty one is nobody's mistake. */
export function addressError(t: TFunction, kind: AddressKind, value: string | null): string | undefined {
  const problem = value ? addressProblem(kind, value) : null
  return problem ? t(`address-problem.${problem}`) : undefined
}
