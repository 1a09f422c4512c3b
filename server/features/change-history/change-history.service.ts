import { validate as isUuid } from 'uuid'
import type { z } from 'zod'
import { AUDIT_ACTIONS } from '#shared/contract/audit-actions.ts'
import {
  ASKED_FOR_KINDS,
  CHANGE_KINDS,
  type Change,
  KINDS_OF_PARTS,
  type listChanges,
  type personChanges,
} from '#shared/contract/change-history.ts'
import { RESOURCES } from '#shared/contract/resources.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { readWithin } from '../../platform/read-within.ts'
import { isPersonVisible, seesEverything } from '../access/index.ts'
import { customFieldNames } from '../account-fields/index.ts'
import { listMeantIds, searchPredicates } from '../name-search/index.ts'
import { type ChangeSide, parseUserAgent, type Restorer, type Snapshot } from '../records/index.ts'
import { errors } from './change-history.errors.ts'
import {
  type ChangeFilter,
  type ChangeRow,
  type Cursor,
  changesAfter,
  endOfWindow,
  type FoldedRow,
  findTargetNames,
} from './change-history.store.ts'
import { isSnapshot, type Reference, referencesOf } from './change-references.rules.ts'
import { keepsWholeState } from './complete-states.rules.ts'
import { type RedactedRow, redactForScope } from './redaction.service.ts'

export type Restorers = Readonly<Record<string, Restorer>>

function cursorOf(text: string | undefined): Cursor | null {
  const [at, id] = text?.split('_') ?? []
  return at && id ? { at, id } : null
}

/** The visible part of a record about a person: without the ids beside the names of departments. */
function toVisibleSide(targetKind: string, side: Snapshot | null): Snapshot | null {
  if (!isSnapshot(side) || targetKind !== 'user') return isSnapshot(side) ? side : null
  const { organizationId: _, secondaryOrganizationIds: __, ...told } = side
  return told
}

/** The state on one side of a change and its target, if it is complete and its kind can be rolled back. */
export function restorableState(
  restorers: Restorers,
  row: ChangeRow,
  side: ChangeSide,
): { id: string; state: Snapshot } | null {
  const restorer = restorers[row.targetKind]
  if (!restorer || !keepsWholeState(row.targetKind, row.action)) return null
  if (restorer.partOf) return restorer.partOf(row, side)
  const state = row[side]
  return isSnapshot(state) ? { id: row.targetId, state } : null
}

/** Names of targets, by kind and id. */
type Names = ReadonlyMap<string, ReadonlyMap<string, string>>

/** What names the target of a record: a session is named after its person, and so are records that were read. */
function targetOf({ targetKind, targetId, userId }: RedactedRow): Reference {
  if (targetKind === 'session' && userId) return { kind: 'user', id: userId }
  return { kind: targetKind === 'records' && isUuid(targetId) ? 'user' : targetKind, id: targetId }
}

async function loadNames(ctx: Context, restorers: Restorers, rows: readonly RedactedRow[]): Promise<Names> {
  const named = rows.flatMap((row) => [targetOf(row), ...referencesOf(row)])
  const byKind = Map.groupBy(named, ({ kind }) => kind)
  const found = [...byKind].map(async ([kind, some]) => {
    const ids = [...new Set(some.map(({ id }) => id))]
    return [
      kind,
      (await findTargetNames(ctx.db, kind, ids)) ?? (await namesOfResources(ctx, restorers, kind, ids)),
    ] as const
  })
  return new Map(await Promise.all(found))
}

/** For a declared resource: only its own feature knows its table. */
async function namesOfResources(ctx: Context, restorers: Restorers, kind: string, ids: readonly string[]) {
  const states = Object.hasOwn(RESOURCES, kind) ? await restorers[kind]?.current(ctx, ids) : undefined
  return new Map([...(states ?? [])].flatMap(([id, { name }]) => (name === null ? [] : [[id, name] as const])))
}

