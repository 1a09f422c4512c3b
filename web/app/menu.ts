import { type StaticDataRouteOption, useRouter } from '@tanstack/react-router'
import type { UserInformation } from '#shared/contract/sessions.ts'
import type { MessageKey } from '../platform/i18n.ts'
import { isSuperUser, useUser } from '../platform/session.ts'
import type { IconName } from '../ui/Icon.tsx'

export type MenuPage = { to: string; title: MessageKey; icon: IconName; parentName: MessageKey | undefined }

/** May the person use any page of the back office? */
export const isAdministrator = (user: UserInformation): boolean => isSuperUser(user) || Boolean(user.permissions)

/**
 * May this person open a page of the back office? Super users may open all, administrators of some organisations those
 * meant for them.
 */
export function mayOpen(user: UserInformation, { administrators }: StaticDataRouteOption): boolean {
  if (isSuperUser(user)) return true
  if (!user.permissions || !administrators) return false
  return administrators === 'all' || user.permissions.includes(administrators)
}

/** The menu pages that the person may open, in route order, without detail pages. */
export function useMenuPages(belong: 'home' | 'manage'): MenuPage[] {
  const { routesById } = useRouter()
  const user = useUser()
  return Object.values(routesById).flatMap((route) => {
    const { title, icon, isSub, parentName, ...data } = route.options.staticData ?? {}
    if (belong === 'manage' && !(user && mayOpen(user, data))) return []
    if (data.belong !== belong || isSub || !title || !icon) return []
    return [{ to: route.fullPath, title, icon, parentName }]
  })
}
