import { openIfReadable } from '../../platform/crypto.ts'
import type { Platform } from '../../platform/platform.ts'
import { comparableValue, listUnhashedIdNumbers, saveIdNumberMacs } from '../user-accounts/index.ts'

const BATCH_SIZE = 2000

/** Timed work: makes ID numbers comparable that were stored before there was a hash of them, or of people who came back. */
export async function hashIdNumbers(platform: Platform): Promise<void> {
  const { sql, secrets } = platform
  const macOf = (sealed: string) => {
    const idNumber = openIfReadable(secrets, sealed)
    // Of one that can't be read an empty one: nothing is like it, and nobody asks again.
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
