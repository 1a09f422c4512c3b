import { useValues } from './list-state.ts'

/**
 * Whether a page's dialog is open, kept in the address as `do`, so that a search result or link can open it.
 * @param name of the dialog, within its page.
 */
export function useAddressTask(name: string): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [values, change] = useValues('address')
  return [values['do'] === name, (isOpen) => change({ do: isOpen ? name : undefined })]
}
