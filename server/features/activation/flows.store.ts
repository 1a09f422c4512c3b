import type { ActivationStep } from '#shared/contract/activation.ts'
import type { TypedFields } from '#shared/contract/profile.ts'
import { latestIssueTime } from '../../platform/clock.ts'
import type { SecretBox } from '../../platform/crypto.ts'
import type { Db } from '../../platform/db.ts'
import type { AnswerRow } from '../security-questions/index.ts'

/** The required fields as filled in. */
export type TypedProfile = TypedFields & { alias?: string | undefined }

export type Flow = {
  id: string
  browser: string
  userId: string
  /** Number of steps taken; part of the next call's proof. */
  progress: number
  steps: Partial<Record<ActivationStep, 'done' | 'skipped'>>
  knowsSecret: boolean
  /** Started with a code from an administrator. */
  byCode: boolean
  passwordHash: string | null
  answers: AnswerRow[] | null
  phone: string | null
  mailbox: string | null
  profile: TypedProfile | null
  openedAt: Date
  expiresAt: Date
  completedAt: Date | null
}

type NewFlow = Pick<Flow, 'id' | 'browser' | 'userId' | 'knowsSecret' | 'byCode' | 'openedAt' | 'expiresAt'>

/** Starts an activation in this browser, replacing its earlier one. */
export async function upsertFlow(db: Db, f: NewFlow): Promise<void> {
  await db`
    insert into activation_flows (id, browser, user_id, knows_secret, proven, opened_at, expires_at)
    values (${f.id}, ${f.browser}, ${f.userId}, ${f.knowsSecret}, ${f.byCode ? ['code'] : []}, ${f.openedAt}, ${f.expiresAt})
    on conflict (browser) do update set id = excluded.id, user_id = excluded.user_id, knows_secret = excluded.knows_secret,
      proven = excluded.proven,
      opened_at = excluded.opened_at, expires_at = excluded.expires_at, progress = 0, steps = '{}', password_hash = null,
      answers = null, phone = null, mailbox = null, profile = null, completed_at = null`
}

type SealedStore = { db: Db; secrets: SecretBox }

const unseal = (box: SecretBox, sealed: string | null) => (sealed === null ? null : box.open(sealed))

/** The unexpired activation of this browser. */
export async function findFlow({ db, secrets }: SealedStore, browser: string, now: Date): Promise<Flow | null> {
  const [row] = await db<(Omit<Flow, 'profile'> & { profile: string | null })[]>`
    select id, browser, user_id, progress, steps, knows_secret, 'code' = any(proven) as by_code,
      password_hash, answers, phone, mailbox, profile, opened_at, expires_at,
      completed_at
    from activation_flows where browser = ${browser} and expires_at > ${now} and opened_at <= ${latestIssueTime(now)}`
  if (!row) return null
  const profile = unseal(secrets, row.profile)
  return {
    ...row,
    phone: unseal(secrets, row.phone),
    mailbox: unseal(secrets, row.mailbox),
    profile: profile === null ? null : (JSON.parse(profile) as TypedProfile),
  }
}

/** What a step saves. */
export type StepResult = {
  step: ActivationStep
  state: 'done' | 'skipped'
  passwordHash?: string | null
  answers?: AnswerRow[] | null
  phone?: string | null
  mailbox?: string | null
  profile?: TypedProfile | null
  expiresAt: Date
}

/** Saves a step in one statement. @returns false if the activation has advanced meanwhile: of parallel calls with one proof, one counts. */
export async function saveStep(
  { db, secrets }: SealedStore,
  { id, progress }: Flow,
  result: StepResult,
): Promise<boolean> {
  const { step, state, passwordHash, answers, phone, mailbox, profile, expiresAt } = result
  const sealed = (value: string | null | undefined) => (typeof value === 'string' ? secrets.seal(value) : null)
  const rows = await db`
    update activation_flows set progress = progress + 1, steps = steps || ${JSON.stringify({ [step]: state })}::text::jsonb,
      password_hash = case when ${passwordHash !== undefined} then ${passwordHash ?? null} else password_hash end,
      answers = case when ${answers !== undefined} then ${answers ? JSON.stringify(answers) : null}::text::jsonb else answers end,
      phone = case when ${phone !== undefined} then ${sealed(phone)} else phone end,
      mailbox = case when ${mailbox !== undefined} then ${sealed(mailbox)} else mailbox end,
      profile = case when ${profile !== undefined} then ${sealed(profile && JSON.stringify(profile))} else profile end,
      expires_at = ${expiresAt}
    where id = ${id} and progress = ${progress} and completed_at is null`
  return rows.count > 0
}

/** Reopens a step whose value somebody else has taken. */
export async function reopenStep(db: Db, { id, progress }: Flow, step: 'phone' | 'mailbox' | 'profile'): Promise<void> {
  await db`
    update activation_flows set progress = progress + 1, steps = steps - ${step}::text, ${db(step)} = null
    where id = ${id} and progress = ${progress} and completed_at is null`
}

/** For a reload after the last response was lost; too short for the next person at this computer to see it. */
const COMPLETED_VISIBLE_MS = 5 * 60_000

/**
 * Completes an activation and clears its saved values; other activations of the same person end too.
 * @returns false if a parallel call was faster.
 */
export async function completeFlow(db: Db, { id, progress, userId }: Flow, at: Date): Promise<boolean> {
  const rows = await db`
    update activation_flows set completed_at = ${at}, progress = progress + 1, password_hash = null, answers = null,
      phone = null, mailbox = null, profile = null, expires_at = ${new Date(at.getTime() + COMPLETED_VISIBLE_MS)}
    where id = ${id} and progress = ${progress} and completed_at is null`
  if (rows.count === 0) return false
  await db`delete from activation_flows where user_id = ${userId} and id <> ${id}`
  return true
}

export async function deleteFlow(db: Db, browser: string): Promise<void> {
  await db`delete from activation_flows where browser = ${browser}`
}

export async function deleteExpiredFlows(db: Db, before: Date): Promise<void> {
  await db`delete from activation_flows where expires_at < ${before}`
}
