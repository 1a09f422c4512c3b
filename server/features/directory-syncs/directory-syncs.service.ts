import { isCursorColumn, isFileSource } from '#shared/contract/data-sources.ts'
import { type DirectorySync, DirectorySyncFields } from '#shared/contract/directory-syncs.ts'
import type { Context } from '../../platform/platform.ts'
import { findSourceKind } from '../data-sources/index.ts'
import { resourceService } from '../resources/index.ts'
import { checkResponsible, checkSchedule } from '../sync-runs/index.ts'
import { errors } from './directory-syncs.errors.ts'
import { countOrganizations, isNameTaken, type SyncQuery, syncsStore } from './directory-syncs.store.ts'

/** @throws Refusal `directory-sync.no-table`, `directory-sync.no-key`, `directory-sync.no-account`, `directory-sync.no-leaver-department`. */
async function checkPeople(ctx: Context, fields: DirectorySyncFields, isFile: boolean): Promise<void> {
  const { table, keyColumn, mapping, leavers } = fields
  if (!isFile && table === '') throw errors['directory-sync.no-table']({ data: { fields: ['table'] } })
  if (keyColumn === '') throw errors['directory-sync.no-key']({ data: { fields: ['keyColumn'] } })
  if (!mapping.some(({ field }) => field === 'account'))
    throw errors['directory-sync.no-account']({ data: { fields: ['mapping'] } })
  const place = leavers.organizationId
  if (leavers.action === 'move' && (place === null || (await countOrganizations(ctx.db, [place])) === 0))
    throw errors['directory-sync.no-leaver-department']({ data: { fields: ['organizationId'] } })
}

/** @throws Refusal `directory-sync.no-departments`, `….no-table`, `….no-key`, `….no-parent`, `….no-department-name`, `….no-root`. */
async function checkDepartments(ctx: Context, { departments }: DirectorySyncFields, isFile: boolean): Promise<void> {
  if (!departments) throw errors['directory-sync.no-departments']({ data: { fields: ['departments'] } })
  if (!isFile && departments.table === '')
    throw errors['directory-sync.no-table']({ data: { fields: ['departments.table'] } })
  if (departments.keyColumn === '')
    throw errors['directory-sync.no-key']({ data: { fields: ['departments.keyColumn'] } })
  if (departments.parentColumn === '')
    throw errors['directory-sync.no-parent']({ data: { fields: ['departments.parentColumn'] } })
  const fields = departments.mapping.map(({ field }) => field)
  if (!fields.includes('name') || !fields.includes('code'))
    throw errors['directory-sync.no-department-name']({ data: { fields: ['mapping'] } })
  const roots = departments.roots.flatMap(({ organizationId }) => organizationId ?? [])
  if ((await countOrganizations(ctx.db, roots)) < new Set(roots).size)
    throw errors['directory-sync.no-root']({ data: { fields: ['roots'] } })
}

export const syncsService = resourceService<DirectorySyncFields, DirectorySync, SyncQuery>({
  kind: 'directory-sync',
  fields: DirectorySyncFields,
  store: syncsStore,
  async check(ctx, fields, id) {
    if (await isNameTaken(ctx.db, fields.name, id))
      throw errors['directory-sync.name-taken']({ params: { name: fields.name }, data: { fields: ['name'] } })
    const kind = await findSourceKind(ctx, fields.sourceId)
    if (!kind) throw errors['directory-sync.no-source']({ data: { fields: ['sourceId'] } })
    if (fields.cursorColumn !== null && !isCursorColumn(kind, fields.cursorColumn))
      throw errors['directory-sync.no-cursor']({ data: { fields: ['cursorColumn'] } })
    await checkResponsible(ctx, fields.responsibleIds)
    const isFile = isFileSource(kind)
    if (fields.objects !== 'departments') await checkPeople(ctx, fields, isFile)
    if (fields.objects !== 'people') await checkDepartments(ctx, fields, isFile)
    checkSchedule(ctx, fields.schedule)
    if (!isFile) return fields
    return { ...fields, table: '', departments: fields.departments && { ...fields.departments, table: '' } }
  },
  async changed() {},
})

export const directorySyncRestorer = syncsService.restorer
