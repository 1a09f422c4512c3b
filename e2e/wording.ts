import type { Page } from '@playwright/test'
import en from '#shared/locales/en.json' with { type: 'json' }
import zhCN from '#shared/locales/zh_CN.json' with { type: 'json' }
import zhTW from '#shared/locales/zh_TW.json' with { type: 'json' }
import { withoutPayloads } from './hostile-names.ts'
import { untilNothingFound } from './until-nothing-found.ts'

/** The `lang` values of the portal's languages. */
export const LANGUAGES = ['en', 'zh-CN', 'zh-TW'] as const
export type Tag = (typeof LANGUAGES)[number]

const MESSAGES: Record<Tag, Record<string, string>> = { en, 'zh-CN': zhCN, 'zh-TW': zhTW }

/** Wording faults of a page in its language: raw keys, other languages, truncated texts. */
export const wordingFaults = (page: Page, tag: Tag): Promise<string[]> =>
  untilNothingFound(page, async () => {
    const complaints = (await textsOn(page)).flatMap((text) => {
      const complaint = complaintOf(withoutPayloads(text).replace(OWN_NAMES, ''), tag)
      return complaint ? [`${complaint}: “${text.slice(0, 80)}”`] : []
    })
    return [...complaints, ...(await cutOff(page))]
  })

/** A language's own name is the same in every language. */
const OWN_NAMES = /简体中文|繁體中文/g

/** The first parts of message keys, such as of `organization.everybody`. */
const NOUNS = new Set(Object.keys(en).map((key) => key.split('.', 1)[0]))

function complaintOf(text: string, tag: Tag): string | null {
  if (/\{\{|\}\}/.test(text)) return 'a place left empty'
  const key = /^([a-z][a-z-]*)(\.[a-z0-9-]+)+$/.exec(text)
  if (key && NOUNS.has(key[1] ?? '')) return 'a key'
  if (tag === 'en') return null
  const strange = [...text].filter((one) => /\p{Script=Han}/u.test(one) && !WRITTEN[tag].has(one))
  if (strange.length > 0) return `not written so in ${tag} (${strange.join('')})`
  return UNTRANSLATED[tag].has(text) ? 'in English' : null
}

/** English texts of several words that are translated in Chinese. */
const untranslatedIn = (tag: Tag): Set<string> =>
  new Set(
    Object.entries(en).flatMap(([key, text]) => (/\w \w/.test(text) && MESSAGES[tag][key] !== text ? [text] : [])),
  )

const UNTRANSLATED = { 'zh-CN': untranslatedIn('zh-CN'), 'zh-TW': untranslatedIn('zh-TW') }

/** The characters of the old national standards, which don't include those of the other script only. */
const WRITTEN = { 'zh-CN': charactersOf('gbk', 0xb0, 0xf7), 'zh-TW': charactersOf('big5', 0xa4, 0xf9) }

/** All two-byte characters of an encoding with a first byte in a range. */
function charactersOf(encoding: string, from: number, to: number): Set<string> {
  const decoder = new TextDecoder(encoding)
  const found = new Set<string>()
  for (let lead = from; lead <= to; lead += 1) {
    // GB 2312 ends at 0xa1 and above; GBK adds the other script before it.
    const first = encoding === 'gbk' ? 0xa1 : 0x40
    for (let trail = first; trail <= 0xfe; trail += 1) {
      for (const character of decoder.decode(new Uint8Array([lead, trail]))) found.add(character)
    }
  }
  return found
}

/** Every text that is visible or announced, except code and text marked as another language. */
const textsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const language = document.documentElement.lang
    const isForeign = (one: Element) => (one.closest<HTMLElement>('[lang]')?.lang ?? language) !== language
    const named = ['aria-label', 'title', 'placeholder', 'alt']
    return [...document.querySelectorAll<HTMLElement>('body :not(script, style, noscript, code, pre, option)')]
      .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter((one) => !one.closest('code, pre') && !isForeign(one))
      .flatMap((one) => {
        // A text being edited shows its placeholders.
        if (one.matches('.text-open, .text-placeholder')) return []
        // The content of a field is input, not wording.
        const written = one.matches('textarea') ? [] : [...one.childNodes]
        const texts = written.filter((node) => node instanceof Text).map((node) => node.textContent)
        return [...texts, ...named.map((name) => one.getAttribute(name))]
      })
      .flatMap((text) => text?.trim() || [])
  })

/** Texts truncated by their box without an ellipsis and a full version. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const clips = (box: HTMLElement) => !/visible/.test(getComputedStyle(box).overflowX)
    const scrolls = (box: HTMLElement) => /auto|scroll/.test(getComputedStyle(box).overflowX)
    const boxOf = (one: HTMLElement): HTMLElement | null =>
      one.matches('body, html') || clips(one) ? one : one.parentElement && boxOf(one.parentElement)
    const isTold = (box: HTMLElement) => getComputedStyle(box).textOverflow === 'ellipsis' && box.closest('[title]')
    // Visually hidden, for screen readers.
    const isForReaders = (box: HTMLElement) => getComputedStyle(box).clipPath !== 'none'
    const isBeyond = (node: Node, box: HTMLElement) => {
      const range = document.createRange()
      range.selectNodeContents(node)
      const { left, right, width } = range.getBoundingClientRect()
      const inner = box.getBoundingClientRect()
      return width > 0 && (left < inner.left - 1 || right > inner.right + 1)
    }
    return [...document.querySelectorAll<HTMLElement>('body :not(script, style, noscript, option)')]
      .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .flatMap((one) => {
        const box = boxOf(one)
        if (!box || box.matches('body, html') || scrolls(box) || isTold(box) || isForReaders(box)) return []
        const beyond = [...one.childNodes].filter((node) => node instanceof Text && isBeyond(node, box))
        return beyond.map((node) => `cut off: “${node.textContent}” in ${one.tagName}.${one.className}`)
      })
  })
