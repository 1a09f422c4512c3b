import { availableParallelism } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { v7 } from 'uuid'
import { canonicalMailbox } from '#shared/rules/mailbox.ts'
import { toValidPhone } from '#shared/rules/phone.ts'
import { canonicalAnswer } from '#shared/rules/security-answer.ts'
import type { SecretBox } from '../../platform/crypto.ts'
import type { Db } from '../../platform/db.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { listFieldOwners } from '../field-authority/index.ts'
import { buildSearchKeys } from '../name-search/index.ts'
import { hashPassword, importHash, insertPasswords, type PasswordRow } from '../passwords/index.ts'
import { replaceDirectRoles } from '../roles/index.ts'
import { type AnswerRow, insertAnswers } from '../security-questions/index.ts'
import { idNumberMac, insertUsers, replaceLoginNames, updateUsers } from '../user-accounts/index.ts'
import type { UserEntry } from './bootstrap-document.types.ts'
import { type LoginNamePlan, planLoginNames } from './bootstrap-login-names.service.ts'
import { addToPlan, emptyPlan, inChunks, mapConcurrently, mergeGiven, type RowPlan } from './bootstrap-plan.rules.ts'
import { OutdatedPlanError, type Problems } from './bootstrap-problems.errors.ts'
import type { ReferenceDirectory } from './bootstrap-references.rules.ts'
import { listUsersByAccount, lockUnchangedUsers, type UserRow } from './users.store.ts'

/** Applied only when a person is created. */
type NewUserSecrets = { userId: string; entry: UserEntry }

export type UserPlan = RowPlan<UserRow> & {
  loginNames: LoginNamePlan
  newRoles: UserRow[]
  secrets: NewUserSecrets[]
  idByAccount: ReadonlyMap<string, string>
  /** Their former state, by account. */
  former: ReadonlyMap<string, UserRow>
  /** What sources own of them, by id. */
  owned: OwnedFields
}

export async function planUsers(
  { sql: db, secrets: secretBox }: Pick<Platform, 'sql' | 'secrets'>,
  entries: readonly UserEntry[],
  directory: ReferenceDirectory,
  problems: Problems,
): Promise<UserPlan> {
  const before = new Map<string, UserRow>()
  if (entries.length > 0) {
    for (const row of await listUsersByAccount(
      db,
      entries.map(({ account }) => account),
    ))
      before.set(row.account, { ...row, idNumber: openSealed(secretBox, row.idNumber) })
  }
  const rows: UserRow[] = []
  const plan = emptyPlan<UserRow>()
  const newRoles: UserRow[] = []
  const secrets: NewUserSecrets[] = []
  const owned = await listOwnedFields(
    db,
    [...before.values()].map(({ id }) => id),
  )
  for (const [at, entry] of entries.entries()) {
    reportContradictions(entry, `users[${at}]`, problems)
    const existing = before.get(entry.account)
    reportInvalidContacts(entry, existing, `users[${at}]`, problems)
    const given = toGiven(entry, directory.resolver(problems), `users[${at}]`)
    const row = await toRow(entry, leaveOwned(given, owned.get(existing?.id ?? '')), existing)
    rows.push(row)
    addToPlan(plan, existing, row)
    if (row.roleIds.join() !== (existing?.roleIds ?? []).join()) newRoles.push(row)
    if (!existing) secrets.push({ userId: row.id, entry })
  }
  const loginNames = await planLoginNames(db, entries, rows, before, problems)
  const idByAccount = new Map(rows.map((row) => [row.account, row.id]))
  return { ...plan, loginNames, newRoles, secrets, idByAccount, former: before, owned }
}

const NO_FIELDS: ReadonlySet<string> = new Set()

type OwnedFields = ReadonlyMap<string, ReadonlySet<string>>

/** The fields of each of these people that a directory sync owns: its next run would change them back. */
async function listOwnedFields(db: Db, ids: readonly string[]): Promise<OwnedFields> {
  const owners = ids.length > 0 ? await listFieldOwners(db, ids) : []
  return new Map([...owners].map(([id, fields]) => [id, new Set(fields.map(({ field }) => field))]))
}

/** Null also if the key it was sealed with is gone: the file writes it again. */
function openSealed(box: SecretBox, sealed: string | null): string | null {
  try {
    return sealed === null ? null : box.open(sealed)
  } catch {
    return null
  }
}

