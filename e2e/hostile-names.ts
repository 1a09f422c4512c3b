import type { Page } from '@playwright/test'
import { untilNothingFound } from './until-nothing-found.ts'

/** Payloads that would run, load, link or be filled in if treated as more than text. */
const PAYLOADS = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "'-alert(1)-'<svg/onload=alert(1)>",
  '{{7*7}}$t(list.export)',
  '</title><style>@import"//evil.test"',
  '[x](javascript:alert(1))',
  '<a href=javascript:alert(1)>',
] as const

/** A name with a payload appended, whose number tells the text that must follow. @param at which payload */
export function withPayload(name: string, at = name.length): string {
  const number = at % PAYLOADS.length
  return `${name} ~${number}~${PAYLOADS[number]}`
}

/** Appends payloads to every `name`, `nickname` or `description`, at any depth. */
export function withHostileNames<T>(content: T): T {
  if (Array.isArray(content)) return content.map(withHostileNames) as T
  if (typeof content !== 'object' || content === null) return content
  const entries = Object.entries(content).map(([key, value]) => [
    key,
    /^(name|nickname|description)$/.test(key) && typeof value === 'string'
      ? withPayload(value)
      : withHostileNames(value),
  ])
  return Object.fromEntries(entries) as T
}

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
const PAYLOAD = new RegExp(PAYLOADS.map((text, at) => `~${at}~${escapeRegExp(text)}`).join('|'), 'g')

/** The text without payloads. */
export const withoutPayloads = (text: string): string => text.replace(PAYLOAD, '')

/** Payloads on the page that are not shown literally. */
export const alteredPayloads = (page: Page): Promise<string[]> =>
  untilNothingFound(page, async () =>
    (await textsWithPayload(page))
      .filter((text) => /~\d~/.test(withoutPayloads(text)))
      .map((text) => text.slice(0, 120)),
  )

/** Are there any payloads on the page? */
export const hasPayloads = async (page: Page): Promise<boolean> => (await textsWithPayload(page)).length > 0

/** Texts with payloads, joined across elements; also in the title, attributes and fields that are read. */
const textsWithPayload = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const named = ['aria-label', 'title', 'placeholder', 'alt']
    const isRead = (node: Node) => !node.parentElement?.closest('script, style, noscript')
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    let text = ''
    while (walker.nextNode()) if (isRead(walker.currentNode)) text += walker.currentNode.textContent
    const others = [...document.querySelectorAll<HTMLElement>('body *')].flatMap((one) => [
      ...named.map((name) => one.getAttribute(name)),
      ...(one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement ? [one.value] : []),
    ])
    const pieces = text.split(/(?=~\d~)/).slice(1)
    return [...pieces, document.title, ...others].flatMap((one) => (one && /~\d~/.test(one) ? one : []))
  })
