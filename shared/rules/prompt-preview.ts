/**
 * The messages between a preview frame and the page around it, and the marks that identify a text on the screen. A mark
 * consists of invisible characters: a start, the number of the text in base 4, an end.
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

/** The positions of marked texts in a string, including marks; of nested ones only the outer. */
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
  // Truncated by the screen.
  for (const one of open) found.push({ ...one, to: text.length })
  open = []
  return found
}

/** The sample answer to a call of the screen: an answer, a lost connection, or none. */
export type SampleAnswer = {
  method: string
  /** `{name}` matches any part. */
  path: string
  answer: { status: number; body: unknown } | 'lost' | 'none'
}

/** A step to a state of the screen: filling a field (the `at`-th, from 0), pressing something. Selectors are CSS. */
export type PreviewStep = { fill: string; value: string; at: number } | { press: string }

/** Written into the document of a frame. */
export type PreviewScript = {
  /** Text keys by mark number. */
  keys: string[]
  /** The marked texts by key. */
  messages: Record<string, string>
  answers: SampleAnswer[]
  steps: PreviewStep[]
  /** The browser storage to simulate. */
  stored: Record<string, string>
  /** The heading of texts that the screen shows in other states. */
  elsewhere: string
  /** For screen readers, for the button of a text; `{{text}}` is the text. */
  edit: string
}

/** From the page to the frame: highlight this text. */
export type ChooseText = { type: 'gatehouse-choose-text'; key: string }
/** From the frame to the page. */
export type FromPreview =
  /** After the screen has settled: the texts on it. */
  { type: 'gatehouse-shown-texts'; keys: string[] } | { type: 'gatehouse-text-chosen'; key: string }
