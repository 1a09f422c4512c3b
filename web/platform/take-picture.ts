import { isKept, isPlainPage, type Part, PICTURE, pictureFits } from './last-picture.ts'
import { keepLastReply } from './reply-cache.ts'
import { sessionToken } from './session.ts'

const ROOT_ATTRIBUTES = ['style', 'data-narrow', 'data-compact']

const attributesOf = (element: Element, isWanted: (name: string, value: string) => boolean) =>
  Object.fromEntries(
    Array.from(element.attributes, ({ name, value }) => [name, value] as const).filter(([name, value]) =>
      isWanted(name, value),
    ),
  )

/** Empty for invisible nodes. Dates and times are left blank, because they would be outdated. */
function partOf(node: Node): Part[] {
  if (node instanceof Text) return [node.data]
  if (!(node instanceof Element)) return []
  const tag = node.localName
  if (!isKept(tag)) return []
  const within = tag === 'time' ? ['\u00a0'] : Array.from(node.childNodes).flatMap(partOf)
  return [[tag, attributesOf(node, (name, value) => isKept(tag, name, value)), within]]
}

/** Stores a snapshot of the page for the next tab. */
export function takePicture(): void {
  const page = document.querySelector('#root > .shell')
  if (!page || !isPlainPage() || document.querySelector('dialog[open], [role=menu]')) return
  const [shown] = partOf(page)
  const root = attributesOf(
    document.documentElement,
    (name, value) => ROOT_ATTRIBUTES.includes(name) && isKept('div', name, value),
  )
  keepLastReply(sessionToken(), PICTURE, { fits: pictureFits(), root, shown })
}
