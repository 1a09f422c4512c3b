import { type RefObject, useLayoutEffect } from 'react'
import { PAGE_TITLE } from './PageTitle.tsx'

/** So long after a dialog its opener may still go away: what it did has to be fetched first. */
const WATCH_MS = 10_000

/**
 * Gives the focus back to what opened a dialog. What was done there may take the opener away, as with the button of a row
 * that was deleted: then the title of what is shown takes the focus, which otherwise would start again at the top.
 */
export function restoreFocus(opener: Element | null): void {
  if (!(opener instanceof HTMLElement)) return
  if (opener.isConnected) opener.focus()
  watchFocus(opener)
}

/** After a dialog whose opener went away while another one was open: what is shown takes the focus, if nothing has it. */
export function recoverLostFocus(): void {
  requestAnimationFrame(() => {
    if (hasNoFocus()) focusVisibleTitle()
  })
}

/** To the title of the page; where its content is still on the way, as soon as it has one. */
export function focusTitle(): void {
  const title = document.getElementById(PAGE_TITLE)
  if (!title) {
    retryOnMutation(() => !hasNoFocus() || focusVisibleTitle())
    return
  }
  title.focus({ preventScroll: true })
  // It may still be that of the page before.
  watchFocus(title)
}

/** For what may go away while the focus is in it, such as a bar or a button for another try. */
export function useRestoreFocus(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    // When this runs it still stands in the page, with the focus in it.
    return () => {
      if (ref.current?.contains(document.activeElement)) restoreFocus(document.activeElement)
    }
  }, [ref])
}

function watchFocus(holder: HTMLElement): void {
  const around = holder.closest('dialog')
  retryOnMutation(() => focusTitleIfGone(holder, around))
}

/** Until it is done, with each change of the page. */
function retryOnMutation(attempt: () => boolean): void {
  if (attempt()) return
  const watch = new MutationObserver(() => {
    if (attempt()) watch.disconnect()
  })
  watch.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watch.disconnect(), WATCH_MS)
}

const hasNoFocus = () => document.activeElement === document.body || document.activeElement === null

/** @returns whether what is shown has a title yet. */
function focusVisibleTitle(): boolean {
  const [dialog] = [...document.querySelectorAll('dialog[open]')].slice(-1)
  const title = dialog ? dialog.querySelector<HTMLElement>('[data-first-focus]') : document.getElementById(PAGE_TITLE)
  title?.focus()
  return Boolean(title)
}

/** @returns whether what had the focus is gone; nobody who has gone elsewhere meanwhile is called back. */
function focusTitleIfGone(holder: HTMLElement, around: Element | null): boolean {
  if (holder.isConnected) return false
  // A dialog that closed with its holder inside gives the focus back by itself.
  if (around && !around.isConnected) return true
  return !hasNoFocus() || focusVisibleTitle()
}
