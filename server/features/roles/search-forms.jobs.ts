import type { Platform } from '../../platform/platform.ts'
import { searchFormsOf } from '../name-search/index.ts'
import { saveForms, withoutForms } from './roles.store.ts'

const AT_ONCE = 500

/** Works out how roles are found in pinyin, where something else than the back office wrote them. */
export async function addRoleSearchForms({ sql }: Platform): Promise<void> {
  for (const { id, name } of await withoutForms(sql, AT_ONCE)) await saveForms(sql, id, await searchFormsOf(name))
}
