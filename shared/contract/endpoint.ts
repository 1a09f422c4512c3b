import { z } from 'zod'
import { isStorableMoment } from '../rules/moment-range.ts'
import type { Permission } from './permissions.ts'

/**
 * Who may call: `public` anyone · `limited` a portal session, even one that must change its password first ·
 * `enrolling` a portal session, even one that lacks its second factor · `completing` a portal session, even one that
 * lacks a required field · `user` a full portal session · `superUser` a full portal session of a super user ·
 * `administrator` a super user or an administrator of some organisations, `administrator:edit` only with that
 * permission: the handler checks `inScope` for every row it reads or changes · `application` no person but an
 * application, with its app key, that was granted the call: the call then has an `apiId`.
 */
export type Access =
  | 'public'
  | 'limited'
  | 'enrolling'
  | 'completing'
  | 'user'
  | 'superUser'
  | 'administrator'
  | `administrator:${Permission}`
  | 'application'

export type Endpoint<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> = {
  method: 'GET' | 'POST'
  /** Below /auth_service, with `{name}` for path parameters; matched with and without the trailing slash. */
  path: string
  access: Access
  summary: string
  /** Query and path parameters together. */
  query: Query
  body: Body
  output: Output
  /** Error codes of this call besides those common to all calls. */
  errors: readonly string[]
  /** False only for what a browser loads by itself: `sign`, `timestamp` and `uuids` are not required. */
  signed: boolean
  /** Maximum body size in bytes, if 64 KiB is not enough. */
  mostBodyBytes?: number
  /** Takes one file as multipart/form-data, of `mostBodyBytes` at most; its body is not signed. */
  upload?: boolean
  /** The media types of a bare answer, comma-separated; absent: JSON in the envelope. A redirect is `redirect`. */
  answers?: string
  /** The stable name that grants refer to. Its message is `interface.<apiId>`. */
  apiId?: string
}

const Nothing = z.strictObject({})

type EndpointOptions = {
  summary: string
  errors?: readonly string[]
  signed?: boolean
  mostBodyBytes?: number
  upload?: boolean
  answers?: string
  apiId?: string
}

/** A read call. Query values arrive as strings: use `z.coerce`. */
export function get<Q extends z.ZodType, O extends z.ZodType>(
  path: string,
  access: Access,
  query: Q,
  output: O,
  extra: EndpointOptions,
): Endpoint<Q, typeof Nothing, O> {
  return { method: 'GET', path, access, query, body: Nothing, output, errors: [], signed: true, ...extra }
}

/** A changing call; path parameters, if any, are declared in `extra.query`. */
export function post<B extends z.ZodType, O extends z.ZodType, Q extends z.ZodType = typeof Nothing>(
  path: string,
  access: Access,
  body: B,
  output: O,
  extra: EndpointOptions & { query?: Q },
): Endpoint<Q, B, O> {
  const { query = Nothing as unknown as Q, ...rest } = extra
  return { method: 'POST', path, access, query, body, output, errors: [], signed: true, ...rest }
}

export const Empty = Nothing
/** The answer of a call without a result. */
export const Done = z.null()
export const Id = z.uuid()
/** A time in any zone; `reason` is a key of `server/platform/http/validation-messages.ts`. */
export const Moment = z.iso
  .datetime({ offset: true })
  .refine((text) => isStorableMoment(new Date(text)), { params: { reason: 'moment' } })
/** The languages that ship. An institution may add others, so use this list only for shipped texts. */
export const SHIPPED_LANGUAGES = ['zh_CN', 'zh_TW', 'en'] as const
export type ShippedLanguage = (typeof SHIPPED_LANGUAGES)[number]
/**
 * The code of a language: its BCP 47 tag with underscores. Whether the institution has the language is checked
 * elsewhere.
 */
export const Language = z
  .string()
  .max(35)
  .regex(/^[a-z]{2,3}(_[A-Za-z\d]{2,8}){0,4}$/)
export type Language = z.infer<typeof Language>

/** The query of every list; a list adds its filters with `.extend` and restricts `sort` to an allow-list. */
export const ListQuery = z.strictObject({
  pageIndex: z.coerce.number().int().min(1).max(1_000_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(1000).default(10),
  search: z.string().trim().max(100).default(''),
})

/** A page of a list. `total` is exact up to 10,000; beyond that `totalIsLowerBound` is true. */
export const pageOf = <T extends z.ZodType>(row: T) =>
  z.object({ records: z.array(row), total: z.number().int(), totalIsLowerBound: z.boolean().optional() })

/** The answer of every call; the HTTP status equals `state`. */
export type Envelope<T> = {
  state: number
  message: string
  data: T
  total?: number
  /** A stable machine-readable code of a refusal, such as `password.too-weak`. */
  code?: string
  requestId?: string
}
