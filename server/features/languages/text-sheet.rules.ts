import type { Language } from '#shared/contract/endpoint.ts'

const KEY = 'key'
const GROUP = 'group'
const versionHeading = (language: Language): string => `${language} version`

/** The headings are the same in every language, because programs read them too. */
export const sheetHeadings = (languages: readonly Language[]): string[] => [
  KEY,
  GROUP,
  ...languages.flatMap((language) => [language, versionHeading(language)]),
]

/** The positions of the columns. Other columns are for translators. */
export type SheetColumns = { key: number; languages: { language: Language; text: number; version: number }[] }

/** Null: no key column, or no language. */
export function readSheetHeadings(headings: readonly string[], known: readonly Language[]): SheetColumns | null {
  const names = headings.map((heading) => heading.normalize('NFKC').trim().toLowerCase().replaceAll('-', '_'))
  const key = names.indexOf(KEY)
  const languages = known.flatMap((language) => {
    const text = names.indexOf(language.toLowerCase())
    return text < 0 ? [] : [{ language, text, version: names.indexOf(versionHeading(language).toLowerCase()) }]
  })
  return key < 0 || languages.length === 0 ? null : { key, languages }
}

/** The apostrophe that csv export puts before a text that looks like a formula. */
const QUOTED = /(^|[;\t\r\n][\s\ufeff]*)'(?=[=+\-@|＝＋－＠\t\r\n])/g

/** The text of a cell without that apostrophe; `now` wins if it is exported as the same cell. */
export function textOfCell(cell: string, now: string): string {
  const text = cell.replaceAll('\r\n', '\n').normalize('NFC').trim()
  if (text === now.trim()) return now
  const plain = text.replace(QUOTED, '$1')
  return plain === now.trim() ? now : plain
}
