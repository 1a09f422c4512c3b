import { useEffect, useState, useSyncExternalStore } from 'react'
import { createListeners } from '../platform/listeners.ts'

/** The open modal dialogs, topmost last. */
let layers: readonly symbol[] = []
const { subscribe, notify } = createListeners()

function setLayers(next: readonly symbol[]): void {
  layers = next
  notify()
}

/** Registers an open modal dialog. @returns whether it is topmost. */
export function useTopLayer(): boolean {
  const [layer] = useState(() => Symbol())
  useEffect(() => {
    setLayers([...layers, layer])
    return () => setLayers(layers.filter((other) => other !== layer))
  }, [layer])
  return useSyncExternalStore(subscribe, () => layers.at(-1) === layer)
}

export const useHasModal = (): boolean => useSyncExternalStore(subscribe, () => layers.length > 0)
