import { useEffect, useRef, useState } from 'react'

/**
 * A form whose button always works: pressed too early, it tells at each field what is missing and leads to the first,
 * where a greyed button would leave a person guessing and a keyboard without it.
 */
export function useFormSubmission() {
  const ref = useRef<HTMLFormElement>(null)
  const [refusals, setRefusals] = useState(0)
  useEffect(() => {
    if (refusals > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [refusals])
  return { ref, submitted: refusals > 0, refuse: () => setRefusals((before) => before + 1) }
}
