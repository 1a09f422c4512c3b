import { createContext, useContext, useEffect } from 'react'

/** Takes the title of a drawer from what is shown in it; null: nothing in it has one. */
export const DrawerTitleContext = createContext<(title: string | null) => void>(() => {})

/** Names the drawer around by what it shows, which the list beside it may not have, or not have any more. */
export function useDrawerTitle(title: string): void {
  const tell = useContext(DrawerTitleContext)
  useEffect(() => {
    tell(title)
    return () => tell(null)
  }, [title, tell])
}
