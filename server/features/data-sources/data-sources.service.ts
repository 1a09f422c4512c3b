import { isDeepStrictEqual } from 'node:util'
import { type DataSource, DataSourceFields, MAX_DATA_SOURCES } from '#shared/contract/data-sources.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import { isConstraintViolation } from '../../platform/db.ts'
import type { Context } from '../../platform/platform.ts'
import { resolveStoredSecret } from '../../platform/stored-secret.ts'
import { countNamed, resourceService } from '../resources/index.ts'
import { checkedFields, destinationOf } from './checked-fields.service.ts'
import { errors } from './data-sources.errors.ts'
import { findPassword, type SourceQuery, sourcesStore } from './data-sources.store.ts'

/** For the stored one: pinning a server's first key is no change of destination, as nothing was sent before. */
const storedDestinationOf = (stored: DataSourceFields, { options: { hostKey } }: DataSourceFields) =>
  destinationOf(stored.options.hostKey === '' ? { ...stored, options: { ...stored.options, hostKey } } : stored)

/** Is this the stored source, unchanged in everything that determines its destination? */
export async function isSameDestination(ctx: Context, fields: DataSourceFields, id: string): Promise<boolean> {
  const [stored] = await sourcesStore.find(ctx, [id])
  return stored !== undefined && isDeepStrictEqual(storedDestinationOf(stored, fields), destinationOf(fields))
}

/** The password to use. @throws Refusal `settings.secret-needed`. */
export async function resolvePassword(ctx: Context, fields: DataSourceFields, id: string | null): Promise<string> {
  const [stored] = id === null || fields.password !== SECRET_PLACEHOLDER ? [] : await sourcesStore.find(ctx, [id])
  return resolveStoredSecret(
    { secret: fields.password, destination: destinationOf(fields) },
    stored && id !== null
      ? { secret: await findPassword(ctx, id), destination: storedDestinationOf(stored, fields) }
      : null,
    'password',
  )
}

export const sourcesService = resourceService<DataSourceFields, DataSource, SourceQuery>({
  kind: 'data-source',
  fields: DataSourceFields,
  store: sourcesStore,
  async check(ctx, given, id) {
    const fields = await checkedFields(given)
    const { count, isTaken } = await countNamed(ctx.db, 'data_sources', fields.name, id)
    if (isTaken) throw errors['data-source.name-taken']({ params: { name: fields.name }, data: { fields: ['name'] } })
    if (id === null && count >= MAX_DATA_SOURCES)
      throw errors['data-source.too-many']({ params: { most: MAX_DATA_SOURCES } })
    await resolvePassword(ctx, fields, id)
    return fields
  },
  async changed() {},
})

/** @throws Refusal `data-source.in-use` besides those of every resource. */
export async function removeSource(ctx: Context, id: string, version: number): Promise<null> {
  try {
    return await sourcesService.remove(ctx, id, version)
  } catch (error) {
    throw isConstraintViolation(error, 'reference') ? errors['data-source.in-use']() : error
  }
}

export const dataSourceRestorer = sourcesService.restorer

/** As it is shown, without its password. @throws Refusal `resource.not-found`. */
export const findSource = (ctx: Context, id: string): Promise<DataSource> => sourcesService.get(ctx, id)

/** Null: there is none. */
export async function findSourceKind(ctx: Context, id: string): Promise<DataSourceFields['kind'] | null> {
  const [source] = await sourcesStore.find(ctx, [id])
  return source?.kind ?? null
}

/** Increases whenever a source's definition changes. @throws Refusal `resource.not-found`. */
export const sourceVersion = async (ctx: Context, id: string): Promise<number> =>
  (await sourcesService.get(ctx, id)).version
