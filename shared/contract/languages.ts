import { z } from 'zod'
import { Done, Empty, get, Language, ListQuery, pageOf, post, SHIPPED_LANGUAGES } from './endpoint.ts'
import { SHEET_ERRORS } from './sheets.ts'

/** The available languages in the institution's order, each in its own name. */
const OfferedLanguage = z.object({
  code: Language,
  /** The language's own name. */
  name: z.string(),
  direction: z.enum(['ltr', 'rtl']),
  /** The shipped language whose texts fill the gaps; null: it ships itself. */
  fallback: z.enum(SHIPPED_LANGUAGES).nullable(),
})
export type OfferedLanguage = z.infer<typeof OfferedLanguage>

export const listLanguages = get('/language/', 'public', Empty, z.array(OfferedLanguage), {
  summary: 'The interface languages',
})

/** The texts of one language with the institution's changes; the list has one entry with the code. */
export const translatedMessages = get(
  '/language/messages/',
  'public',
  z.strictObject({
    language: Language,
    /** 0: the interface. */
    firstType: z.coerce.number().int().min(0).max(0).default(0),
  }),
  z.array(z.object({ code: Language, messages: z.record(z.string(), z.string()) })),
  { summary: 'The translated messages', errors: ['language.not-found'] },
)

/** The kind of place where a text is shown. */
export const TEXT_SURFACES = ['title', 'text', 'help', 'error', 'name'] as const
/**
 * Possible mistakes in a text. `outdated`: the shipped text has changed since the customised one was written;
 * `too-long`: half as long again as the shipped one in any language; `simplified`: characters not used in Taiwan.
 */
export const TEXT_WARNINGS = ['outdated', 'untranslated', 'same-as-source', 'simplified', 'too-long'] as const
export type TextWarning = (typeof TEXT_WARNINGS)[number]

/** Why a text is refused; the messages are `text-problem.<name>`. */
export const TEXT_PROBLEMS = [
  'empty',
  'too-long',
  'control-character',
  'direction-character',
  'markup',
  'line-break',
  'placeholder-malformed',
  'placeholder-missing',
  'placeholder-unknown',
  'code-missing',
  'plural-missing',
  'foreign-link',
] as const
export type TextProblem = (typeof TEXT_PROBLEMS)[number]

const TextKey = z.string().min(1).max(150)
/** Far more than any page has room for. */
export const MAX_TEXT_LENGTH = 4000

const TextInLanguage = z.object({
  language: Language,
  /** The customised text; null: none. */
  own: z.string().nullable(),
  /** The shipped text; null: none in this language. */
  shipped: z.string().nullable(),
  /** The text shown. */
  text: z.string(),
  /** The text to translate, in the fallback language; null: it is shipped. */
  source: z.string().nullable(),
  /** The shipped text when the own text was written, if it has changed since. */
  formerlyShipped: z.string().nullable(),
  /** 0: not customised. */
  version: z.number().int(),
  warnings: z.array(z.enum(TEXT_WARNINGS)),
  /** The other plural forms, in a language that does not ship. They are saved together or not at all. */
  forms: z.array(z.object({ key: TextKey, own: z.string().nullable(), text: z.string(), version: z.number().int() })),
})

export const WordingText = z.object({
  key: TextKey,
  group: z.string(),
  surface: z.enum(TEXT_SURFACES),
  /** Names in double braces, replaced by values. */
  placeholders: z.array(z.string()),
  /** In every language, in the institution's order. */
  texts: z.array(TextInLanguage),
})
export type WordingText = z.infer<typeof WordingText>
export type TextInLanguage = z.infer<typeof TextInLanguage>

export const TEXT_STATES = ['missing', 'own', 'outdated', 'problem'] as const

export const listTextGroups = get(
  '/secondType/',
  'superUser',
  Empty,
  z.array(z.object({ code: z.string(), total: z.number().int() })),
  { summary: 'The groups of texts, with the number of texts in each' },
)

const textFilters = {
  id: z.union([z.literal('all'), Language]),
  group: z.string().max(150).optional(),
  /** For the language `id`, or any. */
  state: z.enum(TEXT_STATES).optional(),
  sort: z.enum(['key', '-key']).default('key'),
}

export const listTexts = post('/language/{id}/list/', 'superUser', Empty, pageOf(WordingText), {
  summary:
    'The texts of the product in every language; `id` is the language to filter by, or `all`. The search matches part of a key or of a text in any language',
  query: ListQuery.extend(textFilters),
})

export const exportTexts = get(
  '/language/{id}/export/',
  'superUser',
  z.strictObject({
    ...textFilters,
    search: ListQuery.shape.search,
    format: z.enum(['csv', 'xlsx']).default('xlsx'),
    /** Unused; sent by every list export. */
    timeZone: z.string().max(60).optional(),
  }),
  z.null(),
  {
    summary:
      'The texts of a language, or of `all`, as a file for importing: for each language a column with its text and one with its version',
    answers: 'text/csv, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    errors: ['export.busy'],
  },
)

export const MAX_TEXT_IMPORT_BYTES = 8 * 1024 * 1024
/** Of rows that changed something or failed; the counts cover all. */
export const MAX_TEXT_REPORT_ROWS = 1000