function reportContradictions(entry: UserEntry, path: string, problems: Problems): void {
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

/** Rules apply only to changes: a file that was valid when written must not keep the server from starting. */
function reportInvalidContacts(
  entry: UserEntry,
  existing: UserRow | undefined,
  path: string,
  problems: Problems,
): void {
  const { phone, mailbox } = entry
  if (phone && phone !== existing?.phone && toValidPhone(phone) === null) {
    problems.add(`${path}.phone`, 'expected a phone number')
  }
  if (mailbox && mailbox !== existing?.mailbox && canonicalMailbox(mailbox) !== mailbox) {
    problems.add(`${path}.mailbox`, 'expected a mail address')
  }
}

const NEW_USER = {
  namePinyin: '',
  nameInitials: '',
  nickname: null,
  gender: 'unknown',
  birthday: null,
  idNumber: null,
  categoryId: null,
  personnelTypeId: null,
  organizationId: null,
  phone: null,
  mailbox: null,
  alias: null,
  isSuperUser: false,
  enabled: true,
  roleIds: [],
  version: 0,
} as const

type GivenValues = { [K in keyof UserRow]?: UserRow[K] | undefined }

/** The values of an entry; reports references to nothing. */
function toGiven(entry: UserEntry, references: ReturnType<ReferenceDirectory['resolver']>, path: string): GivenValues {
  return {
    name: entry.name,
    nickname: entry.nickname,
    gender: entry.gender,
    birthday: entry.birthday,
    idNumber: entry.idNumber,
    categoryId: references.one('category', entry.category, `${path}.category`),
    personnelTypeId: references.one('personnelType', entry.personnelType, `${path}.personnelType`),
    organizationId: references.one('organization', entry.organization, `${path}.organization`),
    roleIds: references.many('role', entry.roles, `${path}.roles`),
    phone: entry.phone,
    mailbox: entry.mailbox,
    alias: entry.alias,
    isSuperUser: entry.isSuperUser,
    enabled: entry.enabled,
  }
}

/** Drops what a source owns only after the entry was checked: it counts as soon as the source has lost the person. */
const leaveOwned = (given: GivenValues, owned: ReadonlySet<string> = NO_FIELDS): GivenValues =>
  Object.fromEntries(Object.entries(given).filter(([field]) => !owned.has(field)))

async function toRow(entry: UserEntry, given: GivenValues, existing: UserRow | undefined): Promise<UserRow> {
  const { account, name, activated = true, mustChangePassword = false } = entry
  const base = existing ?? { ...NEW_USER, roleIds: [], id: v7(), account, name, activated, mustChangePassword }
  const isNamed = given.name !== undefined && given.name !== existing?.name
  const forms = isNamed ? await buildSearchKeys(name) : null
  return mergeGiven<UserRow>(base, { ...given, namePinyin: forms?.pinyin, nameInitials: forms?.initials })
}

/** From this number on it takes so long that the operator should see why. */
const LOG_HASHING_FROM = 200

export type HashedSecrets = { passwords: PasswordRow[]; answers: (AnswerRow & { userId: string })[] }

/** Hashes new people's passwords, as many at once as there are processors; about 14 ms each, so outside the transaction. */
export async function hashSecrets(platform: Platform, secrets: readonly NewUserSecrets[]): Promise<HashedSecrets> {
  const concurrency = availableParallelism()
  const withPassword = secrets.filter(({ entry }) => entry.password !== undefined || entry.passwordHash !== undefined)
  if (withPassword.length > LOG_HASHING_FROM) platform.log.info({ passwords: withPassword.length }, 'hashing passwords')
  const passwords = await mapConcurrently(withPassword, concurrency, async ({ userId, entry }) => ({
    userId,
    hash:
      entry.passwordHash === undefined
        ? await hashPassword(platform, entry.password ?? '', 'start')
        : await importHash(platform, entry.passwordHash, 'start'),
  }))
  const asked = secrets.flatMap(({ userId, entry }) =>
    (entry.securityQuestions ?? []).map(({ question, answer }, position) => ({ userId, question, answer, position })),
  )
  const answers = await mapConcurrently(asked, concurrency, async ({ answer, ...row }) => ({
    ...row,
    answerHash: await hashPassword(platform, canonicalAnswer(answer), 'start'),
  }))
  return { passwords, answers }
}

/**
 * Locks the people whom the plan changes, whose rows are written whole.
 * @throws OutdatedPlanError if one of them, or what sources own of them, has changed since.
 */
export async function lockPlannedUsers(db: Db, { updated, owned }: UserPlan): Promise<void> {
  if (updated.length === 0) return
  const rows = updated.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  let unchanged = 0
  for (const chunk of inChunks(rows)) unchanged += await lockUnchangedUsers(db, chunk)
  const ids = rows.map(({ id }) => id)
  const ownedNow = await listOwnedFields(db, ids)
  if (unchanged < ids.length || ids.some((id) => !isDeepStrictEqual(ownedNow.get(id), owned.get(id))))
    throw new OutdatedPlanError('people of the file were changed meanwhile: start again')
}

export async function writeUsers(
  { db, secrets: box }: Pick<Context, 'db' | 'secrets'>,
  plan: UserPlan,
  hashed: HashedSecrets,
  now: Date,
): Promise<void> {
  const sealed = (rows: readonly UserRow[]) =>
    rows.map((row) => ({
      ...row,
      idNumber: row.idNumber === null ? null : box.seal(row.idNumber),
      idNumberMac: row.idNumber === null ? null : idNumberMac(box, row.idNumber),
    }))
  const write = { givenAt: null, now }
  for (const rows of inChunks(sealed(plan.inserted))) {
    // Not planned again: somebody else's person would become what the document meant to create.
    if ((await insertUsers(db, rows, write)) < rows.length)
      throw new Error('somebody else has taken an account of the file')
  }
  for (const rows of inChunks(sealed(plan.updated))) await updateUsers(db, rows, { ...write, keepsValidity: true })
  await writeLoginNames(db, plan.loginNames)
  for (const rows of inChunks(plan.newRoles)) await replaceDirectRoles(db, rows)
  for (const rows of inChunks(hashed.passwords)) await insertPasswords(db, rows, now)
  for (const rows of inChunks(hashed.answers)) await insertAnswers(db, rows)
}

/** All former names are deleted first, so that a name may move from one person to another. */
async function writeLoginNames(db: Db, { userIds, rows }: LoginNamePlan): Promise<void> {
  for (const ids of inChunks(userIds)) await replaceLoginNames(db, ids, [])
  for (const chunk of inChunks(rows)) {
    if (!(await replaceLoginNames(db, [], chunk))) throw new Error('somebody else has taken a login name of the file')
  }
}
