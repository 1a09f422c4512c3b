import { useLayoutEffect, useState } from 'react'

/** Are fields marked after a refusal? `mended`: some were, and none is any more. */
type Marked = 'fields' | 'mended' | 'none'

/** Watches the marked fields inside `root` from a refusal that marks them until the next; `root` keeps its identity. */
export function useMarkedFields(root: () => Element | null, refusal: unknown): Marked {
  const [marked, setMarked] = useState<Marked>('none')
  // Before painting: the summary must not repeat the reason shown at the field.
  useLayoutEffect(() => {
    const within = root()
    const isMarked = () => within?.querySelector('[aria-invalid=true]') != null
    if (!within || refusal === undefined || !isMarked()) return setMarked('none')
    setMarked('fields')
    const observer = new MutationObserver(() => setMarked(isMarked() ? 'fields' : 'mended'))
    observer.observe(within, { subtree: true, childList: true, attributeFilter: ['aria-invalid'] })
    return () => observer.disconnect()
  }, [root, refusal])
  return marked
}
