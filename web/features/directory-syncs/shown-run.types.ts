import type { BookRun } from '#shared/contract/address-books.ts'
import type { SyncRun } from '#shared/contract/directory-syncs.ts'
import type { SyncRunBase } from '#shared/contract/sync-runs.ts'

/** Directory syncs show more about a run than address book syncs, those where it was cut off. */
export type ShownRun = SyncRunBase &
  Partial<Pick<SyncRun, 'mode' | 'isComplete' | 'objects'>> &
  Partial<Pick<BookRun, 'toWrite' | 'tried'>>
