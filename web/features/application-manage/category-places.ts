import type { ApplicationCategory } from '#shared/contract/application-categories.ts'

type One = Pick<ApplicationCategory, 'id' | 'parentId'>

/** Below `parentId` (null: at the top), behind `after` (null: first). */
type Place = { parentId: string | null; after: string | null }

/** Where a category can go; null: it can't. There are two levels: what has others below it stays at the top. */
export function placesOf(categories: readonly One[]) {
  const siblingsOf = (one: One) => categories.filter(({ parentId }) => parentId === one.parentId)
  const at = (one: One, siblings: readonly One[]) => siblings.findIndex(({ id }) => id === one.id)
  const up = (one: One): Place | null => {
    const siblings = siblingsOf(one)
    const here = at(one, siblings)
    return here > 0 ? { parentId: one.parentId, after: siblings[here - 2]?.id ?? null } : null
  }
  const down = (one: One): Place | null => {
    const siblings = siblingsOf(one)
    const next = siblings[at(one, siblings) + 1]
    return next ? { parentId: one.parentId, after: next.id } : null
  }
  const droppedAt = (moved: One, target: One, side: 'before' | 'behind'): Place | null => {
    const hasOthersBelow = categories.some(({ parentId }) => parentId === moved.id)
    if (moved.id === target.id || (target.parentId !== null && hasOthersBelow)) return null
    const { parentId } = target
    if (side === 'behind') return { parentId, after: target.id }
    const others = siblingsOf(target).filter(({ id }) => id !== moved.id)
    return { parentId, after: others[at(target, others) - 1]?.id ?? null }
  }
  return { up, down, droppedAt }
}
