import { type BookSync, BookSyncFields } from '#shared/contract/address-books.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/message-gateways.ts'
import type { Context } from '../../platform/platform.ts'
import { resolveStoredSecret } from '../../platform/stored-secret.ts'
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
  isNameTaken,
} from './address-books.store.ts'
import { isBusy } from './book-runs.store.ts'

/** Whose address book it is, and who gets to see the secret. */
const placeOf = ({ vendor, application, host }: Pick<BookSyncFields, 'vendor' | 'application' | 'host'>) => ({
  vendor,
  application,
  host,
})

/** @throws Refusal `settings.secret-needed`, `book-sync.no-secret`. */
async function checkSecret(ctx: Context, fields: BookSyncFields, id: string | null): Promise<void> {
  const [stored] = id === null || fields.secret !== SECRET_PLACEHOLDER ? [] : await booksStore.find(ctx, [id])
  const secret = resolveStoredSecret(
    { secret: fields.secret, place: placeOf(fields) },
    stored && id !== null ? { secret: await findSecret(ctx, id), place: placeOf(stored) } : null,
  )
  if (secret === '') throw errors['book-sync.no-secret']({ data: { fields: ['secret'] } })
}

export const booksService = resourceService<BookSyncFields, BookSync, BookQuery>({
  kind: 'book-sync',
  fields: BookSyncFields,
  store: booksStore,
  async check(ctx, fields, id) {
    if (await isNameTaken(ctx.db, fields.name, id))
      throw errors['book-sync.name-taken']({ params: { name: fields.name }, data: { fields: ['name'] } })
    if (fields.leavers === 'disable' && fields.vendor !== 'qywx')
      throw errors['book-sync.no-disable']({ data: { fields: ['leavers'] } })
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
    if (!isSame) await deleteLinks(ctx.db, id)
  },
})

export const bookSyncRestorer = booksService.restorer
