import { v7 } from 'uuid'
import type {
  createApplicationCategory,
  moveApplicationCategory,
  updateApplicationCategory,
} from '#shared/contract/application-categories.ts'
import type { Db } from '../../platform/db.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { invalidateApplications } from '../applications/index.ts'
import { recordAudit } from '../records/index.ts'
import { errors } from './application-manage.errors.ts'
import {
  type CategoryRow,
  deleteCategory,
  listCategoryRows,
  lockCategories,
  MAX_CATEGORIES,
  saveCategory,
} from './categories.store.ts'

export async function listAllCategories(ctx: Context) {
  const records = [...(await listCategoryRows(ctx.db))]
  return { records, total: records.length }
}

type CategoryInput = Input<typeof createApplicationCategory>['body']

export async function createCategory(ctx: Context, { code, ...given }: CategoryInput): Promise<{ id: string }> {
  const id = v7()
  await changeCategories(ctx, (rows) => {
    if (rows.length >= MAX_CATEGORIES) throw errors['application-category.too-many']()
    if (rows.some((row) => row.code === code)) throw errors['application-category.code-taken']()
    return { before: null, after: { id, code, ...given } }
  })
  return { id }
}

type CategoryUpdate = Input<typeof updateApplicationCategory>

export async function updateCategory(
  ctx: Context,
  { id }: { id: string },
  given: CategoryUpdate['body'],
): Promise<void> {
  await changeCategories(ctx, (rows) => {
    const before = requireCategory(rows, id)
    return { before, after: { ...before, ...given } }
  })
}

/** The distance between positions when there is no room left between two. */
const POSITION_GAP = 10

/** @throws Refusal `application-category.not-found`, `application-category.cycle`. */
export async function moveCategory(
  ctx: Context,
  id: string,
  { parentId, after }: Input<typeof moveApplicationCategory>['body'],
): Promise<void> {
  await changeCategories(ctx, (rows) => {
    const before = requireCategory(rows, id)
    const siblings = rows.filter((row) => row.parentId === parentId && row.id !== id).toSorted(byPosition)
    if (after !== null) requireCategory(siblings, after)
    const at = siblings.findIndex((row) => row.id === after) + 1
    const [left, right] = [siblings[at - 1]?.position ?? -1, siblings[at]?.position]
    const between = right === undefined ? left + POSITION_GAP : Math.floor((left + right) / 2)
    if (between > left) return { before, after: { ...before, parentId, position: between } }
    const others = siblings.map((row, index) => ({ ...row, position: (index < at ? index : index + 1) * POSITION_GAP }))
    return { before, after: { ...before, parentId, position: at * POSITION_GAP }, others }
  })
}

const byPosition = (one: CategoryRow, other: CategoryRow): number =>
  one.position - other.position || (one.code < other.code ? -1 : 1)

export async function removeCategory(ctx: Context, id: string): Promise<void> {
  await changeCategories(ctx, (rows) => ({ before: requireCategory(rows, id), after: null }))
}

function requireCategory(rows: readonly CategoryRow[], id: string): CategoryRow {
  const found = rows.find((row) => row.id === id)
  if (!found) throw errors['application-category.not-found']()
  return found
}

/** `others`: categories whose positions were renumbered to make room. */
type CategoryChange = { before: CategoryRow | null; after: CategoryRow | null; others?: readonly CategoryRow[] }

const VERBS = { create: 'application-category.create', update: 'application-category.update' } as const

async function changeCategories(ctx: Context, decide: (rows: CategoryRow[]) => CategoryChange): Promise<void> {
  await transaction(ctx, async (inner) => {
    const rows = await lockCategories(inner.db)
    const step = decide(rows)
    const { before, after } = step
    if (after) assertTwoLevels(rows, after)
    await writeCategories(inner.db, step)
    await invalidateApplications(inner, inner.db)
    const action = after ? VERBS[before ? 'update' : 'create'] : 'application-category.delete'
    const targetId = (after ?? before)?.id ?? ''
    await recordAudit(inner, { action, targetKind: 'application-category', targetId, before, after })
  })
}

async function writeCategories(db: Db, { before, after, others = [] }: CategoryChange): Promise<void> {
  if (!after) return before ? await deleteCategory(db, before) : undefined
  for (const row of [after, ...others]) await saveCategory(db, row)
}

/** @throws Refusal `application-category.cycle`. Two levels: a parent is at the top, and a category with children stays there. */
export function assertTwoLevels(rows: readonly CategoryRow[], { id, parentId }: CategoryRow): void {
  if (parentId === null) return
  const parent = requireCategory(rows, parentId)
  const hasChildren = rows.some((row) => row.parentId === id)
  if (parentId === id || parent.parentId !== null || hasChildren) throw errors['application-category.cycle']()
}
