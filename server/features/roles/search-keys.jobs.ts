import type { Platform } from '../../platform/platform.ts'
import { buildSearchKeys } from '../name-search/index.ts'
import { listRolesWithoutSearchKeys, updateRoleSearchKeys } from './roles.store.ts'

const BATCH_SIZE = 500

/** Works out how roles are found in pinyin, where something else than the back office wrote them. */
export async function addRoleSearchKeys({ sql }: Platform): Promise<void> {
  for (const { id, name } of await listRolesWithoutSearchKeys(sql, BATCH_SIZE))
    await updateRoleSearchKeys(sql, id, await buildSearchKeys(name))
}
