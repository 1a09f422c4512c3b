/**
 * Shows an element above everything, including open dialogs, in the browser's top layer; moves it to the front again
 * when a dialog opens.
 * @returns a function that removes it.
 */
export function mountInTopLayer(element: HTMLElement): () => void {
  element.ariaHidden = 'true'
  element.popover = 'manual'
  document.body.append(element)
  const raise = () => {
    if (element.matches(':popover-open')) element.hidePopover()
    element.showPopover()
  }
  // Browsers before 2024 may lack the popover API; there it is only the topmost element of the page.
  if (!element.showPopover) return () => element.remove()
  raise()
  const watch = new MutationObserver(raise)
  watch.observe(document.body, { subtree: true, attributeFilter: ['open'] })
  return () => {
    watch.disconnect()
    element.remove()
  }
}
