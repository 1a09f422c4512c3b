/** Who follows a value that is kept outside of components: `subscribe` as `useSyncExternalStore` takes it, `notify` after each change. */
export function createListeners() {
  const listeners = new Set<() => void>()
  return {
    /** @returns the way to stop. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify(): void {
      for (const listener of listeners) listener()
    },
  }
}
