import { CasOptions } from '#shared/contract/application-fields.ts'
import type { ApplicationDetails } from '#shared/contract/application-manage.ts'
import { toIso } from '../../platform/iso-time.ts'
import type { ApplicationRow } from '../applications/index.ts'

/** The parts of a row kept in its history; of a secret only that there is one. */
export function toApplicationSnapshot(row: ApplicationRow): Record<string, unknown> {
  const { id: _id, namePinyin: _p, nameInitials: _i, clientSecretHash, createdAt: _c, updatedAt: _u, ...rest } = row
  const { version: _v, deletedAt, builtIn: _b, ...kept } = rest
  return { ...kept, hasSecret: clientSecretHash !== null, deleted: deletedAt !== null }
}

/** The form that pages get. */
export function toApplicationDetails(row: ApplicationRow, categoryName: string | null): ApplicationDetails {
  const { namePinyin: _p, nameInitials: _i, clientSecretHash, createdAt, updatedAt, deletedAt, ...rest } = row
  const options = CasOptions.safeParse(row.casOptions)
  return {
    ...rest,
    casOptions: options.success ? options.data : CasOptions.parse({}),
    categoryName,
    hasSecret: clientSecretHash !== null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    deletedAt: toIso(deletedAt),
  }
}
