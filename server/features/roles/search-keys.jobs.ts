import type { Platform } from '../../platform/platform.ts'
import { buildSearchKeys } from '../name-search/index.ts'
import { listRolesWithoutSearchKeys, updateRoleSearchKeys } from './roles.store.ts'

const BATCH_SIZE = 500

/** Computes pinyin search keys of roles that were not written by the back office. */
export async function addRoleSearchKeys({ sql }: Platform): Promise<void> {
  for (const { id, name } of await listRolesWithoutSearchKeys(sql, BATCH_SIZE))
    await updateRoleSearchKeys(sql, id, await buildSearchKeys(name))
}
