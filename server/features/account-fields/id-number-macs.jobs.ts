import { openIfReadable } from '../../platform/crypto.ts'
import type { Platform } from '../../platform/platform.ts'
import { comparableValue, listUnhashedIdNumbers, saveIdNumberMacs } from '../user-accounts/index.ts'

const BATCH_SIZE = 2000

/** Timed job: hashes ID numbers that were stored without a hash, such as those of restored people. */
export async function hashIdNumbers(platform: Platform): Promise<void> {
  const { sql, secrets } = platform
  const macOf = (sealed: string) => {
    const idNumber = openIfReadable(secrets, sealed)
    // An unreadable one gets an empty hash: it matches nothing and is not tried again.
    return idNumber === null ? '' : comparableValue(secrets, 'idNumber', idNumber)
  }
  for (;;) {
    const rows = await listUnhashedIdNumbers(sql, BATCH_SIZE)
    if (rows.length === 0) return
    await saveIdNumberMacs(
      sql,
      rows.map((row) => ({ ...row, mac: macOf(row.idNumber) })),
    )
  }
}
