import { useSyncExternalStore } from 'react'

const root = document.documentElement

/** Whether the phone layout is used, for components that differ in structure. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      const observer = new MutationObserver(listener)
      observer.observe(root, { attributeFilter: ['data-narrow'] })
      return () => observer.disconnect()
    },
    () => root.hasAttribute('data-narrow'),
  )
