export type BookItem = Record<string, unknown>

/** A vendor's address book as visible to the app; everything throws SourceFault. */
export type BookReader = {
  server: string
  isEncrypted: boolean
  connect(): Promise<void>
  /** Columns that always exist, even if the first rows have no value. */
  known: Readonly<Record<'people' | 'departments', readonly string[]>>
  departments(): AsyncGenerator<BookItem>
  /** Everybody, once. */
  people(): AsyncGenerator<BookItem>
  /** One of them; null: gone, or not visible. */
  person(id: string): Promise<BookItem | null>
}
