import { type ChooseText, type FromPreview, type PreviewScript, withoutMarks } from '#shared/rules/prompt-preview.ts'
import { enclose } from './sandbox.ts'
import { playSteps } from './state.ts'
import { boxOf, findTextPositions, type TextPosition } from './text-positions.ts'

/**
 * Runs in the preview frame, before the screen's own scripts. A button over each text tells the embedding page which
 * text it is; the page says which one to highlight.
 */
function start(screen: PreviewScript): void {
  enclose(screen)
  const texts = new TextButtons(screen)
  addEventListener('message', ({ data, origin, source }: MessageEvent<Partial<ChooseText> | null>) => {
    if (origin !== location.origin || source !== parent) return
    if (data?.type === 'gatehouse-choose-text' && typeof data.key === 'string') texts.choose(data.key)
  })
  void playSteps(screen.steps).then(() => texts.begin())
}

const tell = (message: FromPreview) => parent.postMessage(message, location.origin)

const STYLE = `
dialog[open] { position: fixed; inset-block: 0; z-index: 100; box-shadow: 0 0 0 100vmax rgb(0 0 0 / 40%) }
#texts { position: absolute; inset: 0 auto auto 0; z-index: 2147483646 }
#texts > button { position: absolute; min-inline-size: 24px; min-block-size: 24px; padding: 0; border: 0; border-radius: 3px; background: none; cursor: pointer }
#texts > button:hover { outline: 2px dashed #c2410c; outline-offset: 2px }
#texts > button:focus-visible, #texts > button[aria-pressed=true] { outline: 3px solid #c2410c; outline-offset: 2px; background: rgb(234 88 12 / 18%) }
#elsewhere { position: fixed; inset: auto 12px 12px; z-index: 2147483647; max-block-size: 40vh; overflow: auto; padding: 12px 16px; border: 2px solid #c2410c; border-radius: 8px; background: #fffbeb; color: #1c1917; font: 16px/1.5 system-ui, sans-serif }
#elsewhere small { display: block; color: #57534e }
`

class TextButtons {
  readonly #screen: PreviewScript
  readonly #layer = document.createElement('div')
  readonly #note = document.createElement('div')
  #chosen: string | null = null
  #hasBegun = false

  constructor(screen: PreviewScript) {
    this.#screen = screen
    this.#layer.id = 'texts'
    this.#note.id = 'elsewhere'
    this.#note.setAttribute('role', 'status')
  }

  /** Once the screen has rendered. */
  begin(): void {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    document.documentElement.append(this.#layer)
    this.#hasBegun = true
    const positions = this.#draw()
    this.#follow()
    tell({ type: 'gatehouse-shown-texts', keys: [...new Set(positions.map(({ key }) => key))] })
    if (this.#chosen !== null) this.choose(this.#chosen)
  }

  choose(key: string): void {
    this.#mark(key)
    if (!this.#hasBegun) return
    const position = this.#buttonFor(key)
    if (position) {
      this.#note.remove()
      // Not scrollIntoView, which scrolls the embedding page as well, away from the field.
      const { top, height } = position.getBoundingClientRect()
      scrollTo({ top: scrollY + top - (innerHeight - height) / 2 })
    } else this.#showByItself(key)
  }

  /** Buttons follow texts that move or appear later. */
  #follow(): void {
    let isDue = false
    const again = () => {
      if (isDue) return
      isDue = true
      requestAnimationFrame(() => {
        isDue = false
        this.#draw()
      })
    }
    new MutationObserver(again).observe(document.body, { subtree: true, childList: true, characterData: true })
    addEventListener('resize', again)
    document.addEventListener('scroll', again, { capture: true, passive: true })
  }

  #draw(): TextPosition[] {
    const positions = findTextPositions(this.#screen.keys)
    // A redrawn button is a new element: restore the focus.
    const focused = document.activeElement?.getAttribute('data-key')
    this.#layer.replaceChildren(...positions.flatMap((position) => this.#buttonOf(position)))
    if (focused) this.#buttonFor(focused)?.focus({ preventScroll: true })
    // A text that appeared late is on the screen after all.
    if (this.#note.isConnected && this.#chosen !== null && this.#buttonFor(this.#chosen)) this.choose(this.#chosen)
    return positions
  }

  #buttonFor = (key: string) => this.#layer.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)

  #buttonOf(position: TextPosition): HTMLElement[] {
    const box = boxOf(position)
    if (!box) return []
    const button = document.createElement('button')
    button.type = 'button'
    button.dataset['key'] = position.key
    button.setAttribute(
      'aria-label',
      this.#screen.edit.replace('{{text}}', () => position.said),
    )
    button.setAttribute('aria-pressed', String(position.key === this.#chosen))
    button.style.left = `${box.left + scrollX}px`
    button.style.top = `${box.top + scrollY}px`
    // Texts for screen readers are measured as wide as they would be; the screen must not scroll sideways for them.
    const room = document.documentElement.clientWidth - box.left
    button.style.width = `${room > 0 ? Math.min(box.width, room) : box.width}px`
    button.style.height = `${box.height}px`
    button.addEventListener('click', () => {
      this.#note.remove()
      this.#mark(position.key)
      tell({ type: 'gatehouse-text-chosen', key: position.key })
    })
    return [button]
  }

  #mark(key: string): void {
    this.#chosen = key
    for (const one of this.#layer.children)
      one.setAttribute('aria-pressed', String(one.getAttribute('data-key') === key))
  }

  /** Shows a text that the screen has at another time, or only for screen readers. */
  #showByItself(key: string): void {
    const why = document.createElement('small')
    why.textContent = this.#screen.elsewhere
    const text = document.createElement('span')
    text.textContent = withoutMarks(this.#screen.messages[key] ?? '')
    this.#note.replaceChildren(why, text)
    document.documentElement.append(this.#note)
  }
}

// At the end of the file: `start` uses a class, which exists only after its declaration.
const given = JSON.parse(document.getElementById('prompt')?.textContent ?? 'null') as PreviewScript | null
if (given && parent !== window) start(given)
