import { z } from 'zod'
import { Done, get, Id, ListQuery, pageOf, post } from './endpoint.ts'

type Declaration<
  Fields extends z.ZodRawShape,
  Row extends z.ZodType,
  Filters extends z.ZodRawShape,
  Sort extends string,
  Extra extends z.ZodRawShape,
> = {
  /** Below which its calls lie: `/ip_range`. */
  path: string
  /** One of them, in the summaries: `an IP range`. */
  one: string
  /** Several: `IP ranges`. */
  many: string
  /** What `search` finds. */
  searched: string
  /** What is given to create and to change one. */
  fields: z.ZodObject<Fields, z.core.$strict>
  /** What is read of one, with `id` and `version`. */
  row: Row
  filters: Filters
  /** The first is the order when none is asked for. */
  sorts: readonly [Sort, ...Sort[]]
  /** What saving may be refused with, besides the usual. */
  errors: readonly string[]
  /** What deleting may be refused with. */
  removalErrors?: readonly string[]
  /** What each change takes besides the fields; it is not kept. */
  options?: Extra
}

/** The calls that every resource of the back office has, for super users: list, read, create, change, delete. */
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
