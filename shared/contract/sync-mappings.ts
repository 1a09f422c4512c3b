import { z } from 'zod'
import { Id, post } from './endpoint.ts'

const MAX_TRANSFORMS = 10
const MAX_TABLE = 500
const MAX_COLUMNS = 10

export const ColumnName = z.string().trim().min(1).max(200)
const text = (most: number) => z.string().max(most)
const columns = z.array(ColumnName).min(1).max(MAX_COLUMNS)

/** The date formats of a source. */
export const DATE_FORMATS = ['YYYYMMDD', 'YYYY-MM-DD', 'YYYY/MM/DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'] as const

/** A transform of a value: data of a fixed kind, never executed. */
export const Transform = z.discriminatedUnion('kind', [
  /** Takes the value of another column. */
  z.strictObject({ kind: z.literal('copy'), column: ColumnName }),
  z.strictObject({ kind: z.literal('const'), value: text(200) }),
  /** `{name}` is the value of a column, `{}` the value so far. */
  z.strictObject({ kind: z.literal('template'), text: text(500) }),
  z.strictObject({ kind: z.literal('trim') }),
  z.strictObject({ kind: z.literal('upper') }),
  z.strictObject({ kind: z.literal('lower') }),
  z.strictObject({ kind: z.literal('halfwidth') }),
  z.strictObject({ kind: z.literal('replace'), search: text(100).min(1), with: text(100) }),
  /** From a position, counted from 1, or from the end if negative. */
  z.strictObject({
    kind: z.literal('substring'),
    from: z.number().int().min(-2000).max(2000),
    length: z.number().int().min(1).max(2000).nullable(),
  }),
  /** One part between separators, counted from 1, or from the end if negative. */
  z.strictObject({
    kind: z.literal('split'),
    separator: text(20).min(1),
    part: z.number().int().min(-50).max(50),
  }),
  z.strictObject({ kind: z.literal('join'), columns, separator: text(20) }),
  /** A table of source words and their replacements; others become `otherwise`, or (null) stay unchanged. */
  z.strictObject({
    kind: z.literal('map'),
    table: z.array(z.strictObject({ from: text(200), to: text(200) })).max(MAX_TABLE),
    otherwise: text(200).nullable(),
  }),
  z.strictObject({ kind: z.literal('date'), format: z.enum(DATE_FORMATS) }),
  z.strictObject({ kind: z.literal('phone') }),
  /** The first of these columns with a value. */
  z.strictObject({ kind: z.literal('firstOf'), columns }),
  z.strictObject({
    kind: z.literal('pad'),
    length: z.number().int().min(1).max(64),
    with: text(1).min(1),
    side: z.enum(['start', 'end']),
  }),
])
export type Transform = z.infer<typeof Transform>
export type TransformKind = Transform['kind']

/** Transforms that need no column. */
const STARTERS: readonly TransformKind[] = ['copy', 'const', 'template', 'join', 'firstOf']

type MappedShape = { column: string; transforms: readonly Transform[] }

/** A field with its column (empty: the first step gives a value) and transforms. */
export const mappingEntry = <Field extends z.ZodType>(field: Field) =>
  z
    .strictObject({
      field,
      column: z.string().trim().max(200),
      transforms: z.array(Transform).max(MAX_TRANSFORMS).default([]),
    })
    .refine((entry) => {
      const { column, transforms } = entry as unknown as MappedShape
      return column !== '' || STARTERS.some((kind) => kind === transforms[0]?.kind)
    })

/** Each field is filled at most once. */
export const isOneOfEach = (entries: readonly unknown[]): boolean =>
  new Set(entries.map((entry) => (entry as { field: string }).field)).size === entries.length

/** How people not linked yet are found, in order. */
export const MATCH_FIELDS = ['account', 'mailbox', 'phone'] as const
export const MatchBy = z.array(z.enum(MATCH_FIELDS)).max(3)

const PreviewValue = z.object({
  value: z.string(),
  /** What is wrong with it, in words. */
  problem: z.string().nullable(),
})

export const previewSyncMapping = post(
  '/directory_sync/preview/',
  'superUser',
  z.strictObject({
    sourceId: Id,
    of: z.enum(['people', 'departments']).default('people'),
    /** The sync reads departments too: which ones there are for people isn't known yet. */
    withDepartments: z.boolean().default(false),
    table: z.string().trim().max(200).default(''),
    keyColumn: ColumnName,
    mapping: z.array(mappingEntry(z.string().max(60))).max(50),
    /** The sync whose links tell who is known; absent: it isn't saved yet. */
    syncId: Id.optional(),
    matchBy: MatchBy.default(['account']),
  }),
  z.object({
    /** Why nothing could be read, in words. */
    problem: z.string().nullable(),
    /** False: the source fell silent behind these rows. */
    isWhole: z.boolean(),
    rows: z.array(
      z.object({
        key: z.string(),
        /** What a run would refuse, or leave to a decision, apart from the values. */
        problems: z.array(z.string()),
        values: z.array(PreviewValue),
      }),
    ),
  }),
  {
    summary: 'The result of a mapping for the first twenty rows of a source; nothing is stored',
    errors: ['resource.not-found'],
  },
)
