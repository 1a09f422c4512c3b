import { useEffect, useState } from 'react'

/** A signal that is aborted when the component goes away: what it began must not go on somewhere else. */
export function usePageSignal(): AbortSignal {
  const [controller] = useState(() => new AbortController())
  useEffect(() => () => controller.abort(), [controller])
  return controller.signal
}
