import {
  approveBookRun,
  bookRunDetails,
  bookSyncs,
  discardBookRun,
  listBookRuns,
  startBookSync,
  undoBookRun,
} from '#shared/contract/address-books.ts'
import type { Api } from '../../platform/http/mount.ts'
import { booksService } from './address-books.service.ts'
import { approveBook, discardBook, getBookRun, listBooksRuns, startBook, undoBookRunOf } from './book-runs.service.ts'

export function mountAddressBooks(api: Api): void {
  api.mount(bookSyncs.list, (ctx, { query }) => booksService.page(ctx, query))
  api.mount(bookSyncs.details, (ctx, { query }) => booksService.get(ctx, query.id))
  api.mount(bookSyncs.create, (ctx, { body }) => booksService.create(ctx, body))
  api.mount(bookSyncs.update, (ctx, { query, body }) => booksService.update(ctx, query.id, body))
  api.mount(bookSyncs.remove, (ctx, { query, body }) => booksService.remove(ctx, query.id, body.version))
  api.mount(startBookSync, (ctx, { query, body }) => startBook(ctx, query.id, body.dryRun))
  api.mount(listBookRuns, (ctx, { query }) => listBooksRuns(ctx, query.syncId))
  api.mount(bookRunDetails, (ctx, { query }) => getBookRun(ctx, query))
  api.mount(approveBookRun, (ctx, { query, body }) => approveBook(ctx, query.id, body.reason))
  api.mount(discardBookRun, (ctx, { query }) => discardBook(ctx, query.id))
  api.mount(undoBookRun, (ctx, { query, body }) => undoBookRunOf(ctx, query.id, body.reason))
}
