import { useEffect, useState, useSyncExternalStore } from 'react'

/** The modal dialogs that are open, the topmost one last. */
let layers: readonly symbol[] = []
const listeners = new Set<() => void>()

function setLayers(next: readonly symbol[]): void {
  layers = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
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
