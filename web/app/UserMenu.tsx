import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { logOut } from '../platform/log-out.ts'
import { notify } from '../platform/notices.ts'
import { useUser } from '../platform/session.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { MenuButton } from '../ui/MenuButton.tsx'
import type { MenuEntry } from '../ui/menu.types.ts'
import { isAdministrator } from './menu.ts'

/** The logged-in person, the links between portal and back office, and logout. */
export function UserMenu({ inManage = false }: { inManage?: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const user = useUser()
  if (!user) return null
  const name = user.nick || user.name
  const handleLogOut = () => {
    notify('plain', t('shell.logging-out'))
    void logOut()
  }
  const across: MenuEntry[] = inManage
    ? [{ label: t('shell.back-to-portal'), icon: 'apps', onSelect: () => void navigate({ to: '/my-apps' }) }]
    : isAdministrator(user)
      ? [{ label: t('shell.manage'), icon: 'manage', onSelect: () => void navigate({ to: '/manage' }) }]
      : []
  return (
    <MenuButton
      className="avatar"
      label={t('shell.user-menu', { name })}
      entries={[
        { heading: `${user.name} · ${user.account}` },
        {
          label: t('personal-data.title'),
          icon: 'user',
          onSelect: () => void navigate({ to: '/personal-data' }),
        },
        ...across,
        { label: t('action.log-out'), icon: 'leave', onSelect: handleLogOut },
      ]}
    >
      <Avatar key={user.picture} picture={user.picture} name={name} />
    </MenuButton>
  )
}
