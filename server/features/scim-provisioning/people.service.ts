import type { Context } from '../../platform/platform.ts'
import { listProtected } from '../directory-syncs/index.ts'
import { listFieldOwners } from '../field-authority/index.ts'
import { type PersonFields, problemReason, type SaveOutcome, saveUsers } from '../people-save/index.ts'
import type { ScimCaller } from '../scim-clients/index.ts'
import {
  findCategories,
  findDepartments,
  findPerson,
  type LinkedPerson,
  lockPerson,
  type ScimPerson,
  saveUserLink,
} from './people.store.ts'
import { errors } from './scim-provisioning.errors.ts'
import { notePeople, type Writer, writing } from './writing.service.ts'

/** A client's data for a person; absent fields stay unchanged, null clears them. */
export type PersonChange = {
  account?: string
  externalId?: string | null
  name?: string
  nickname?: string | null
  mailbox?: string | null
  phone?: string | null
  active?: boolean
  /** Code or name. */
  category?: string | null
  /** Code or name. */
  department?: string | null
}

/** @throws Refusal `scim.not-found`. */
export async function getPerson(ctx: Context, client: ScimCaller, id: string): Promise<ScimPerson> {
  const person = await findPerson(ctx.db, client.id, id)
  if (!person) throw errors['scim.not-found']({ params: { id } })
  return person
}

/**
 * Creates a person, or restores one whom the client had deleted.
 * @throws Refusal `scim.taken` if somebody has the account, `scim.invalid-value`, and those of `writing`.
 */
export async function createPerson(ctx: Context, client: ScimCaller, change: PersonChange): Promise<ScimPerson> {
  const { account = '' } = change
  return await writing(ctx, client, async (inner, writer) => {
    const known = account === '' ? null : await lockPerson(inner.db, client.id, { account })
    if (known?.isHidden) return await bringBack(inner, writer, known, change)
    if (known) throw errors['scim.taken']({ params: { attribute: 'userName' } })
    const fields = await toFields(inner, change, { organizationId: null, categoryId: null })
    const [outcome] = await saveUsers(inner, [{ ...fields, account }], {
      mode: 'create',
      isSource: true,
      reason: client.name,
    })
    const id = savedId(inner, writer, outcome)
    await link(inner, client, { id, externalId: change.externalId, isTaken: change.active === false })
    return await getPerson(inner, client, id)
  })
}

/** Enables them again, unless somebody else has disabled them. */
async function bringBack(
  ctx: Context,
  writer: Writer,
  person: LinkedPerson,
  change: PersonChange,
): Promise<ScimPerson> {
  const active = change.active ?? (person.isTaken ? true : undefined)
  const back = active === undefined ? change : { ...change, active }
  return await writeChange(ctx, writer, { person, change: back })
}

type Expected = {
  /** The version that the client saw; absent: any. */
  version?: number | undefined
}

/**
 * @throws Refusal `scim.not-found`, `scim.immutable`, `scim.version-mismatch`, `scim.protected`, `scim.disabled-elsewhere`,
 *   `scim.invalid-value`, `scim.taken`, and those of `writing`.
 */
export async function changePerson(
  ctx: Context,
  client: ScimCaller,
  id: string,
  { change, version }: Expected & { change: PersonChange },
): Promise<ScimPerson> {
  return await writing(ctx, client, async (inner, writer) => {
    const person = await hold(inner, client, id, version)
    return await writeChange(inner, writer, { person, change })
  })
}

/** Disables a person, who is then no longer visible to the client. @throws as `changePerson`. */
export async function removePerson(ctx: Context, client: ScimCaller, id: string, { version }: Expected): Promise<void> {
  await writing(ctx, client, async (inner, writer) => {
    const person = await hold(inner, client, id, version)
    await refuseProtected(inner, id)
    const isTaken = person.enabled || person.isTaken
    if (person.enabled) await save(inner, writer, person, { enabled: false })
    await link(inner, client, { id, externalId: undefined, isTaken, hiddenAt: inner.now() })
  })
}

async function hold(ctx: Context, client: ScimCaller, id: string, version: number | undefined): Promise<LinkedPerson> {
  const person = await lockPerson(ctx.db, client.id, { id })
  if (!person || person.isHidden) throw errors['scim.not-found']({ params: { id } })
  if (version !== undefined && version !== person.version) throw errors['scim.version-mismatch']()
  return person
}

