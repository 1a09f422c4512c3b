import type { Platform } from '../../platform/platform.ts'
import { buildSearchKeys } from '../name-search/index.ts'
import { listWithoutSearchKeys, updateSearchKeys } from './organizations.store.ts'

const BATCH_SIZE = 500

/** Computes pinyin search keys of organisations that were not written by the product. */
export async function addOrganizationSearchKeys({ sql }: Platform): Promise<void> {
  for (;;) {
    const rows = await listWithoutSearchKeys(sql, BATCH_SIZE)
    if (rows.length === 0) return
    await updateSearchKeys(
      sql,
      await Promise.all(rows.map(async (row) => ({ ...row, ...(await buildSearchKeys(row.name, 'thing')) }))),
    )
  }
}
