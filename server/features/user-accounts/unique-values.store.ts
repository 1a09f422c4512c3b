import type { UNIQUE_BY_RULE } from '#shared/contract/account-fields.ts'
import { type CustomFieldName, isCustomName, keyOfCustom } from '#shared/contract/field-rules.ts'
import type { SecretBox } from '../../platform/crypto.ts'
import type { Db } from '../../platform/db.ts'
import { toFragment } from '../../platform/statement.ts'

type ProductField = (typeof UNIQUE_BY_RULE)[number]
/** A field of which a rule can say that nobody shares a value. */
export type UniqueField = ProductField | CustomFieldName
/** A value as it is compared: see `comparableValue`. */
export type UniqueValue = { field: UniqueField; value: string }

/** SQL values of `users u`; each has an index. */
const COMPARED = {
  name: 'lower(u.name)',
  nickname: 'lower(u.nickname)',
  idNumber: `encode(nullif(u.id_number_mac, ''), 'hex')`,
} as const satisfies Record<ProductField, string>

/** SQL value: what is compared of the person `u`. */
export const comparedColumn = (db: Db, field: UniqueField) =>
  isCustomName(field) ? db`(u.custom_values ->> ${keyOfCustom(field)})` : toFragment(db, COMPARED[field], {})

/** Keyed, so that the database alone tells nobody’s number. */
export const idNumberMac = (secrets: SecretBox, idNumber: string): string =>
  secrets.mac(`id number\n${idNumber}`).toString('hex')

/** What is compared of a value as people have it: upper and lower case alike in names, of a number its keyed hash. */
export const comparableValue = (secrets: SecretBox, field: UniqueField, value: string): string =>
  isCustomName(field) ? value : field === 'idNumber' ? idNumberMac(secrets, value) : value.toLowerCase()

/** Until the end of the transaction nobody else writes unique values of these fields. */
export async function lockUniqueFields(db: Db, fields: readonly UniqueField[]): Promise<void> {
  for (const field of [...new Set(fields)].sort())
    await db`select pg_advisory_xact_lock(hashtextextended(${`unique field ${field}`}, 0))`
}

/** Who has these values, each looked up by itself. */
export async function listValueOwners(
  db: Db,
  values: readonly UniqueValue[],
): Promise<(UniqueValue & { userId: string })[]> {
  const owners: (UniqueValue & { userId: string })[] = []
  for (const field of new Set(values.map((one) => one.field))) {
    const distinctValues = [...new Set(values.filter((one) => one.field === field).map(({ value }) => value))]
    const rows = await db<{ value: string; userId: string }[]>`
      select w.value, u.id as user_id from unnest(${distinctValues}::text[]) w(value)
        join users u on ${hasValue(db, field)} and u.deleted_at is null`
    owners.push(...rows.map((row) => ({ field, ...row })))
  }
  return owners
}

/** By the index of the field. */
function hasValue(db: Db, field: UniqueField) {
  if (isCustomName(field)) return db`u.custom_values @> jsonb_build_object(${keyOfCustom(field)}::text, w.value)`
  if (field === 'idNumber') return db`u.id_number_mac = decode(w.value, 'hex') and u.id_number is not null`
  return field === 'name'
    ? db`lower(u.name) = lower(w.value)`
    : db`lower(u.nickname) = lower(w.value) and u.nickname is not null`
}

type Sealed = { id: string; idNumber: string }

/** Numbers that have no hash yet, of some people. */
export const listUnhashedIdNumbers = (db: Db, most: number) => db<Sealed[]>`
  select id, id_number from users
  where id_number is not null and id_number_mac is null and deleted_at is null limit ${most}`

/** Of those whose number is still the one that was read; an empty hash: it can't be read. */
export async function saveIdNumberMacs(db: Db, rows: readonly (Sealed & { mac: string })[]): Promise<void> {
  await db`
    update users u set id_number_mac = decode(r.mac, 'hex')
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, "idNumber" text, mac text)
    where u.id = r.id and u.id_number = r."idNumber"`
}

/** Whether every ID number can be compared by now. */
export async function hasUnhashedIdNumbers(db: Db): Promise<boolean> {
  return (await listUnhashedIdNumbers(db, 1)).length > 0
}
