export type BookItem = Record<string, unknown>

/** A vendor's address book as it is read, as far as the app sees it; everything of it throws SourceFault. */
export type BookReader = {
  server: string
  isEncrypted: boolean
  connect(): Promise<void>
  /** Columns that are there even when the first rows have none of them. */
  known: Readonly<Record<'people' | 'departments', readonly string[]>>
  departments(): AsyncGenerator<BookItem>
  /** Everybody once. */
  people(): AsyncGenerator<BookItem>
  /** One of them; null: gone, or not visible. */
  person(id: string): Promise<BookItem | null>
}
