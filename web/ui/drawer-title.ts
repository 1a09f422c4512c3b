import { createContext, useContext, useEffect } from 'react'

/** Sets a drawer's title from its content; null: no title. */
export const DrawerTitleContext = createContext<(title: string | null) => void>(() => {})

/** Sets the title of the enclosing drawer, whose row may not be in the list. */
export function useDrawerTitle(title: string): void {
  const tell = useContext(DrawerTitleContext)
  useEffect(() => {
    tell(title)
    return () => tell(null)
  }, [title, tell])
}
