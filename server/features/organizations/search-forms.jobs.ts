import type { Platform } from '../../platform/platform.ts'
import { searchFormsOf } from '../name-search/index.ts'
import { saveForms, withoutForms } from './organizations.store.ts'

const AT_ONCE = 500

/** Works out how organisations are found in pinyin, where something else than the product wrote them. */
export async function addSearchForms({ sql }: Platform): Promise<void> {
  for (;;) {
    const rows = await withoutForms(sql, AT_ONCE)
    if (rows.length === 0) return
    await saveForms(
      sql,
      await Promise.all(rows.map(async (row) => ({ ...row, ...(await searchFormsOf(row.name, 'thing')) }))),
    )
  }
}