async function refuseProtected(ctx: Context, id: string): Promise<void> {
  if ((await listProtected(ctx.db, [id])).has(id)) throw errors['scim.protected']()
}

type Write = { person: LinkedPerson; change: PersonChange }

async function writeChange(ctx: Context, writer: Writer, { person, change }: Write): Promise<ScimPerson> {
  const { id, enabled } = person
  await refuseProtected(ctx, id)
  if (change.account !== undefined && change.account.toLowerCase() !== person.account.toLowerCase())
    throw errors['scim.immutable']({ params: { attribute: 'userName' } })
  if (change.active === true && !enabled && !person.isTaken) throw errors['scim.disabled-elsewhere']()
  const isDisabling = change.active === false && enabled
  await save(ctx, writer, person, await toFields(ctx, change, person))
  const isTaken = change.active !== true && (isDisabling || person.isTaken)
  await link(ctx, writer, { id, externalId: change.externalId, isTaken })
  return await getPerson(ctx, writer, id)
}

/**
 * What a directory sync owns is left out, as a sync leaves out what another one owns: a client that sends whole resources can still
 * disable somebody.
 */
async function save(ctx: Context, writer: Writer, { id }: LinkedPerson, fields: PersonFields): Promise<void> {
  const owned = new Set<string>((await listFieldOwners(ctx.db, [id])).get(id)?.map(({ field }) => field))
  const left = Object.fromEntries(Object.entries(fields).filter(([field]) => !owned.has(field)))
  const [outcome] = await saveUsers(ctx, [{ ...left, id, account: '' }], {
    mode: 'update',
    isSource: true,
    reason: writer.name,
  })
  savedId(ctx, writer, outcome)
}

/** Notes what was saved. @throws Refusal that says why nothing was. */
function savedId(ctx: Context, writer: Writer, outcome: SaveOutcome | undefined): string {
  if (outcome && outcome.status !== 'refused' && outcome.id !== null) {
    notePeople(writer, [outcome])
    return outcome.id
  }
  const { problems = [], code = null } = outcome ?? {}
  const taken = problems.find(({ problem }) => problem === 'taken')
  if (taken) throw errors['scim.taken']({ params: { attribute: String(taken.field) } })
  const reason = code === null ? problemReason(ctx, problems) : ctx.translate(ctx.client.language, `errors.${code}`)
  throw errors['scim.invalid-value']({ params: { reason } })
}

type Link = { id: string; externalId: string | null | undefined; isTaken: boolean; hiddenAt?: Date }

async function link(ctx: Context, client: ScimCaller, { id, hiddenAt, ...rest }: Link): Promise<void> {
  const row = { clientId: client.id, userId: id, hiddenAt: hiddenAt ?? null, ...rest }
  if (!(await saveUserLink(ctx.db, row))) throw errors['scim.taken']({ params: { attribute: 'externalId' } })
}

type Current = Pick<LinkedPerson, 'organizationId' | 'categoryId'>

/** The change as it is saved. @throws Refusal `scim.invalid-value` if a word is unknown or ambiguous. */
async function toFields(ctx: Context, change: PersonChange, current: Current): Promise<PersonFields> {
  const { account: _, externalId: __, active, category, department, ...fields } = change
  const organizationId = await meantBy(ctx, findDepartments, {
    ...{ attribute: 'department', word: department, currentId: current.organizationId },
  })
  const categoryId = await meantBy(ctx, findCategories, {
    ...{ attribute: 'userType', word: category, currentId: current.categoryId },
  })
  return {
    ...fields,
    ...(active !== undefined && { enabled: active }),
    ...(organizationId !== undefined && { organizationId }),
    ...(categoryId !== undefined && { categoryId }),
  }
}

type ReferenceInput = { attribute: string; word: string | null | undefined; currentId: string | null }

async function meantBy(
  ctx: Context,
  find: typeof findDepartments,
  { attribute, word, currentId }: ReferenceInput,
): Promise<string | null | undefined> {
  if (word === undefined) return undefined
  if (word === null || word.trim() === '') return null
  const [first, second] = await find(ctx.db, { word: word.trim(), currentId })
  if (first && (!second || first.isCode || first.id === currentId)) return first.id
  const reason = ctx.translate(ctx.client.language, first ? 'scim.word-means-several' : 'scim.word-means-nothing', {
    attribute,
    word: word.slice(0, 100),
  })
  throw errors['scim.invalid-value']({ params: { reason } })
}
