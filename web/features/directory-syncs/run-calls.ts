import { approveBookRun, bookRunDetails, discardBookRun, undoBookRun } from '#shared/contract/address-books.ts'
import {
  approveSyncRun,
  discardSyncRun,
  type SyncRun,
  syncRunDetails,
  undoSyncRun,
} from '#shared/contract/directory-syncs.ts'
import type { HeldReason, SyncOutcome, SyncRow, SyncUndoOutcome } from '#shared/contract/sync-runs.ts'
import { call } from '../../platform/api.ts'

type Page = { id: string; after: number; outcome?: SyncOutcome; undo?: SyncUndoOutcome }

type Kind = 'directory-sync' | 'book-sync' | 'mailbox-sync'
type Objects = SyncRun['objects']

/** The calls about a run, which differ by the kind of sync. */
export type RunCalls = {
  rows(page: Page, signal: AbortSignal): Promise<SyncRow[]>
  /** Null: nothing may be written. */
  approve: ((id: string, reason: string) => Promise<unknown>) | null
  discard(id: string): Promise<unknown>
  undo(id: string, reason: string): Promise<unknown>
  heldKey(
    kind: HeldReason['kind'],
    objects: Objects | undefined,
  ): `${Kind | 'department-sync'}.held.${HeldReason['kind']}`
  approveText: `${Kind}.approve-text`
  undoText: `${Kind}.undo-text`
}

/** For directory syncs. */
export const SYNC_RUN_CALLS: RunCalls = {
  rows: async (query, signal) => (await call(syncRunDetails, { query }, { signal })).rows,
  approve: (id, reason) => call(approveSyncRun, { query: { id }, body: { reason } }),
  discard: (id) => call(discardSyncRun, { query: { id }, body: {} }),
  undo: (id, reason) => call(undoSyncRun, { query: { id }, body: { reason } }),
  heldKey: (kind, objects) =>
    objects === 'departments' ? `department-sync.held.${kind}` : `directory-sync.held.${kind}`,
  approveText: 'directory-sync.approve-text',
  undoText: 'directory-sync.undo-text',
}

/** For address book syncs. */
export const BOOK_RUN_CALLS: RunCalls = {
  rows: async (query, signal) => (await call(bookRunDetails, { query }, { signal })).rows,
  approve: (id, reason) => call(approveBookRun, { query: { id }, body: { reason } }),
  discard: (id) => call(discardBookRun, { query: { id }, body: {} }),
  undo: (id, reason) => call(undoBookRun, { query: { id }, body: { reason } }),
  heldKey: (kind) => `book-sync.held.${kind}`,
  approveText: 'book-sync.approve-text',
  undoText: 'book-sync.undo-text',
}

/** Of a run that creates and disables mailboxes. */
export const MAILBOX_RUN_CALLS: RunCalls = {
  ...BOOK_RUN_CALLS,
  heldKey: (kind) => `mailbox-sync.held.${kind}`,
  approveText: 'mailbox-sync.approve-text',
  undoText: 'mailbox-sync.undo-text',
}
