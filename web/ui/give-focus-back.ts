import { PAGE_TITLE } from './PageTitle.tsx'

/** So long after a dialog its opener may still go away: what it did has to be fetched first. */
const WATCHED = 10_000

/**
 * Gives the focus back to what opened a dialog. What was done there may take the opener away, as with the button of a row
 * that was deleted: then the title of what is shown takes the focus, which otherwise would start again at the top.
 */
export function giveFocusBack(opener: Element | null): void {
  if (!(opener instanceof HTMLElement)) return
  if (opener.isConnected) opener.focus()
  const around = opener.closest('dialog')
  if (catchFocus(opener, around)) return
  const watch = new MutationObserver(() => {
    if (catchFocus(opener, around)) watch.disconnect()
  })
  watch.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watch.disconnect(), WATCHED)
}

/** @returns whether the opener is gone; nobody who has gone elsewhere meanwhile is called back. */
function catchFocus(opener: HTMLElement, around: Element | null): boolean {
  if (opener.isConnected) return false
  // A dialog that closed with its opener inside gives the focus back by itself.
  if (around && !around.isConnected) return true
  if (document.activeElement === document.body || document.activeElement === null) {
    const [dialog] = [...document.querySelectorAll('dialog[open]')].slice(-1)
    const title = dialog ? dialog.querySelector<HTMLElement>('[data-first-focus]') : document.getElementById(PAGE_TITLE)
    title?.focus()
  }
  return true
}
