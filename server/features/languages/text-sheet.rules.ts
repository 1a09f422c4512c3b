import type { Language } from '#shared/contract/endpoint.ts'

const KEY = 'key'
const GROUP = 'group'
const versionHeading = (language: Language): string => `${language} version`

/** The headings are the same in every language: they are names of ours, and programs read them too. */
export const sheetHeadings = (languages: readonly Language[]): string[] => [
  KEY,
  GROUP,
  ...languages.flatMap((language) => [language, versionHeading(language)]),
]

/** Where each column stands. A column that is not one of these is for whoever translates. */
export type SheetColumns = { key: number; languages: { language: Language; text: number; version: number }[] }

/** Null: there is no key, or no language. */
export function readSheetHeadings(headings: readonly string[], known: readonly Language[]): SheetColumns | null {
  const names = headings.map((heading) => heading.normalize('NFKC').trim().toLowerCase().replaceAll('-', '_'))
  const key = names.indexOf(KEY)
  const languages = known.flatMap((language) => {
    const text = names.indexOf(language.toLowerCase())
    return text < 0 ? [] : [{ language, text, version: names.indexOf(versionHeading(language).toLowerCase()) }]
  })
  return key < 0 || languages.length === 0 ? null : { key, languages }
}

/** What makes a spreadsheet program take a cell for a text and not for a formula. */
const QUOTED = /(^|[;\t\r\n][\s\ufeff]*)'(?=[=+\-@|＝＋－＠\t\r\n])/g

/** A cell as it was before it went into a csv file; `now` wins where both are the same text in a file. */
export function textOfCell(cell: string, now: string): string {
  const text = cell.replaceAll('\r\n', '\n').normalize('NFC').trim()
  if (text === now.trim()) return now
  const plain = text.replace(QUOTED, '$1')
  return plain === now.trim() ? now : plain
}
