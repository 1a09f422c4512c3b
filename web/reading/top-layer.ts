/**
 * Lays an element over everything, open dialogs among it, without being in anyone's way: the browser's top layer, to the front
 * of which it goes again when a dialog opens after it.
 * @returns the way to take it off.
 */
export function mountInTopLayer(element: HTMLElement): () => void {
  element.ariaHidden = 'true'
  element.popover = 'manual'
  document.body.append(element)
  const raise = () => {
    if (element.matches(':popover-open')) element.hidePopover()
    element.showPopover()
  }
  // Before 2024 not every browser has a top layer for this; there it stands in the highest place of the page.
  if (!element.showPopover) return () => element.remove()
  raise()
  const watch = new MutationObserver(raise)
  watch.observe(document.body, { subtree: true, attributeFilter: ['open'] })
  return () => {
    watch.disconnect()
    element.remove()
  }
}
