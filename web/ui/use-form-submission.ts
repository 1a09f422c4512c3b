import { useEffect, useRef, useState } from 'react'

/**
 * A form whose button is never disabled: pressed too early, it marks missing input and focuses the first field, where a
 * disabled button would give no hint and be out of reach for the keyboard.
 */
export function useFormSubmission() {
  const ref = useRef<HTMLFormElement>(null)
  const [refusals, setRefusals] = useState(0)
  useEffect(() => {
    if (refusals > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [refusals])
  return { ref, submitted: refusals > 0, refuse: () => setRefusals((before) => before + 1) }
}
