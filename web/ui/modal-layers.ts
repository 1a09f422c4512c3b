import { useEffect, useState, useSyncExternalStore } from 'react'
import { createListeners } from '../platform/listeners.ts'

/** The modal dialogs that are open, the topmost one last. */
let layers: readonly symbol[] = []
const { subscribe, notify } = createListeners()

function setLayers(next: readonly symbol[]): void {
  layers = next
  notify()
}

/** For a modal dialog, as long as it is open. @returns whether no other one lies above it. */
export function useTopLayer(): boolean {
  const [layer] = useState(() => Symbol())
  useEffect(() => {
    setLayers([...layers, layer])
    return () => setLayers(layers.filter((other) => other !== layer))
  }, [layer])
  return useSyncExternalStore(subscribe, () => layers.at(-1) === layer)
}

export const useHasModal = (): boolean => useSyncExternalStore(subscribe, () => layers.length > 0)
