type Row = Record<string, unknown>

/** A vendor's address book, as far as the app sees it; everything of it throws SourceFault. */
export type Book = {
  server: string
  isEncrypted: boolean
  connect(): Promise<void>
  /** Columns that are there even when the first rows have none of them. */
  known: Readonly<Record<'people' | 'departments', readonly string[]>>
  departments(): AsyncGenerator<Row>
  /** Everybody once. */
  people(): AsyncGenerator<Row>
}
