import type { SourceOptions } from '#shared/contract/data-source-options.ts'
import { OutsideFault } from './outside-fault.types.ts'

/** Where a source is and who reads it. */
export type SourceSettings = {
  host: string
  /** 0: the usual one. */
  port: number
  database: string
  user: string
  password: string
  tls: 'off' | 'require' | 'verify'
  /** In PEM; empty: the public ones are trusted. */
  ca: string
  timeoutSeconds: number
  options: SourceOptions
}

export type SourceColumn = { name: string; type: string }

/** Of a value; a longer one is cut behind the first sign that is too many, so that whoever reads it sees that it is too long. */
export const MAX_SOURCE_VALUE = 2001

/** Rows by a column that grows with each change. */
export type SourceChanges = {
  /** The greatest value as text; null: there is none. */
  latest(table: string, column: string): Promise<string | null>
  /** Rows whose value is not below this one, as `read` gives them. */
  readSince(
    table: string,
    columns: readonly string[],
    since: { column: string; value: string },
  ): AsyncGenerator<string[][]>
}

/** A connection that only reads, and sees the same moment as long as it is open. */
export type OpenSource = {
  /** What the other side says it is. */
  server: string
  isEncrypted: boolean
  /** Tables and views that may be read, in order. */
  tables(most: number): Promise<string[]>
  /** @throws SourceFault `no-table`. `withinMs`: a source that has to read for it stops then. */
  columns(table: string, withinMs?: number): Promise<SourceColumn[]>
  /** May the user change what is there? Null: nobody is told. */
  mayWrite(table: string): Promise<boolean | null>
  count(table: string): Promise<number>
  /** Values that several rows have, and rows without one. */
  repeated(table: string, column: string): Promise<{ repeated: number; empty: number }>
  /**
   * All rows in batches, values as text, empty for what isn't there. @throws SourceFault, `cut-off` also when fewer came than there are.
   */
  read(table: string, columns: readonly string[], most?: number): AsyncGenerator<string[][]>
  /** The same row by row, of a source that is read call by call: who looks at it reads for a while, and does not count it. */
  rows?(table: string, columns: readonly string[]): AsyncGenerator<string[]>
  /** People by their ids there, of sources that tell whom a change concerns; who is gone or not visible is left out. */
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
  /** The other side gives nobody as much as there is. */
  | 'limited'
  /** Part of it is elsewhere. */
  | 'referral'
  /** A page came twice. */
  | 'repeated-page'
  /** The key of a server that nobody has confirmed, or another one than was confirmed; its words are the key. */
  | 'host-key-unknown'
  | 'host-key-changed'
  | 'no-remote-file'
  /** The other side is asked from an address that it does not take calls from. */
  | 'address-refused'
  /** Somebody is still writing there. */
  | 'unfinished'
  | 'failed'

/** A source could not be read; `words` is what the other side said. */
export class SourceFault extends OutsideFault<SourceProblem> {}

/** Rows of one batch. */
export const SOURCE_BATCH = 500

/** More than any institution has people: a source that goes on behind it never ends. */
export const MAX_SOURCE_ROWS = 1_000_000

/** `schema.name` or `name`. */
export function splitTable(table: string): { schema: string | null; name: string } {
  const at = table.indexOf('.')
  return at < 0 ? { schema: null, name: table } : { schema: table.slice(0, at), name: table.slice(at + 1) }
}
