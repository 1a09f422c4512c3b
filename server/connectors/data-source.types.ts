import type { SourceOptions } from '#shared/contract/data-source-options.ts'
import { OutsideFault } from './outside-fault.types.ts'

/** Where a source is, and the login for it. */
export type SourceSettings = {
  host: string
  /** 0: the default port. */
  port: number
  database: string
  user: string
  password: string
  tls: 'off' | 'require' | 'verify'
  /** In PEM; empty: public authorities are trusted. */
  ca: string
  timeoutSeconds: number
  options: SourceOptions
}

export type SourceColumn = {
  name: string
  type: string
  /** The ordinary word for it, by which a field is suggested; absent: its name. */
  heading?: string
}

/** Waits this many milliseconds until the other side may be called again. @throws what ends the work meanwhile. */
export type Wait = (milliseconds: number) => Promise<unknown>

/** Length of a value; a longer one is cut after the first character beyond the limit, so that readers see that it is too long. */
export const MAX_SOURCE_VALUE = 2001

/** Rows by a column that grows with each change. */
export type SourceChanges = {
  /** The greatest value as text; null: there is none. */
  latest(table: string, column: string): Promise<string | null>
  /** Rows whose value is not below this one, in the form of `read`. */
  readSince(
    table: string,
    columns: readonly string[],
    since: { column: string; value: string },
  ): AsyncGenerator<string[][]>
}

/** A read-only connection with one snapshot as long as it is open. */
export type OpenSource = {
  /** The name and version reported by the server. */
  server: string
  isEncrypted: boolean
  /** Readable tables and views, sorted. */
  tables(most: number): Promise<string[]>
  /** @throws SourceFault `no-table`. `withinMs`: the time limit for a source that must read rows for it. */
  columns(table: string, withinMs?: number): Promise<SourceColumn[]>
  /** May the user change data there? Null: unknown. */
  mayWrite(table: string): Promise<boolean | null>
  count(table: string): Promise<number>
  /** Values in several rows, and rows without one. */
  repeated(table: string, column: string): Promise<{ repeated: number; empty: number }>
  /** All rows in batches, values as text, empty for missing ones. @throws SourceFault, `cut-off` also if fewer arrived than there are. */
  read(table: string, columns: readonly string[], most?: number): AsyncGenerator<string[][]>
  /** The same row by row, for a source that is read call by call: a test reads it for a limited time, without counting. */
  rows?(table: string, columns: readonly string[]): AsyncGenerator<string[]>
  /**
   * People by their ids in the source, for sources that report whom a change concerns; deleted and invisible ones are left out. @throws
   * SourceFault `no-column` after the last.
   */
  named?(columns: readonly string[], ids: readonly string[]): AsyncGenerator<string[][]>
  /** Of sources that can tell what has changed; absent: every run reads all. */
  changes?: SourceChanges
  close(): Promise<void>
}

export type SourceProblem =
  | 'unreachable'
  | 'login-refused'
  | 'tls'
  | 'no-database'
  | 'no-table'
  | 'no-column'
  | 'no-rights'
  | 'timeout'
  | 'cut-off'
  /** The server limits how much it returns. */
  | 'limited'
  /** Part of it is elsewhere. */
  | 'referral'
  /** A page came twice. */
  | 'repeated-page'
  /** The server's key is not confirmed, or differs from the confirmed one; its words are the key. */
  | 'host-key-unknown'
  | 'host-key-changed'
  | 'no-remote-file'
  /** The server doesn't accept calls from our address. */
  | 'address-refused'
  /** It is never called, such as that of a cloud's metadata service. */
  | 'forbidden-address'
  /** It is still being written. */
  | 'unfinished'
  | 'failed'

/** A source could not be read; `words` is the other side's message. */
export class SourceFault extends OutsideFault<SourceProblem> {}

/** Rows of one batch. */
export const SOURCE_BATCH = 500

/** More people than any institution has: a source with more than that never ends. */
export const MAX_SOURCE_ROWS = 1_000_000

/** `schema.name` or `name`. */
export function splitTable(table: string): { schema: string | null; name: string } {
  const at = table.indexOf('.')
  return at < 0 ? { schema: null, name: table } : { schema: table.slice(0, at), name: table.slice(at + 1) }
}
