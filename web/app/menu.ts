import { useRouter } from '@tanstack/react-router'
import type { MessageKey } from '../platform/i18n.ts'
import type { IconName } from '../ui/Icon.tsx'

export type MenuPage = { to: string; title: MessageKey; icon: IconName; parentName: MessageKey | undefined }

/** The pages of a menu, in the order of the URL table; detail pages are left out. */
export function useMenu(belong: 'home' | 'manage'): MenuPage[] {
  const { routesById } = useRouter()
  return Object.values(routesById).flatMap((route) => {
    const { title, icon, isSub, parentName, ...data } = route.options.staticData ?? {}
    if (data.belong !== belong || isSub || !title || !icon) return []
    return [{ to: route.fullPath, title, icon, parentName }]
  })
}
