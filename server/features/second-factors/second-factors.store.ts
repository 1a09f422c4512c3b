import type { Db } from '../../platform/db.ts'

/** What a person can prove a second factor with. */
export type FactorsRow = {
  totp: boolean
  codesLeft: number
  passkeys: { id: string; transports: string[] }[]
  /** This browser is trusted and replaces a second factor. */
  trustedDeviceId: string | null
}

/** SQL condition: has the person `u` (a row of `users`) set up a second factor? */
export const hasFactorCondition = (db: Db) => db`
  (exists (select from second_factors f where f.user_id = u.id and f.totp_secret is not null)
    or exists (select from passkeys k where k.user_id = u.id))`

/** In one round trip. */
export async function findFactors(
  db: Db,
  userId: string,
  trustHash: Buffer | null,
  now: Date,
): Promise<FactorsRow | null> {
  const [row] = await db<FactorsRow[]>`
    select f.totp_secret is not null as totp,
      (select count(*)::int from recovery_codes r where r.user_id = u.id and r.used_at is null) as codes_left,
      coalesce((select jsonb_agg(jsonb_build_object('id', k.credential_id, 'transports', k.transports) order by k.created_at)
        from passkeys k where k.user_id = u.id), '[]') as passkeys,
      (select t.id from trusted_devices t left join passwords p on p.user_id = t.user_id
        where t.user_id = u.id and t.secret_hash = ${trustHash}::bytea and t.expires_at > ${now}
          and (p.changed_at is null or p.changed_at < t.created_at)) as trusted_device_id
    from users u left join second_factors f on f.user_id = u.id
    where u.id = ${userId}`
  return row ?? null
}

export type TotpRow = { secret: string | null; lastStep: number }

/** The person's row, locked until the transaction ends, so that parallel attempts are serialised. Created if missing. */
export async function lockSecondFactors(db: Db, userId: string, now: Date): Promise<TotpRow> {
  await db`insert into second_factors (user_id, created_at) values (${userId}, ${now}) on conflict do nothing`
  const [row] = await db<TotpRow[]>`
    select totp_secret as secret, totp_last_step::float8 as last_step from second_factors where user_id = ${userId} for update`
  return row ?? { secret: null, lastStep: 0 }
}

export async function saveTotp(db: Db, userId: string, sealed: string | null, step: number, at: Date): Promise<void> {
  await db`
    update second_factors set totp_secret = ${sealed}, totp_last_step = ${step}, totp_used_at = null,
      totp_confirmed_at = ${sealed === null ? null : at}
    where user_id = ${userId}`
}

export async function updateTotpStep(db: Db, userId: string, step: number, at: Date): Promise<void> {
  await db`update second_factors set totp_last_step = ${step}, totp_used_at = ${at} where user_id = ${userId}`
}

/** @returns whether it was valid: of parallel uses, one is */
export async function consumeRecoveryCode(db: Db, userId: string, codeHash: Buffer, at: Date): Promise<boolean> {
  const result = await db`
    update recovery_codes set used_at = ${at} where user_id = ${userId} and code_hash = ${codeHash} and used_at is null`
  return result.count > 0
}

export async function replaceRecoveryCodes(db: Db, userId: string, hashes: Buffer[], at: Date): Promise<void> {
  await db`delete from recovery_codes where user_id = ${userId}`
  for (const hash of hashes) {
    await db`insert into recovery_codes (user_id, code_hash, created_at) values (${userId}, ${hash}, ${at})`
  }
}

export async function deleteTotpAndCodes(db: Db, userId: string): Promise<void> {
  await db`delete from recovery_codes where user_id = ${userId}`
  await db`delete from second_factors where user_id = ${userId}`
}

/** Deletes recovery codes of a person without an authenticator app. */
export async function deleteCodesWithoutApp(db: Db, userId: string): Promise<void> {
  await db`
    delete from recovery_codes where user_id = ${userId} and not exists (
      select from second_factors f where f.user_id = ${userId} and f.totp_secret is not null)`
}

export type OverviewRow = {
  account: string
  name: string
  totpSince: Date | null
  totpUsedAt: Date | null
  codesLeft: number
  codesTotal: number
}

export async function findOverview(db: Db, userId: string): Promise<OverviewRow | null> {
  const [row] = await db<OverviewRow[]>`
    select u.account, u.name, f.totp_confirmed_at as totp_since,
      f.totp_used_at,
      (select count(*)::int from recovery_codes r where r.user_id = u.id) as codes_total,
      (select count(*)::int from recovery_codes r where r.user_id = u.id and r.used_at is null) as codes_left
    from users u left join second_factors f on f.user_id = u.id
    where u.id = ${userId}`
  return row ?? null
}

export async function findUserIdByAccount(db: Db, account: string): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`select id from users where account = ${account} and deleted_at is null`
  return row?.id ?? null
}
