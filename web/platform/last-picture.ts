import { STORAGE_KEYS } from './browser-storage.ts'
import { partOfDay } from './part-of-day.ts'
import { findLastReply } from './reply-cache.ts'

declare const __GATEHOUSE_VERSION__: string

/** An element without behaviour: tag, attributes, children; a string is a text node. */
export type Part = string | [tag: string, attributes: Record<string, string>, within: Part[]]

/** What a page showed, and the root attributes that its sizes depend on. */
type Picture = { fits: string; root: Record<string, string>; shown: Part }

const SVG = 'http://www.w3.org/2000/svg'
const SVG_TAGS: ReadonlySet<string> = new Set(['svg', 'path'])
const SAFE_TAG =
  /^(a|article|button|div|em|figure|footer|h[1-6]|header|img|input|kbd|li|main|nav|ol|p|path|section|small|span|strong|svg|time|ul)$/
const SAFE_ATTRIBUTE =
  /^(alt|aria-(current|pressed)|class|d|data-[a-z-]+|dir|fill|height|lang|placeholder|stroke[a-z-]*|type|viewBox|width)$/
/** Styles that could load something, or hide it by escapes. */
const LOADING_STYLE = /\\|(url|image-set|src)\(/i
const SAFE_SOURCE = /^(data:image\/|\/(?!\/))/

/** Only inert elements and attributes that can't run or load anything are kept. */
export const isKept = (tag: string, attribute?: string, value = ''): boolean =>
  SAFE_TAG.test(tag) &&
  (attribute === undefined ||
    SAFE_ATTRIBUTE.test(attribute) ||
    (attribute === 'style' && !LOADING_STYLE.test(value)) ||
    (attribute === 'src' && SAFE_SOURCE.test(value)))

/** The page, language, window size and time of day that a snapshot is valid for. */
export const pictureFits = (): string =>
  JSON.stringify([
    __GATEHOUSE_VERSION__,
    location.pathname,
    document.documentElement.lang,
    partOfDay(),
    innerWidth,
    outerWidth,
    devicePixelRatio,
  ])

export const PICTURE = 'picture'

const PLAIN_MARKS: ReadonlySet<string> = new Set(['theme', 'wording', 'narrow', 'compact'])

/** Not a preview, and without accessible reading. */
export const isPlainPage = (): boolean =>
  Object.keys(document.documentElement.dataset).every((name) => PLAIN_MARKS.has(name))

function draw(part: Part): Node {
  if (typeof part === 'string') return document.createTextNode(part)
  const [tag, attributes, within] = part
  if (!isKept(tag)) return document.createTextNode('')
  const element = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (!isKept(tag, name, value)) continue
    // The content security policy would refuse it as an attribute.
    if (name === 'style') element.style.cssText = value
    else element.setAttribute(name, value)
  }
  element.append(...within.map(draw))
  return element
}

/**
 * Shows what this page last showed in this session, until the application has rendered: on a phone that saves half a
 * second of CPU. It is inert, and hidden from assistive technology.
 * @returns whether there was a snapshot.
 */
export function showLastPicture(): boolean {
  const root = document.documentElement
  const token = localStorage.getItem(STORAGE_KEYS.token)
  const picture = findLastReply(token, PICTURE) as Picture | undefined
  if (!token || !isPlainPage() || location.search !== '' || document.hidden || picture?.fits !== pictureFits())
    return false
  for (const [name, value] of Object.entries(picture.root)) {
    if (!isKept('div', name, value)) continue
    if (name === 'style') root.style.cssText = value
    else root.setAttribute(name, value)
  }
  const frame = document.createElement('div')
  frame.id = PICTURE
  frame.inert = true
  frame.ariaHidden = 'true'
  frame.append(draw(picture.shown))
  document.getElementById('shell')?.before(frame)
  return true
}

const MAX_WAIT_MS = 100

/** Resolves when the snapshot has been painted; a hidden tab paints nothing. */
export const untilPainted = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, MAX_WAIT_MS)
    requestAnimationFrame(() => setTimeout(resolve))
  })

export const removePicture = (): void => document.getElementById(PICTURE)?.remove()
