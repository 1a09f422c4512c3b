import type { AppOption } from '#shared/contract/application-grants.ts'

export type Category = { id: string; name: string; parentId: string | null }

/** A visible row of the tree, from top to bottom. */
export type TreeRow = {
  key: string
  level: number
  label: string
  /** The applications that its checkbox covers. */
  appIds: readonly string[]
  /** Undefined: an application. */
  isOpen?: boolean
  app?: AppOption
}

type Branch = { id: string; name: string; children: Branch[]; apps: AppOption[] }

const allAppIds = ({ children, apps }: Branch): string[] => [
  ...children.flatMap(allAppIds),
  ...apps.map(({ appId }) => appId),
]

/**
 * Two levels of categories with their applications; empty ones are omitted, applications without a category come last.
 */
function buildBranches(categories: readonly Category[], apps: readonly AppOption[], none: string): Branch[] {
  const branchOf = ({ id, name }: Category): Branch => ({
    id,
    name,
    children: categories.filter(({ parentId }) => parentId === id).map(branchOf),
    apps: apps.filter(({ categoryId }) => categoryId === id),
  })
  const known = new Set(categories.map(({ id }) => id))
  const tops = categories.filter(({ parentId }) => parentId === null || !known.has(parentId)).map(branchOf)
  const uncategorized = apps.filter(({ categoryId }) => categoryId === null || !known.has(categoryId))
  return [...tops, { id: 'none', name: none, children: [], apps: uncategorized }]
}

type TreeInput = {
  categories: readonly Category[]
  apps: readonly AppOption[]
  closed: ReadonlySet<string>
  none: string
}

/** The visible rows of the tree. */
export function visibleRows({ categories, apps, closed, none }: TreeInput): TreeRow[] {
  const shown = (branch: Branch, level: number): TreeRow[] => {
    const appIds = allAppIds(branch)
    if (appIds.length === 0) return []
    const isOpen = !closed.has(branch.id)
    const row = { key: branch.id, level, label: branch.name, appIds, isOpen }
    if (!isOpen) return [row]
    return [
      row,
      ...branch.children.flatMap((child) => shown(child, level + 1)),
      ...branch.apps.map((app) => ({
        key: `app ${app.appId}`,
        level: level + 1,
        label: app.name,
        appIds: [app.appId],
        app,
      })),
    ]
  }
  return buildBranches(categories, apps, none).flatMap((branch) => shown(branch, 1))
}

/** Whether all, some or none of a row's applications are ticked. */
export function checkedState({ appIds }: TreeRow, ticked: ReadonlySet<string>): boolean | 'mixed' {
  const count = appIds.filter((appId) => ticked.has(appId)).length
  if (count === 0) return false
  return count === appIds.length || 'mixed'
}

/** The row that a key moves to, if any. */
export function rowForKey(rows: readonly TreeRow[], at: number, key: string): number | null {
  const last = rows.length - 1
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last }
  const step = steps[key]
  if (step !== undefined) return Math.min(Math.max(0, step), last)
  const row = rows[at]
  if (key === 'ArrowLeft' && row && !row.isOpen) return parentIndex(rows, at)
  if (key === 'ArrowRight' && row?.isOpen) return Math.min(at + 1, last)
  return null
}

function parentIndex(rows: readonly TreeRow[], at: number): number | null {
  const level = rows[at]?.level ?? 1
  const above = rows.findLastIndex((row, index) => index < at && row.level < level)
  return above < 0 ? null : above
}
