/**
 * What the frame of a worded screen and the page around it say to each other, and the marks by which a text is known on the screen.
 * The marks are characters that no font draws: one that begins, the number of the text in base 4, one that ends.
 */
const BEGIN = '\u2060'
const END = '\u200B'
const DIGITS = ['\u2061', '\u2062', '\u2063', '\u2064'] as const
const LENGTH = 6

/** @param index below 4096. */
export function markText(index: number, text: string): string {
  const digits = Array.from({ length: LENGTH }, (_, at) => DIGITS[(index >> (2 * (LENGTH - 1 - at))) & 3])
  return `${BEGIN}${digits.join('')}${text}${END}`
}

const ALL_MARKS = new RegExp(`${BEGIN}[${DIGITS.join('')}]{${LENGTH}}|${END}`, 'g')
export const withoutMarks = (text: string): string => text.replace(ALL_MARKS, '')

/** Where marked texts stand in a string, marks included; of those inside another only the outer one. */
export function findMarks(text: string): { index: number; from: number; to: number }[] {
  const found: { index: number; from: number; to: number }[] = []
  let open: { index: number; from: number }[] = []
  for (const match of text.matchAll(ALL_MARKS)) {
    const [mark] = match
    if (mark !== END) {
      const index = [...mark.slice(1)].reduce((sum, digit) => sum * 4 + DIGITS.indexOf(digit as (typeof DIGITS)[0]), 0)
      open.push({ index, from: match.index })
      continue
    }
    const last = open.pop()
    if (last && open.length === 0) found.push({ ...last, to: match.index + 1 })
  }
  // Cut off by whoever shows it.
  for (const one of open) found.push({ ...one, to: text.length })
  open = []
  return found
}

/** What a call of the screen is answered with in place of the server: an answer, a lost connection, or none for as long as the screen is open. */
export type SampleAnswer = {
  method: string
  /** With `{name}` for any part. */
  path: string
  answer: { status: number; body: unknown } | 'lost' | 'none'
}

/** What leads to a state of the screen: filling in a field (the `at`-th, from 0), pressing something. Selectors are CSS. */
export type PreviewStep = { fill: string; value: string; at: number } | { press: string }

/** Written into the document of a frame. */
export type PreviewScript = {
  /** The keys of the texts by the number of their marks. */
  keys: string[]
  /** The marked texts by key. */
  messages: Record<string, string>
  answers: SampleAnswer[]
  steps: PreviewStep[]
  /** What the browser is made to believe it keeps. */
  stored: Record<string, string>
  /** Said above texts that the screen shows at other moments. */
  elsewhere: string
  /** Said to screen readers of the place of a text; `{{text}}` is the text. */
  edit: string
}

/** From the page to the frame: show where this text is. */
export type ChooseText = { type: 'gatehouse-choose-text'; key: string }
/** From the frame to the page. */
export type FromPreview =
  /** Once the screen has settled: the texts that stand on it. */
  { type: 'gatehouse-shown-texts'; keys: string[] } | { type: 'gatehouse-text-chosen'; key: string }
