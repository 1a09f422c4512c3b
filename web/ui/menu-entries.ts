export const importMenuList = () => import('./MenuList.tsx')

/** Preloads when the pointer or focus approaches; errors surface when the menu opens. */
export const preloadMenuList = () => void importMenuList().catch(() => {})
