/**
 * Short-lived state shared by all nodes: hand-over codes, captchas, interactions. If lost, people only have to try again. Every
 * entry has a kind, so that one kind is never accepted as another.
 */
export type EphemeralState = {
  /** Stores `value` under (kind, key) for `seconds`, replacing an older one. */
  put(kind: string, key: string, value: unknown, seconds: number): Promise<void>
  /** Reads and deletes in one atomic step: of parallel callers exactly one gets the value, the others null. */
  take<T>(kind: string, key: string): Promise<T | null>
  /** Reads without consuming. */
  peek<T>(kind: string, key: string): Promise<T | null>
  /** Increments a counter that expires `seconds` after its first count; returns the new count. */
  increment(kind: string, key: string, seconds: number): Promise<number>
  /** Deletes what has expired; does nothing if the store does that itself. */
  sweep(): Promise<void>
  close(): Promise<void>
}
