import { STORAGE_KEYS } from './browser-storage.ts'
import { partOfDay } from './part-of-day.ts'
import { findLastReply } from './reply-cache.ts'

declare const __GATEHOUSE_VERSION__: string

/** An element without behaviour: its tag, its attributes, what is in it; a text is itself. */
export type Part = string | [tag: string, attributes: Record<string, string>, within: Part[]]

/** What a page showed, and the root that its sizes follow from. */
type Picture = { fits: string; root: Record<string, string>; shown: Part }

const SVG = 'http://www.w3.org/2000/svg'
const SVG_TAGS: ReadonlySet<string> = new Set(['svg', 'path'])
const SAFE_TAG =
  /^(a|article|button|div|em|figure|footer|h[1-6]|header|img|input|kbd|li|main|nav|ol|p|path|section|small|span|strong|svg|time|ul)$/
const SAFE_ATTRIBUTE =
  /^(alt|aria-(current|pressed)|class|d|data-[a-z-]+|dir|fill|height|lang|placeholder|stroke[a-z-]*|type|viewBox|width)$/
/** What a style could load, or write so that it isn't seen. */
const LOADING_STYLE = /\\|(url|image-set|src)\(/i
const SAFE_SOURCE = /^(data:image\/|\/(?!\/))/

/** Nothing that could act or ask another host: whatever else an element has stays behind. */
export const isKept = (tag: string, attribute?: string, value = ''): boolean =>
  SAFE_TAG.test(tag) &&
  (attribute === undefined ||
    SAFE_ATTRIBUTE.test(attribute) ||
    (attribute === 'style' && !LOADING_STYLE.test(value)) ||
    (attribute === 'src' && SAFE_SOURCE.test(value)))

/** The page, its language, the window, and the time of day, that a picture is right for. */
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

/** Neither a preview nor in colours and sizes of accessible reading. */
export const isPlainPage = (): boolean =>
  Object.keys(document.documentElement.dataset).every((name) => PLAIN_MARKS.has(name))

function draw(part: Part): Node {
  if (typeof part === 'string') return document.createTextNode(part)
  const [tag, attributes, within] = part
  if (!isKept(tag)) return document.createTextNode('')
  const element = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (!isKept(tag, name, value)) continue
    // As an attribute the content policy would refuse it.
    if (name === 'style') element.style.cssText = value
    else element.setAttribute(name, value)
  }
  element.append(...within.map(draw))
  return element
}

/**
 * Shows what this page showed last in this session, until the application has drawn it anew: on a phone that is half a second
 * of its processor. Nothing in it acts, and nobody but the eye is told of it.
 * @returns whether there was something to show.
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

/** Until what was shown is painted; in a tab that is put aside meanwhile nothing is. */
export const untilPainted = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, MAX_WAIT_MS)
    requestAnimationFrame(() => setTimeout(resolve))
  })

export const removePicture = (): void => document.getElementById(PICTURE)?.remove()
