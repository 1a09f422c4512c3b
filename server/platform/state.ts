/**
 * Hot, short-lived state shared by all nodes: tickets, hand-over codes, captchas, interactions.
 * Lost at worst as "please try again". Every entry has a kind, so that one kind never passes for another.
 */
export type EphemeralState = {
  /** Stores `value` under (kind, key) for `seconds`; replaces an older one. */
  put(kind: string, key: string, value: unknown, seconds: number): Promise<void>
  /** Reads and deletes in one atomic step: of parallel callers exactly one gets the value, the others null. */
  take<T>(kind: string, key: string): Promise<T | null>
  /** Reads without consuming. */
  peek<T>(kind: string, key: string): Promise<T | null>
  /** Reads and counts the reading in one atomic step: of parallel callers exactly one gets `uses` 1. It stays until it expires. */
  readAndCount<T>(kind: string, key: string): Promise<{ value: T; uses: number } | null>
  /** Adds one to a counter that ends `seconds` after its first count; answers the new count. */
  increment(kind: string, key: string, seconds: number): Promise<number>
  /** Removes what has expired; a no-op where the store does it by itself. */
  sweep(): Promise<void>
  close(): Promise<void>
}
