import type { ApplicationCategory } from '#shared/contract/application-categories.ts'

type CategoryRef = Pick<ApplicationCategory, 'id' | 'parentId'>

/** Below `parentId` (null: at the top), after `after` (null: first). */
type CategoryPosition = { parentId: string | null; after: string | null }

/**
 * Where a category can be moved; null: not there. There are two levels, so a category with children stays at the top.
 */
export function categoryMoves(categories: readonly CategoryRef[]) {
  const siblingsOf = (one: CategoryRef) => categories.filter(({ parentId }) => parentId === one.parentId)
  const at = (one: CategoryRef, siblings: readonly CategoryRef[]) => siblings.findIndex(({ id }) => id === one.id)
  const up = (one: CategoryRef): CategoryPosition | null => {
    const siblings = siblingsOf(one)
    const here = at(one, siblings)
    return here > 0 ? { parentId: one.parentId, after: siblings[here - 2]?.id ?? null } : null
  }
  const down = (one: CategoryRef): CategoryPosition | null => {
    const siblings = siblingsOf(one)
    const next = siblings[at(one, siblings) + 1]
    return next ? { parentId: one.parentId, after: next.id } : null
  }
  const droppedAt = (moved: CategoryRef, target: CategoryRef, side: 'before' | 'behind'): CategoryPosition | null => {
    const hasOthersBelow = categories.some(({ parentId }) => parentId === moved.id)
    if (moved.id === target.id || (target.parentId !== null && hasOthersBelow)) return null
    const { parentId } = target
    if (side === 'behind') return { parentId, after: target.id }
    const others = siblingsOf(target).filter(({ id }) => id !== moved.id)
    return { parentId, after: others[at(target, others) - 1]?.id ?? null }
  }
  return { up, down, droppedAt }
}
