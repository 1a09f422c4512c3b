import { z } from 'zod'
import { Done, Empty, get, Language, ListQuery, pageOf, post, SHIPPED_LANGUAGES } from './endpoint.ts'
import { SHEET_ERRORS } from './sheets.ts'

/** The languages that the institution offers, in its order, each in its own name. */
const OfferedLanguage = z.object({
  code: Language,
  /** What the language calls itself. */
  name: z.string(),
  direction: z.enum(['ltr', 'rtl']),
  /** A language that ships, where the texts come from that this one lacks; null: it ships itself. */
  fallback: z.enum(SHIPPED_LANGUAGES).nullable(),
})
export type OfferedLanguage = z.infer<typeof OfferedLanguage>

export const listLanguages = get('/language/', 'public', Empty, z.array(OfferedLanguage), {
  summary: 'The interface languages',
})

/** The wording of one language with the institution's changes; the list has one entry, which carries the code. */
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

/** Where a text stands on a page. */
export const TEXT_SURFACES = ['title', 'text', 'help', 'error', 'name'] as const
/**
 * What may be a mistake in a text and is allowed all the same. `outdated`: what ships has changed since the own text was written;
 * `too-long`: longer by half than what ships in any language; `simplified`: characters that Taiwan does not write.
 */
export const TEXT_WARNINGS = ['outdated', 'untranslated', 'same-as-source', 'simplified', 'too-long'] as const
export type TextWarning = (typeof TEXT_WARNINGS)[number]

/** Why a text is refused; the words are `text-problem.<name>`. */
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
  /** What the institution wrote; null: it is as it ships. */
  own: z.string().nullable(),
  /** What ships; null: nothing in this language. */
  shipped: z.string().nullable(),
  /** What is shown. */
  text: z.string(),
  /** What it is translated from, in the fallback language; null: it ships. */
  source: z.string().nullable(),
  /** What shipped when the own text was written, where that is another text by now. */
  formerlyShipped: z.string().nullable(),
  /** 0: it has no own text. */
  version: z.number().int(),
  warnings: z.array(z.enum(TEXT_WARNINGS)),
  /** Of a text that differs by number, in a language that does not ship: its other forms there. They are saved together or not at all. */
  forms: z.array(z.object({ key: TextKey, own: z.string().nullable(), text: z.string(), version: z.number().int() })),
})

export const WordingText = z.object({
  key: TextKey,
  group: z.string(),
  surface: z.enum(TEXT_SURFACES),
  /** Names in double braces that stand for a value. */
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
  { summary: 'The groups that the texts of the product are in, with how many each has' },
)

const textFilters = {
  id: z.union([z.literal('all'), Language]),
  group: z.string().max(150).optional(),
  /** Of the language of `id`, or in any. */
  state: z.enum(TEXT_STATES).optional(),
  sort: z.enum(['key', '-key']).default('key'),
}

export const listTexts = post('/language/{id}/list/', 'superUser', Empty, pageOf(WordingText), {
  summary:
    'The texts of the product with their wording in every language; `id` is the language that is filtered by, or `all`. The search looks for a part of a key or of a text in any language',
  query: ListQuery.extend(textFilters),
})

export const exportTexts = get(
  '/language/{id}/export/',
  'superUser',
  z.strictObject({
    ...textFilters,
    search: ListQuery.shape.search,
    format: z.enum(['csv', 'xlsx']).default('xlsx'),
    /** Of no use here: every export of a list is asked with it. */
    timeZone: z.string().max(60).optional(),
  }),
  z.null(),
  {
    summary:
      'The texts of a language, or of `all`, as a file that can be imported again: a column for each language and one for the version of its text',
    answers: 'text/csv, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    errors: ['export.busy'],
  },
)

export const MAX_TEXT_IMPORT_BYTES = 8 * 1024 * 1024
/** Of the rows that changed something or could not; the counts know of all. */
export const MAX_TEXT_REPORT_ROWS = 1000

const ImportedText = z.object({
  /** As a spreadsheet counts them. */
  row: z.number().int(),
  key: z.string(),
  language: Language,
  /** `conflict`: somebody else changed the text since the file was made, and theirs stays. */
  result: z.enum(['changed', 'unchanged', 'refused', 'conflict']),
  /** Why it is refused. */
  message: z.string().nullable(),
  /** What ships, what stands there now, and what the file says. */
  shipped: z.string().nullable(),
  now: z.string().nullable(),
  given: z.string(),
})
const TextImportReport = z.object({
  /** Without those that change nothing. */
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
  summary: 'One text with its wording in every language',
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
          /** Null: as it ships. */
          text: z.string().max(MAX_TEXT_LENGTH).nullable(),
          /** As it was read; 0 for what had no own text. */
          version: z.number().int().min(0),
        }),
      )
      .min(1)
      .max(50),
  }),
  z.array(WordingText),
  {
    summary:
      'Save what the institution says itself in a language, or go back to what ships: all of these texts or, when one is refused, none',
    query: z.strictObject({ id: Language }),
    errors: [
      'language.not-found',
      'text.not-found',
      'text.refused',
      /** `data.current` is the text as it is by now. */
      'version.conflict',
    ],
  },
)

/** What a language is besides its texts. */
const LanguageFields = z.strictObject({
  name: z.string().trim().min(1).max(60),
  direction: z.enum(['ltr', 'rtl']),
  /** Where the texts come from that it lacks; of a language that ships nothing is taken from another. */
  fallback: z.enum(SHIPPED_LANGUAGES).nullable(),
  /** Among the others, from 1; the first one is shown to browsers that ask for none of them. */
  position: z.number().int().min(1).max(100),
})
export type LanguageFields = z.infer<typeof LanguageFields>

const Coverage = z.object({
  total: z.number().int(),
  /** What is said in the language itself. */
  translated: z.number().int(),
})

export const ManagedLanguage = OfferedLanguage.extend({
  position: z.number().int(),
  enabled: z.boolean(),
  version: z.number().int(),
  coverage: Coverage.extend({ own: z.number().int(), outdated: z.number().int(), problems: z.number().int() }),
  /** How far each group of texts is, in the order of their names. */
  groups: z.array(Coverage.extend({ code: z.string() })),
  /** Of the groups that a language needs before it is offered: the login page and what is refused. */
  needed: Coverage,
})
export type ManagedLanguage = z.infer<typeof ManagedLanguage>

export const queryLanguages = post('/language/{id}/query/', 'superUser', Empty, z.array(ManagedLanguage), {
  summary: 'A language, or `all`, with what it is called, how it is written, and how far its texts are',
  query: z.strictObject({ id: z.union([z.literal('all'), Language]) }),
  errors: ['language.not-found'],
})

export const addLanguage = post('/language/{id}/add/', 'superUser', LanguageFields, ManagedLanguage, {
  summary: 'Add a language; `id` is its BCP 47 tag. It is not offered until it is switched on',
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
    summary: 'Change what a language is called, how it is written, where it stands, and whether it is offered',
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
  summary: 'Delete a language that does not ship; its texts are kept for whoever adds it again',
  query: z.strictObject({ id: Language }),
  errors: ['language.not-found', 'language.ships', 'language.in-use', 'version.conflict'],
})
