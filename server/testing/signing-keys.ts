import { getSigningKeys } from '../features/signing-keys/index.ts'
import type { Platform } from '../platform/platform.ts'

type Row = Record<string, unknown>
let reused: Row[] | null = null

/** Gives a new database the signing keys of an earlier one: generating RSA keys costs more than most tests. */
export async function reuseSigningKeys(platform: Platform): Promise<void> {
  const { sql } = platform
  if (!reused) {
    await getSigningKeys(platform)
    const rows = await sql<{ key: Row }[]>`select to_jsonb(k) as key from signing_keys k`
    reused = rows.map(({ key }) => key)
    return
  }
  await sql`
    insert into signing_keys select * from jsonb_populate_recordset(null::signing_keys, ${JSON.stringify(reused)}::text::jsonb)
    on conflict do nothing`
}
