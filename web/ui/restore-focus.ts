import { type RefObject, useLayoutEffect } from 'react'
import { PAGE_TITLE } from './PageTitle.tsx'

/** How long after a dialog its opener may still disappear: data has to be refetched first. */
const WATCH_MS = 10_000

/**
 * Returns the focus to the opener of a dialog. If that disappears, such as the button of a deleted row, or if the dialog
 * opened by itself, the title takes the focus, which otherwise would restart at the top.
 */
export function restoreFocus(opener: Element | null): void {
  if (!(opener instanceof HTMLElement)) return
  if (opener === document.body) {
    // The page stays where it was scrolled to.
    requestAnimationFrame(() => hasNoFocus() && document.getElementById(PAGE_TITLE)?.focus({ preventScroll: true }))
    return
  }
  if (opener.isConnected) opener.focus()
  watchFocus(opener)
}

/** After a dialog whose opener disappeared while another one was open: focuses the title, if nothing has the focus. */
export function recoverLostFocus(): void {
  requestAnimationFrame(() => {
    if (hasNoFocus()) focusVisibleTitle()
  })
}

/** For a button that disappears by its own action: focuses the field that it belongs to. */
export function focusFirstField(around: Element | null): void {
  around?.querySelector<HTMLElement>('input, textarea, button, [tabindex="0"]')?.focus()
}

/** Focuses the page's title, if necessary once it has loaded. */
export function focusTitle(): void {
  const title = document.getElementById(PAGE_TITLE)
  if (!title) {
    retryOnMutation(() => !hasNoFocus() || focusVisibleTitle())
    return
  }
  title.focus({ preventScroll: true })
  // It may still be the previous page's title.
  watchFocus(title)
}

/** For elements that may disappear while focused, such as a bar or a retry button. */
export function useRestoreFocus(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    // The element is still in the page and focused at this point.
    return () => {
      if (ref.current?.contains(document.activeElement)) restoreFocus(document.activeElement)
    }
  }, [ref])
}

function watchFocus(holder: HTMLElement): void {
  const around = holder.closest('dialog')
  retryOnMutation(() => focusTitleIfGone(holder, around))
}

/** Retries with each DOM change until it succeeds. */
function retryOnMutation(attempt: () => boolean): void {
  if (attempt()) return
  const watch = new MutationObserver(() => {
    if (attempt()) watch.disconnect()
  })
  watch.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watch.disconnect(), WATCH_MS)
}

const hasNoFocus = () => document.activeElement === document.body || document.activeElement === null

/** @returns whether there is a title yet. */
function focusVisibleTitle(): boolean {
  const [dialog] = [...document.querySelectorAll('dialog[open]')].slice(-1)
  const title = dialog ? dialog.querySelector<HTMLElement>('[data-first-focus]') : document.getElementById(PAGE_TITLE)
  title?.focus()
  return Boolean(title)
}

/** @returns whether the focused element is gone; a focus that has moved on is kept. */
function focusTitleIfGone(holder: HTMLElement, around: Element | null): boolean {
  if (holder.isConnected) return false
  // A closing dialog that contained it returns the focus by itself.
  if (around && !around.isConnected) return true
  return !hasNoFocus() || focusVisibleTitle()
}
