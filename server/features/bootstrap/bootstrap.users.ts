import { availableParallelism } from 'node:os'
import { v7 } from 'uuid'
import { canonicalAnswer } from '#shared/rules/security-answer.ts'
import type { SecretBox } from '../../platform/crypto.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { searchFormsOf } from '../name-search/index.ts'
import { hashPassword, importHash } from '../passwords/index.ts'
import type { UserEntry } from './bootstrap.document.ts'
import { type LoginNamePlan, planLoginNames } from './bootstrap.login-names.ts'
import { emptyPlan, fileRow, mapBounded, type RowPlan, withGiven } from './bootstrap.plan.ts'
import type { Problems } from './bootstrap.problems.ts'
import type { Directory } from './bootstrap.references.ts'
import {
  type AnswerRow,
  insertAnswers,
  insertPasswords,
  insertUsers,
  type PasswordRow,
  replaceLoginNames,
  replaceRoles,
  type UserRow,
  updateUsers,
  usersWithAccounts,
} from './users.store.ts'

/** What applies only when a person is created. */
type Secrets = { userId: string; entry: UserEntry }

export type UserPlan = RowPlan<UserRow> & {
  loginNames: LoginNamePlan
  newRoles: UserRow[]
  secrets: Secrets[]
  idByAccount: ReadonlyMap<string, string>
  /** As they were before, by account. */
  former: ReadonlyMap<string, UserRow>
}

export async function planUsers(
  { sql: db, secrets: box }: Pick<Platform, 'sql' | 'secrets'>,
  entries: readonly UserEntry[],
  directory: Directory,
  problems: Problems,
): Promise<UserPlan> {
  const before = new Map<string, UserRow>()
  if (entries.length > 0) {
    for (const row of await usersWithAccounts(
      db,
      entries.map(({ account }) => account),
    ))
      before.set(row.account, { ...row, idNumber: opened(box, row.idNumber) })
  }
  const rows: UserRow[] = []
  const plan = emptyPlan<UserRow>()
  const newRoles: UserRow[] = []
  const secrets: Secrets[] = []
  for (const [at, entry] of entries.entries()) {
    refuseContradictions(entry, `users[${at}]`, problems)
    const existing = before.get(entry.account)
    const row = await rowFor(entry, existing, directory, `users[${at}]`, problems)
    rows.push(row)
    fileRow(plan, existing, row)
    if (row.roleIds.join() !== (existing?.roleIds ?? []).join()) newRoles.push(row)
    if (!existing) secrets.push({ userId: row.id, entry })
  }
  const loginNames = await planLoginNames(db, rows, before, problems)
  const idByAccount = new Map(rows.map((row) => [row.account, row.id]))
  return { ...plan, loginNames, newRoles, secrets, idByAccount, former: before }
}

/** Null also for what was sealed with a key that is gone: the file writes it anew. */
function opened(box: SecretBox, sealed: string | null): string | null {
  try {
    return sealed === null ? null : box.open(sealed)
  } catch {
    return null
  }
}

function refuseContradictions(entry: UserEntry, path: string, problems: Problems): void {
  if (entry.password !== undefined && entry.passwordHash !== undefined) {
    problems.add(`${path}.passwordHash`, 'a person has a password or a passwordHash, not both')
  }
  const questions = entry.securityQuestions?.map(({ question }) => question) ?? []
  for (const [at, question] of questions.entries()) {
    if (questions.indexOf(question) < at) {
      problems.add(`${path}.securityQuestions[${at}].question`, `the question "${question}" is asked twice`)
    }
  }
}

const created = {
  namePinyin: '',
  nameInitials: '',
  nickname: null,
  gender: 'unknown',
  birthday: null,
  idNumber: null,
  categoryId: null,
  personnelNatureId: null,
  organizationId: null,
  phone: null,
  mailbox: null,
  alias: null,
  isSuperUser: false,
  enabled: true,
  roleIds: [],
} as const

async function rowFor(
  entry: UserEntry,
  existing: UserRow | undefined,
  directory: Directory,
  path: string,
  problems: Problems,
): Promise<UserRow> {
  const { account, name } = entry
  const { activated = true, mustChangePassword = false } = entry
  const base = existing ?? { ...created, roleIds: [], id: v7(), account, name, activated, mustChangePassword }
  const forms = existing?.name === name ? null : await searchFormsOf(name)
  const references = directory.resolver(problems)
  return withGiven<UserRow>(base, {
    name,
    namePinyin: forms?.pinyin,
    nameInitials: forms?.initials,
    nickname: entry.nickname,
    gender: entry.gender,
    birthday: entry.birthday,
    idNumber: entry.idNumber,
    categoryId: references.one('category', entry.category, `${path}.category`),
    personnelNatureId: references.one('personnelNature', entry.personnelNature, `${path}.personnelNature`),
    organizationId: references.one('organization', entry.organization, `${path}.organization`),
    roleIds: references.many('role', entry.roles, `${path}.roles`),
    phone: entry.phone,
    mailbox: entry.mailbox,
    alias: entry.alias,
    isSuperUser: entry.isSuperUser,
    enabled: entry.enabled,
  })
}

/** From here on it takes so long that an operator wants to know why. */
const WORTH_A_LINE = 200

export type HashedSecrets = { passwords: PasswordRow[]; answers: AnswerRow[] }

/** Hashes what new people bring, as many at once as there are processors; about 14 ms each, so outside the transaction. */
export async function hashSecrets(platform: Platform, secrets: readonly Secrets[]): Promise<HashedSecrets> {
  const lanes = availableParallelism()
  const withPassword = secrets.filter(({ entry }) => entry.password !== undefined || entry.passwordHash !== undefined)
  if (withPassword.length > WORTH_A_LINE) platform.log.info({ passwords: withPassword.length }, 'hashing passwords')
  const passwords = await mapBounded(withPassword, lanes, async ({ userId, entry }) => ({
    userId,
    hash:
      entry.passwordHash === undefined
        ? await hashPassword(platform, entry.password ?? '', 'start')
        : await importHash(platform, entry.passwordHash, 'start'),
  }))
  const asked = secrets.flatMap(({ userId, entry }) =>
    (entry.securityQuestions ?? []).map(({ question, answer }, position) => ({ userId, question, answer, position })),
  )
  const answers = await mapBounded(asked, lanes, async ({ answer, ...row }) => ({
    ...row,
    answerHash: await hashPassword(platform, canonicalAnswer(answer), 'start'),
  }))
  return { passwords, answers }
}

export async function writeUsers(
  { db, secrets: box }: Pick<Context, 'db' | 'secrets'>,
  plan: UserPlan,
  hashed: HashedSecrets,
  now: Date,
): Promise<void> {
  const sealed = (rows: readonly UserRow[]) =>
    rows.map((row) => ({ ...row, idNumber: row.idNumber === null ? null : box.seal(row.idNumber) }))
  await insertUsers(db, sealed(plan.inserted), now)
  await updateUsers(db, sealed(plan.updated), now)
  await replaceLoginNames(db, plan.loginNames.userIds, plan.loginNames.rows)
  await replaceRoles(db, plan.newRoles)
  await insertPasswords(db, hashed.passwords, now)
  await insertAnswers(db, hashed.answers)
}
