import { createContext, useContext } from 'react'

/**
 * The id of the text that says why the fields here can't be changed; undefined: they can. Unlike disabled ones they can be reached by Tab
 * and read out, with the reason as their description.
 */
export const FixedReason = createContext<string | undefined>(undefined)

export const useFixedReason = (): string | undefined => useContext(FixedReason)

/** Ids for `aria-describedby`, without those that are absent. */
export const describedBy = (...ids: (string | false | undefined)[]): string | undefined =>
  ids.filter(Boolean).join(' ') || undefined

/** For a button that changes a field. */
export function useFixedButton(onClick: () => void) {
  const fixed = useFixedReason()
  return {
    'aria-disabled': fixed !== undefined || undefined,
    'aria-describedby': fixed,
    onClick: () => fixed === undefined && onClick(),
  }
}
