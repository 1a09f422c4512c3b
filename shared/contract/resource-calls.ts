import { z } from 'zod'
import { Done, get, Id, ListQuery, pageOf, post } from './endpoint.ts'

type Declaration<
  Fields extends z.ZodRawShape,
  Row extends z.ZodType,
  Filters extends z.ZodRawShape,
  Sort extends string,
  Extra extends z.ZodRawShape,
> = {
  /** The path prefix of its calls: `/ip_range`. */
  path: string
  /** Singular, for the summaries: `an IP range`. */
  one: string
  /** Plural: `IP ranges`. */
  many: string
  /** What `search` searches. */
  searched: string
  /** The input to create and to change one. */
  fields: z.ZodObject<Fields, z.core.$strict>
  /** The output, with `id` and `version`. */
  row: Row
  filters: Filters
  /** The first is the default order. */
  sorts: readonly [Sort, ...Sort[]]
  /** Additional errors of saving. */
  errors: readonly string[]
  /** Additional errors of deleting. */
  removalErrors?: readonly string[]
  /** Additional input of each change, which is not stored. */
  options?: Extra
}

/** The calls of every back-office resource, for super users: list, read, create, change, delete. */
export function resourceCalls<
  Fields extends z.ZodRawShape,
  Row extends z.ZodType,
  Filters extends z.ZodRawShape,
  const Sort extends string,
  // biome-ignore lint/complexity/noBannedTypes: no option
  Extra extends z.ZodRawShape = {},
>({
  path,
  one,
  many,
  searched,
  fields,
  row,
  filters,
  sorts,
  errors,
  removalErrors = [],
  options = {} as Extra,
}: Declaration<Fields, Row, Filters, Sort, Extra>) {
  const Path = z.strictObject({ id: Id })
  const version = z.number().int().min(1)
  const given = fields.extend({ ...options })
  const sort = z.enum(sorts).default(sorts[0] as never)
  return {
    list: get(`${path}/query/`, 'superUser', ListQuery.extend({ ...filters, sort }), pageOf(row), {
      summary: `${many[0]?.toUpperCase()}${many.slice(1)}; \`search\`: ${searched}`,
      errors: ['list.too-deep'],
    }),
    details: get(`${path}/{id}/details/`, 'superUser', Path, row, {
      summary: `Read ${one}`,
      errors: ['resource.not-found'],
    }),
    create: post(`${path}/create/`, 'superUser', given, row, { summary: `Create ${one}`, errors }),
    update: post(`${path}/{id}/update/`, 'superUser', given.extend({ version }), row, {
      query: Path,
      summary: `Change ${one}`,
      errors: [...errors, 'resource.not-found', 'version.conflict'],
    }),
    remove: post(`${path}/{id}/delete/`, 'superUser', z.strictObject({ ...options, version }), Done, {
      query: Path,
      summary: `Delete ${one}`,
      errors: [...removalErrors, 'resource.not-found', 'version.conflict'],
    }),
  }
}
