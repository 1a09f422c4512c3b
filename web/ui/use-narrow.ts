import { useSyncExternalStore } from 'react'

const root = document.documentElement

/** The layout of a phone, for what is built differently there and not only styled. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      const observer = new MutationObserver(listener)
      observer.observe(root, { attributeFilter: ['data-narrow'] })
      return () => observer.disconnect()
    },
    () => root.hasAttribute('data-narrow'),
  )
