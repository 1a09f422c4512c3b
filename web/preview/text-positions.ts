import { findMarks, withoutMarks } from '#shared/rules/prompt-preview.ts'

/** Where a text is drawn: in one or more lines, or nowhere. */
export type TextPosition = { key: string; said: string; lines: DOMRect[] }

type Found = { index: number; said: string; lines: DOMRect[] }

const ATTRIBUTES = ['placeholder', 'aria-label', 'alt', 'title']

function inText(node: Text): Found[] {
  if (node.parentElement?.closest('script, style, noscript')) return []
  return findMarks(node.data).map(({ index, from, to }) => {
    const range = document.createRange()
    range.setStart(node, from)
    range.setEnd(node, to)
    return { index, said: node.data.slice(from, to), lines: [...range.getClientRects()] }
  })
}

const inAttributes = (element: Element): Found[] =>
  ATTRIBUTES.flatMap((name) => {
    const said = element.getAttribute(name) ?? ''
    return findMarks(said).map(({ index }) => ({ index, said, lines: [element.getBoundingClientRect()] }))
  })

/** Every marked text of the document. @param keys by mark number. */
export function findTextPositions(keys: readonly string[]): TextPosition[] {
  const title = document.title
  const found: Found[] = findMarks(title).map(({ index }) => ({ index, said: title, lines: [] }))
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    found.push(...(node instanceof Text ? inText(node) : inAttributes(node as Element)))
  return found.flatMap(({ index, said, lines }) => {
    const key = keys[index]
    return key === undefined ? [] : [{ key, said: withoutMarks(said), lines }]
  })
}

/** The bounding box of all lines; null: not visible. */
export function boxOf({ lines }: TextPosition): DOMRect | null {
  const seen = lines.filter(({ width, height }) => width > 1 && height > 1)
  if (seen.length === 0) return null
  const left = Math.min(...seen.map((line) => line.left))
  const top = Math.min(...seen.map((line) => line.top))
  const right = Math.max(...seen.map((line) => line.right))
  return new DOMRect(left, top, right - left, Math.max(...seen.map((line) => line.bottom)) - top)
}
