import { MAX_TEXT_LENGTH, type TextProblem } from '#shared/contract/languages.ts'
import { pluralOf } from '#shared/rules/plural-forms.ts'

export type FoundProblem = { problem: TextProblem; params: Record<string, string> }

/** The shipped texts of a key in all languages. */
export type ShippedForms = {
  /** Of this key. */
  texts: readonly string[]
  /** Of this key and its other plural forms. */
  forms: readonly string[]
  /** Further placeholders that the text may contain. */
  values?: readonly string[]
}

const PLACEHOLDER = /\{\{\s*([\w-]+)\s*\}\}/g

export const placeholdersOf = (text: string): string[] => [
  ...new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name ?? '')),
]

/**
 * Characters that are not shown: zero width (except the two joiners that scripts need), line and paragraph separators, controls; line
 * breaks are allowed.
 */
const CONTROL =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u2028\u2029\u2060-\u2064\ufeff\ufff9-\ufffb\ufffe\uffff]/
/** Direction controls: they can make a text look different from its content. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const MARKUP = /<[a-z!/?]|&(#\d+|#x[\da-f]+|[a-z]+\d*);/i
const LINK = /(?:https?:)?\/\/[^\s"'<>{}()，。；）]+/gi

const found = (problem: TextProblem, params: Record<string, string> = {}): FoundProblem => ({ problem, params })

/** Why a text must not replace the shipped one; null: it may. */
export function findTextProblem(
  key: string,
  text: string,
  shipped: ShippedForms,
  publicUrl: string,
): FoundProblem | null {
  if (text.trim() === '') return found('empty')
  if (text.length > MAX_TEXT_LENGTH) return found('too-long', { most: String(MAX_TEXT_LENGTH) })
  return (
    findBadCharacter(text, shipped) ??
    findBadPlaceholder(key, text, shipped) ??
    findForeignLink(text, shipped, publicUrl)
  )
}

function findBadCharacter(text: string, { forms }: ShippedForms): FoundProblem | null {
  const named = (character = '') => ({
    character: `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  })
  const control = CONTROL.exec(text)
  if (control) return found('control-character', named(control[0]))
  const direction = DIRECTION.exec(text)
  if (direction) return found('direction-character', named(direction[0]))
  const markup = MARKUP.exec(text)
  if (markup && !forms.some((form) => form.includes(markup[0]))) return found('markup', { part: markup[0] })
  if (text.includes('\n') && !forms.some((form) => form.includes('\n'))) return found('line-break')
  return null
}

function findBadPlaceholder(
  key: string,
  text: string,
  { texts, forms, values = [] }: ShippedForms,
): FoundProblem | null {
  const given = placeholdersOf(text)
  const allowed = new Set([...forms.flatMap(placeholdersOf), ...values])
  const unknown = given.find((name) => !allowed.has(name))
  if (unknown !== undefined) return found('placeholder-unknown', { name: `{{${unknown}}}` })
  if (/\{\{|\}\}/.test(text.replace(PLACEHOLDER, ''))) return found('placeholder-malformed')
  // A form for few numbers may spell the number out: "one person".
  const isFreeOfCount = pluralOf(key) !== null && !key.endsWith('_other')
  const [first = [], ...rest] = (texts.length > 0 ? texts : forms).map(placeholdersOf)
  const required = first.filter((name) => rest.every((names) => names.includes(name)))
  const missing = required.find((name) => !given.includes(name) && !(isFreeOfCount && name === 'count'))
  if (missing === undefined) return null
  return found(missing === 'code' ? 'code-missing' : 'placeholder-missing', { name: `{{${missing}}}` })
}

/** Links must lead to the product, or to an address that the shipped text contains. */
function findForeignLink(text: string, { forms }: ShippedForms, publicUrl: string): FoundProblem | null {
  const origin = new URL(publicUrl).origin
  for (const [link] of text.matchAll(LINK)) {
    const target = URL.canParse(link, origin) ? new URL(link, origin).origin : null
    if (target !== origin && !forms.some((form) => form.includes(link))) return found('foreign-link', { link })
  }
  return null
}
