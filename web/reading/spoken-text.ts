const CONTROLS =
  'a[href], button, summary, input, select, textarea, [role=button], [role=link], [role=tab], [role=option], [role=switch], [role=checkbox], [role=radio], [role^=menuitem]'
const BLOCKS =
  'h1, h2, h3, h4, h5, h6, p, li, dt, dd, td, th, label, legend, caption, figcaption, blockquote, time, [role=alert], [role=status]'
/** Never read aloud: input, and whatever a page marks as secret. */
const SILENT = '[aria-hidden=true], [data-unread], code, kbd, script, style, noscript, input, textarea, select'
const MAX_CHARS = 600

/** The text to read for the element under the pointer or with the focus; null if there is none. */
export function spokenText(element: Element): string | null {
  const control = element.closest<HTMLElement>(CONTROLS)
  if (control) return cleanText(controlName(control))
  if (element.closest('[data-unread], code, kbd')) return null
  const field = element.closest('label')?.control
  if (field) return cleanText(controlName(field))
  if (element instanceof HTMLImageElement) return cleanText(element.alt)
  const block = element.closest(BLOCKS) ?? (hasOwnText(element) ? element : null)
  return block && cleanText(visibleText(block))
}

const hasOwnText = (element: Element): boolean =>
  [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())

/** The control's name and description; for a list of choices the chosen one, never the value of a field. */
function controlName(control: HTMLElement): string {
  const byId = (attribute: string) =>
    (control.getAttribute(attribute) ?? '')
      .split(' ')
      .map((id) => document.getElementById(id))
      .map((one) => (one ? visibleText(one) : ''))
      .join(' ')
  const labels = 'labels' in control ? [...((control.labels as NodeListOf<HTMLElement> | null) ?? [])] : []
  const name =
    control.ariaLabel ||
    byId('aria-labelledby').trim() ||
    labels.map(visibleText).join(' ') ||
    visibleText(control) ||
    imageAlt(control) ||
    control.title
  const chosen = chosenOf(control)
  return [name, chosen, byId('aria-describedby')].join(' ')
}

function chosenOf(control: HTMLElement): string {
  if (control instanceof HTMLSelectElement) return control.selectedOptions[0]?.text ?? ''
  return control.matches('button[role=combobox]') ? visibleText(control) : ''
}

const imageAlt = (control: Element): string => control.querySelector('img')?.alt ?? ''

function visibleText(element: Element): string {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest(SILENT) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  let text = ''
  while (walker.nextNode() && text.length < MAX_CHARS) text += `${walker.currentNode.textContent} `
  return text
}

function cleanText(text: string): string | null {
  const said = text.replace(/\s+/g, ' ').trim().slice(0, MAX_CHARS)
  return /[\p{L}\p{N}]/u.test(said) ? said : null
}
