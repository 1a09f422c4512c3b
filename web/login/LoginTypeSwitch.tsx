import type { MouseEvent } from 'react'
import type { LoginPage, LoginType } from '#shared/contract/light-page.ts'
import { useLight } from './light-page.tsx'

type Props = { page: LoginPage; type: LoginType; onChoose(type: LoginType): void }

/** The enabled login types: links without scripts, in place with them. */
export function LoginTypeSwitch({ page, type, onChoose }: Props) {
  const { self, t } = useLight()
  if (page.types.length < 2) return null
  const address = (one: LoginType) => (self === null ? '#' : `${self}${self.includes('?') ? '&' : '?'}loginType=${one}`)
  const choose = (event: MouseEvent, one: LoginType) => {
    event.preventDefault()
    onChoose(one)
  }
  return (
    <nav className="types" aria-label={t('login.types')}>
      {page.types.map((one) => (
        <a
          key={one}
          href={address(one)}
          aria-current={one === type ? 'true' : undefined}
          onClick={(event) => choose(event, one)}
        >
          {t(`login.type.${one}`)}
        </a>
      ))}
    </nav>
  )
}
