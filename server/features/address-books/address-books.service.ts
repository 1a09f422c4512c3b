import { type BookSync, BookSyncFields, isMailProvider } from '#shared/contract/address-books.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import type { Context } from '../../platform/platform.ts'
import { resolveStoredSecret } from '../../platform/stored-secret.ts'
import { findAddressRules } from '../corporate-mailbox/index.ts'
import { loadTree } from '../organizations/index.ts'
import { resourceService } from '../resources/index.ts'
import { checkResponsible, checkSchedule } from '../sync-runs/index.ts'
import { errors } from './address-books.errors.ts'
import {
  type BookQuery,
  booksStore,
  countCategories,
  deleteLinks,
  findSecret,
  hasMailProvider,
  isNameTaken,
} from './address-books.store.ts'
import { deleteRowsOf } from './book-rows.store.ts'
import { isBusy } from './book-runs.store.ts'

/** What a stored secret is valid for: it must not be sent anywhere else. */
const secretScope = ({ vendor, application, host }: Pick<BookSyncFields, 'vendor' | 'application' | 'host'>) => ({
  vendor,
  application,
  host,
})

/** @throws Refusal `settings.secret-needed`, `book-sync.no-secret`. */
async function checkSecret(ctx: Context, fields: BookSyncFields, id: string | null): Promise<void> {
  const [stored] = id === null || fields.secret !== SECRET_PLACEHOLDER ? [] : await booksStore.find(ctx, [id])
  const secret = resolveStoredSecret(
    { secret: fields.secret, destination: secretScope(fields) },
    stored && id !== null ? { secret: await findSecret(ctx, id), destination: secretScope(stored) } : null,
    'secret',
  )
  if (secret === '') throw errors['book-sync.no-secret']({ data: { fields: ['secret'] } })
}

/** @throws Refusal `book-sync.no-disable`, `.no-delete`, `.incomplete`, `.other-provider`, `.one-provider`. */
async function checkVendor(ctx: Context, fields: BookSyncFields, id: string | null): Promise<void> {
  const { vendor, leavers, host, coremail, roots } = fields
  if (leavers === 'disable' && vendor === 'dingding')
    throw errors['book-sync.no-disable']({ data: { fields: ['leavers'] } })
  const lacking = vendor === 'coremail' ? [...(host ? [] : ['host']), ...(coremail ? [] : ['coremail'])] : []
  // Coremail's units are left alone.
  const placed = roots.findIndex(({ departmentId }) => vendor === 'coremail' && departmentId !== 1)
  if (placed >= 0) lacking.push(`roots.${placed}.departmentId`)
  if (lacking.length > 0) throw errors['book-sync.incomplete']({ data: { fields: lacking } })
  if (!isMailProvider(vendor)) return
  if (leavers === 'delete') throw errors['book-sync.no-delete']({ data: { fields: ['leavers'] } })
  await requireProvider(ctx, vendor)
  if (await hasMailProvider(ctx.db, id)) throw errors['book-sync.one-provider']({ data: { fields: ['vendor'] } })
}

/** The rules of the corporate mailbox make the addresses, so that both are at the same provider. @throws Refusal `book-sync.other-provider`. */
export async function requireProvider(ctx: Context, vendor: BookSyncFields['vendor']): Promise<void> {
  if (isMailProvider(vendor) && (await findAddressRules(ctx, vendor)) === null)
    throw errors['book-sync.other-provider']({ data: { fields: ['vendor'] } })
}

export const booksService = resourceService<BookSyncFields, BookSync, BookQuery>({
  kind: 'book-sync',
  fields: BookSyncFields,
  store: booksStore,
  async check(ctx, fields, id) {
    if (await isNameTaken(ctx.db, fields.name, id))
      throw errors['book-sync.name-taken']({ params: { name: fields.name }, data: { fields: ['name'] } })
    await checkVendor(ctx, fields, id)
    const known = new Set((await loadTree(ctx, false)).map((one) => one.id))
    const gone = fields.roots.findIndex(({ organizationId }) => !known.has(organizationId))
    if (gone >= 0) throw errors['book-sync.no-root']({ data: { fields: [`roots.${gone}.organizationId`] } })
    if ((await countCategories(ctx.db, fields.categoryIds)) < new Set(fields.categoryIds).size)
      throw errors['book-sync.no-category']({ data: { fields: ['categoryIds'] } })
    await checkResponsible(ctx, fields.responsibleIds)
    checkSchedule(ctx, fields.schedule)
    await checkSecret(ctx, fields, id)
    return fields
  },
  async changed(ctx, { id, before, after }) {
    if (!after && (await isBusy(ctx.db, id))) throw errors['book-sync.running']()
    if (!before || !after) return
    const [old, now] = [BookSyncFields.parse(before), BookSyncFields.parse(after)]
    const isSame = old.vendor === now.vendor && old.application === now.application
    if (isSame) return
    // A run would go on in the other address book, and an undo would delete people there.
    if (await isBusy(ctx.db, id)) throw errors['book-sync.running']()
    await deleteLinks(ctx.db, id)
    await deleteRowsOf(ctx.db, id)
  },
})

export const bookSyncRestorer = booksService.restorer