type Fold = z.input<typeof Change>['folded']

function toChange(restorers: Restorers, row: RedactedRow, names: Names, folded: Fold): z.input<typeof Change> {
  const { actorId, actorAccount, actorName } = row
  const target = targetOf(row)
  const person = actorId && actorAccount !== null && actorName !== null
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    targetKind: row.targetKind,
    targetId: row.targetId,
    targetName: row.targetName ?? names.get(target.kind)?.get(target.id) ?? null,
    actor: person ? { id: actorId, account: actorAccount, name: actorName } : null,
    actorWord: person ? null : row.actor,
    reason: row.reason,
    ip: row.ip,
    browser: parseUserAgent(row.userAgent).browser,
    device: parseUserAgent(row.userAgent).device,
    requestId: row.requestId,
    before: toVisibleSide(row.targetKind, row.before),
    after: toVisibleSide(row.targetKind, row.after),
    names: Object.fromEntries(
      referencesOf(row).flatMap(({ kind, id }) => {
        const name = names.get(kind)?.get(id)
        return name === undefined ? [] : [[id, name]]
      }),
    ),
    restorable: {
      before: restorableState(restorers, row, 'before') !== null,
      after: restorableState(restorers, row, 'after') !== null,
    },
    folded,
  }
}

/** Names of custom fields and their choices, if a record contains any. */
async function loadCustomNames(ctx: Context, rows: readonly RedactedRow[]): Promise<Record<string, string>> {
  const named = rows.some(({ before, after }) => /"custom\./.test(JSON.stringify([before, after])))
  return named ? await customFieldNames(ctx) : {}
}

type Redact = (rows: readonly ChangeRow[]) => Promise<RedactedRow[]>

const cursorText = ({ at, id }: Cursor): string => `${at}_${id}`

const foldOf = ({ lines, firstAt }: FoldedRow): Fold => (lines > 1 ? { lines, firstAt: firstAt.toISOString() } : null)

async function loadPage(
  ctx: Context,
  restorers: Restorers,
  filter: ChangeFilter,
  { size, see }: { size: number; see?: Redact },
): Promise<Output<typeof listChanges>> {
  const { rows, end } = await findWindow(ctx, filter, size)
  const first = rows.slice(0, size)
  const records: RedactedRow[] = see ? await see(first) : first
  const names = await loadNames(ctx, restorers, records)
  const custom = await loadCustomNames(ctx, records)
  const last = first.at(-1)
  return {
    records: records.map((row, at) => ({
      ...toChange(restorers, row, names, first[at] ? foldOf(first[at]) : null),
      ...(row.targetKind === 'user' && { custom }),
    })),
    next: last && rows.length > size ? cursorText(last.end) : end && cursorText(end),
    searchedBackTo: end && new Date(end.at).toISOString(),
  }
}

/** Records read per row of a page, while few of them are folded. */
const WINDOW_PER_LINE = 3
/** Records that one call reads at most: searching them takes some 50 ms. */
const MAX_WINDOW = 5000

type ChangeWindow = { rows: FoldedRow[]; end: Cursor | null }

/** The row after the page, if there is one; else where the window ended, if it did not reach the very first record. */
async function findWindow(ctx: Context, filter: ChangeFilter, size: number): Promise<ChangeWindow> {
  const limit = size + 1
  const isSearch = filter.search !== null || filter.actorWords !== null
  const look = async (window: number): Promise<ChangeWindow> => {
    const asked = { ...filter, window, limit }
    const rows = await changesAfter(ctx.db, asked)
    return { rows, end: rows.length === limit ? null : await endOfWindow(ctx.db, asked) }
  }
  // Without folding or searching each record is a row: a page that isn't full is the last one.
  if (!isSearch && !filter.folds)
    return { rows: await changesAfter(ctx.db, { ...filter, window: limit, limit }), end: null }
  const first = isSearch ? null : await look(size * WINDOW_PER_LINE + 1)
  return first?.end === null ? first : await look(MAX_WINDOW)
}

/** People that a name may match, at most: if there are more, the latest changes are hardly what is wanted. */
const MAX_MATCHING_PEOPLE = 100

/** A part of a name that many people have can take long to look up. */
const PEOPLE_MS = 750

/** @throws Refusal `change.search-too-slow` */
async function findMatchingPeople(ctx: Context, text: string): Promise<string[]> {
  const found = await readWithin(ctx, PEOPLE_MS, (ask) =>
    ask((tx) => listMeantIds(tx, searchPredicates(tx, text, undefined), { limit: MAX_MATCHING_PEOPLE })),
  )
  if (!found) throw errors['change.search-too-slow']()
  return found.value
}

const ACTOR_WORDS = {
  bootstrap: 'change-history.by-bootstrap',
  'command line': 'change-history.by-command-line',
  'setup link': 'change-history.by-setup',
  system: 'records.by.system',
} as const

/** Does a message contain the text, in the caller's language? */
function wordingContains(ctx: Context, key: string, text: string): boolean {
  const { language } = ctx.client
  return ctx.translate(language, key).toLocaleLowerCase().includes(text.toLocaleLowerCase())
}

async function toActorFilter(ctx: Context, by = ''): Promise<Pick<ChangeFilter, 'actorIds' | 'actorWords'>> {
  if (by === '') return { actorIds: null, actorWords: null }
  const actorWords = Object.entries(ACTOR_WORDS).flatMap(([word, key]) => (wordingContains(ctx, key, by) ? [word] : []))
  if (actorWords.length > 0) return { actorIds: null, actorWords }
  return { actorIds: await findMatchingPeople(ctx, by), actorWords: null }
}

async function toSearchFilter(ctx: Context, text = ''): Promise<ChangeFilter['search']> {
  if (text === '') return null
  const actions = Object.keys(AUDIT_ACTIONS).filter((name) => wordingContains(ctx, `action.${name}`, text))
  return { text, actions, userIds: await findMatchingPeople(ctx, text) }
}

const NO_FILTER = {
  targetId: null,
  userId: null,
  actorIds: null,
  actorWords: null,
  search: null,
  from: null,
  to: null,
  window: 0,
  limit: 0,
} as const

/** Changes made in the back office. */
export async function changesPage(
  ctx: Context,
  restorers: Restorers,
  query: Input<typeof listChanges>['query'],
): Promise<Output<typeof listChanges>> {
  const { targetKind, targetId = null, from, to, by, search, unfolded, cursor, pageSize } = query
  const filter = {
    ...NO_FILTER,
    kinds: targetKind
      ? [targetKind, ...((targetId && KINDS_OF_PARTS[targetKind]) || [])]
      : CHANGE_KINDS.filter((kind) => !ASKED_FOR_KINDS.includes(kind)),
    targetId,
    ...(await toActorFilter(ctx, by)),
    search: await toSearchFilter(ctx, search),
    from: from ? new Date(from) : null,
    to: to ? new Date(to) : null,
    cursor: cursorOf(cursor),
    folds: !(targetId || unfolded),
  }
  return await loadPage(ctx, restorers, filter, { size: pageSize })
}

/** Changes of a person; a scoped administrator learns nothing about other parts, nor who and where others are. */
export async function personChangesPage(
  ctx: Context,
  { userId, cursor, pageSize }: Input<typeof personChanges>['query'],
): Promise<Output<typeof personChanges>> {
  if (!(await isPersonVisible(ctx, userId, { includeDeleted: true })))
    return { records: [], next: null, searchedBackTo: null }
  const filter = { ...NO_FILTER, kinds: [], userId, cursor: cursorOf(cursor), folds: false }
  const see: Redact = (rows) => redactForScope(ctx, userId, rows)
  return await loadPage(ctx, {}, filter, { size: pageSize, ...(!seesEverything(ctx) && { see }) })
}
