import { listOrganizationChildren, type OrganizationNode, organizationPath } from '#shared/contract/organizations.ts'
import { call } from '../../platform/api.ts'
import { createListeners } from '../../platform/listeners.ts'
import { type Branch, ROOT_KEY, type TreeState } from './tree-rows.ts'

/** Children loaded at once; the next ones load when their placeholder is visible. */
const PAGE_SIZE = 200
/** The most that one call returns. */
const MAX_PAGE_SIZE = 500

const EMPTY_BRANCH: Branch = { ids: [], pinned: [], state: 'ready', hasMore: true, total: 0 }

type Page = { records: OrganizationNode[]; total: number; isWhole: boolean }

async function fetchPage(parentKey: string, pageSize: number, after: string | undefined): Promise<Page> {
  const query = { pageIndex: 1, pageSize, ...(parentKey && { parentId: parentKey }), ...(after && { after }) }
  const page = await call(listOrganizationChildren, { query })
  return { ...page, isWhole: page.records.length < pageSize }
}

/** The first `wanted` children, in as few calls as possible. */
async function fetchChildren(parentKey: string, wanted: number): Promise<Page> {
  const records: OrganizationNode[] = []
  for (;;) {
    const page = await fetchPage(
      parentKey,
      Math.min(MAX_PAGE_SIZE, Math.max(PAGE_SIZE, wanted - records.length)),
      records.at(-1)?.id,
    )
    records.push(...page.records)
    if (page.isWhole || records.length >= wanted) return { ...page, records }
  }
}

/** The open part of the tree of organisations: children are loaded in chunks, on demand. */
export type TreeStore = ReturnType<typeof createTreeStore>

type StoreCore = ReturnType<typeof createStoreCore>

export function createTreeStore() {
  const core = createStoreCore()
  return {
    subscribe: core.subscribe,
    state: core.state,
    loadMore: (key: string) => loadMore(core, key),
    open: (id: string) => open(core, id),
    close: (id: string) => close(core, id),
    reveal: (id: string) => reveal(core, id),
    refresh: () => refresh(core),
  }
}

function createStoreCore() {
  let state: TreeState = { nodes: new Map(), branches: new Map(), expanded: new Set(), failure: null }
  const { subscribe, notify } = createListeners()
  const change = (next: Partial<TreeState>) => {
    state = { ...state, ...next }
    notify()
  }
  const branchOf = (key: string): Branch => state.branches.get(key) ?? EMPTY_BRANCH
  return {
    /** Counts the refreshes: what was asked for before the latest may be in the former language. */
    generation: 0,
    /** The latest refresh. */
    refreshed: Promise.resolve(),
    state: () => state,
    subscribe,
    change,
    branchOf,
    setBranch: (key: string, next: Partial<Branch>, nodes: readonly OrganizationNode[] = []) =>
      change({
        branches: new Map(state.branches).set(key, { ...branchOf(key), ...next }),
        nodes:
          nodes.length > 0 ? new Map([...state.nodes, ...nodes.map((node) => [node.id, node] as const)]) : state.nodes,
      }),
  }
}

/** Loads the next children of a node; does nothing while loading or when complete. */
async function loadMore(core: StoreCore, key: string): Promise<void> {
  const before = core.branchOf(key)
  if (before.state === 'loading' || !before.hasMore) return
  core.setBranch(key, { state: 'loading' })
  const { generation } = core
  const isOvertaken = () => generation !== core.generation
  try {
    const { records, total, isWhole } = await fetchPage(key, PAGE_SIZE, before.ids.at(-1))
    if (isOvertaken()) return await core.refreshed
    const ids = [...before.ids, ...records.map(({ id }) => id)]
    const pinned = isWhole ? [] : core.branchOf(key).pinned
    core.setBranch(key, { ids, pinned, state: 'ready', hasMore: !isWhole, total }, records)
    core.change({ failure: null })
  } catch (failure) {
    if (isOvertaken()) return await core.refreshed
    core.setBranch(key, { state: 'failed' })
    core.change({ failure })
  }
}

async function open(core: StoreCore, id: string): Promise<void> {
  core.change({ expanded: new Set(core.state().expanded).add(id) })
  if (!core.state().branches.has(id)) await loadMore(core, id)
}

function close(core: StoreCore, id: string): void {
  const expanded = new Set(core.state().expanded)
  expanded.delete(id)
  core.change({ expanded })
}

/** Opens all ancestors of a node, so that it is in the tree; ignores nodes that can't be seen. */
async function reveal(core: StoreCore, id: string): Promise<void> {
  const { nodes } = await call(organizationPath, { query: { id } }).catch(() => ({ nodes: [] }))
  if (nodes.length > 0 && !core.state().branches.has(ROOT_KEY)) await loadMore(core, ROOT_KEY)
  for (const [at, node] of nodes.entries()) {
    const key = nodes[at - 1]?.id ?? ROOT_KEY
    if (key !== ROOT_KEY) await open(core, key)
    pinNode(core, key, node)
  }
}

/** Shows a node before its turn. */
function pinNode(core: StoreCore, key: string, node: OrganizationNode): void {
  const { ids, pinned } = core.branchOf(key)
  if (!ids.includes(node.id))
    core.setBranch(key, { pinned: [...pinned.filter((id) => id !== node.id), node.id] }, [node])
}

/**
 * Reloads everything that is open after a change: positions, names and counts may differ anywhere. That includes what is
 * opened meanwhile. A later refresh takes over.
 */
function refresh(core: StoreCore): Promise<void> {
  core.generation += 1
  core.refreshed = reload(core, core.generation)
  return core.refreshed
}

async function reload(core: StoreCore, generation: number): Promise<void> {
  const pages = new Map<string, Page | null>()
  const missing = () =>
    [ROOT_KEY, ...core.state().expanded].filter((key) => core.state().branches.has(key) && !pages.has(key))
  for (let keys = missing(); keys.length > 0; keys = missing()) {
    const load = async (key: string) =>
      pages.set(key, await fetchChildren(key, core.branchOf(key).ids.length).catch(() => null))
    await Promise.all(keys.map(load))
    if (generation !== core.generation) return await core.refreshed
  }
  const branches = new Map<string, Branch>()
  const nodes = new Map<string, OrganizationNode>()
  for (const [key, page] of pages) {
    if (!page) continue
    for (const node of page.records) nodes.set(node.id, node)
    branches.set(key, {
      ...EMPTY_BRANCH,
      ids: page.records.map(({ id }) => id),
      hasMore: !page.isWhole,
      total: page.total,
    })
  }
  const expanded = new Set([...core.state().expanded].filter((id) => nodes.get(id)?.hasChildren && branches.has(id)))
  core.change({ nodes, branches, expanded })
}
