/**
 * A set of listeners for a value outside of components: `subscribe` fits `useSyncExternalStore`, call `notify` after
 * each change.
 */
export function createListeners() {
  const listeners = new Set<() => void>()
  return {
    /** @returns a function that unsubscribes. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify(): void {
      for (const listener of listeners) listener()
    },
  }
}