const ImportedText = z.object({
  /** The row number as a spreadsheet shows it. */
  row: z.number().int(),
  key: z.string(),
  language: Language,
  /** `conflict`: somebody else changed the text after the export, and their text is kept. */
  result: z.enum(['changed', 'unchanged', 'refused', 'conflict']),
  /** Why it is refused. */
  message: z.string().nullable(),
  /** The shipped text, the current one, and the file's. */
  shipped: z.string().nullable(),
  now: z.string().nullable(),
  given: z.string(),
})
const TextImportReport = z.object({
  /** Without unchanged rows. */
  rows: z.array(ImportedText),
  counts: z.record(ImportedText.shape.result, z.number().int()),
})
export type TextImportReport = z.infer<typeof TextImportReport>

const importCall = (verb: 'check' | 'run', summary: string) =>
  post(`/language/import/${verb}/`, 'superUser', Empty, TextImportReport, {
    summary,
    errors: ['text.import-columns', ...SHEET_ERRORS],
    mostBodyBytes: MAX_TEXT_IMPORT_BYTES,
    upload: true,
  })

export const checkTextImport = importCall(
  'check',
  'What an import of texts from a csv or xlsx file would do, row by row; nothing is written',
)
export const runTextImport = importCall(
  'run',
  'Import texts from a csv or xlsx file: whatever is neither refused nor changed by somebody else since the file was made',
)

export const findText = get('/language/text/', 'superUser', z.strictObject({ key: TextKey }), WordingText, {
  summary: 'One text in every language',
  errors: ['text.not-found'],
})

export const saveTexts = post(
  '/language/{id}/update/',
  'superUser',
  z.strictObject({
    texts: z
      .array(
        z.strictObject({
          key: TextKey,
          /** Null: the shipped text. */
          text: z.string().max(MAX_TEXT_LENGTH).nullable(),
          /** As read; 0 without a customised text. */
          version: z.number().int().min(0),
        }),
      )
      .min(1)
      .max(50),
  }),
  z.array(WordingText),
  {
    summary: 'Save customised texts in a language, or reset them: all of them or, if one is refused, none',
    query: z.strictObject({ id: Language }),
    errors: [
      'language.not-found',
      'text.not-found',
      'text.refused',
      'text.repeated',
      /** `data.current` is the current text. */
      'version.conflict',
    ],
  },
)

/** The properties of a language. */
const LanguageFields = z.strictObject({
  name: z.string().trim().min(1).max(60),
  direction: z.enum(['ltr', 'rtl']),
  /** The source of missing texts; a shipped language has none. */
  fallback: z.enum(SHIPPED_LANGUAGES).nullable(),
  /** Position in the list, from 1; browsers that ask for none of the languages get the first one. */
  position: z.number().int().min(1).max(100),
})
export type LanguageFields = z.infer<typeof LanguageFields>

const Coverage = z.object({
  total: z.number().int(),
  /** Number of texts in the language itself. */
  translated: z.number().int(),
})

export const ManagedLanguage = OfferedLanguage.extend({
  position: z.number().int(),
  enabled: z.boolean(),
  version: z.number().int(),
  coverage: Coverage.extend({ own: z.number().int(), outdated: z.number().int(), problems: z.number().int() }),
  /** The coverage of each group, by name. */
  groups: z.array(Coverage.extend({ code: z.string() })),
  /** The coverage of the groups needed before it can be made available: the login page and error messages. */
  needed: Coverage,
})
export type ManagedLanguage = z.infer<typeof ManagedLanguage>

export const queryLanguages = post('/language/{id}/query/', 'superUser', Empty, z.array(ManagedLanguage), {
  summary: 'A language, or `all`, with name, direction and coverage',
  query: z.strictObject({ id: z.union([z.literal('all'), Language]) }),
  errors: ['language.not-found'],
})

export const addLanguage = post('/language/{id}/add/', 'superUser', LanguageFields, ManagedLanguage, {
  summary: 'Add a language; `id` is its BCP 47 tag. It is not available to visitors until it is enabled',
  query: z.strictObject({ id: z.string().min(2).max(35) }),
  errors: ['language.unknown-tag', 'language.exists', 'language.fallback-needed', 'language.too-many'],
})

const Version = z.number().int().min(0)

export const changeLanguage = post(
  '/language/{id}/change/',
  'superUser',
  LanguageFields.extend({ enabled: z.boolean(), version: Version }),
  ManagedLanguage,
  {
    summary: 'Change name, direction, position and availability of a language',
    query: z.strictObject({ id: Language }),
    errors: [
      'language.not-found',
      'language.fallback-needed',
      'language.fallback-off',
      'language.incomplete',
      'language.last',
      'language.is-fallback',
      'version.conflict',
    ],
  },
)

export const deleteLanguage = post('/language/{id}/delete/', 'superUser', z.strictObject({ version: Version }), Done, {
  summary: 'Delete an added language; its texts are kept in case it is added again',
  query: z.strictObject({ id: Language }),
  errors: ['language.not-found', 'language.ships', 'language.in-use', 'version.conflict'],
})
