import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { ROOT_KEY, visibleRows } from './tree-rows.ts'
import { createTreeStore } from './tree-store.ts'

/** The tree with `selected` revealed; reloads when the language or `changed` changes. */
export function useTree(selected: string | null, changed: number) {
  const { i18n } = useTranslation()
  const [store] = useState(createTreeStore)
  const state = useSyncExternalStore(store.subscribe, store.state)
  const rows = useMemo(() => visibleRows(state), [state])
  useEffect(() => {
    void loadRoots(store)
  }, [store])
  useEffect(() => {
    if (selected && !store.state().nodes.has(selected)) void store.reveal(selected)
  }, [store, selected])
  useEffect(() => {
    if (changed > 0) void store.refresh()
  }, [store, changed])
  useEffect(() => {
    const follow = () => void store.refresh()
    i18n.on('languageChanged', follow)
    return () => i18n.off('languageChanged', follow)
  }, [store, i18n])
  const tops = state.branches.get(ROOT_KEY)
  const isEmpty = !tops || tops.ids.length === 0
  return {
    store,
    state,
    rows,
    isWaiting: isEmpty && tops?.state !== 'ready',
    isFailed: isEmpty && tops?.state === 'failed',
  }
}

/** A single root starts open. */
async function loadRoots(store: ReturnType<typeof createTreeStore>): Promise<void> {
  await store.loadMore(ROOT_KEY)
  const tops = store.state().branches.get(ROOT_KEY)?.ids ?? []
  const [first] = tops
  if (tops.length === 1 && first && store.state().nodes.get(first)?.hasChildren) await store.open(first)
}
