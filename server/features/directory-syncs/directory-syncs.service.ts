import { type DirectorySync, DirectorySyncFields } from '#shared/contract/directory-syncs.ts'
import { findSourceKind } from '../data-sources/index.ts'
import { resourceService } from '../resources/index.ts'
import { errors } from './directory-syncs.errors.ts'
import { findOtherSync, isNameTaken, type SyncQuery, syncsStore } from './directory-syncs.store.ts'

export const syncsService = resourceService<DirectorySyncFields, DirectorySync, SyncQuery>({
  kind: 'directory-sync',
  fields: DirectorySyncFields,
  store: syncsStore,
  async check(ctx, fields, id) {
    if (await isNameTaken(ctx.db, fields.name, id))
      throw errors['directory-sync.name-taken']({ params: { name: fields.name }, data: { fields: ['name'] } })
    const kind = await findSourceKind(ctx, fields.sourceId)
    if (!kind) throw errors['directory-sync.no-source']({ data: { fields: ['sourceId'] } })
    const other = await findOtherSync(ctx.db, fields.sourceId, id)
    if (other !== null)
      throw errors['directory-sync.source-taken']({ params: { name: other }, data: { fields: ['sourceId'] } })
    if (kind !== 'csv-upload' && fields.table === '')
      throw errors['directory-sync.no-table']({ data: { fields: ['table'] } })
    if (!fields.mapping.some(({ field }) => field === 'account'))
      throw errors['directory-sync.no-account']({ data: { fields: ['mapping'] } })
    return kind === 'csv-upload' ? { ...fields, table: '' } : fields
  },
  async changed() {},
})

export const directorySyncRestorer = syncsService.restorer
