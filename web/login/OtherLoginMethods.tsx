import type { LoginPage } from '#shared/contract/light-page.ts'
import { useLight } from './light-page.tsx'

/** Below the form: activation and other login methods, as far as available. */
export function OtherLoginMethods({ page, title = 'login.other-methods' }: { page: LoginPage; title?: string }) {
  const { t, surroundings } = useLight()
  return (
    <>
      {page.activation && (
        <p className="after">
          {t('login.first-time')} <a href="/auth_web/activation">{t('login.activate')}</a>
        </p>
      )}
      {page.otherMethods.length > 0 && (
        <>
          <p className="divider">{t(title)}</p>
          <ul className="login-methods">
            {page.otherMethods.map(({ key, label, href }) => (
              <li key={key}>
                <a className="button" href={href}>
                  {label.names[surroundings.language] ?? label.name}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
