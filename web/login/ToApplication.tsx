import { useLight } from './light-page.tsx'

/** Below the heading: the application that the login is for. */
export function ToApplication({ name }: { name: string }) {
  const { t } = useLight()
  return (
    <p className="lead">
      {t('login.to-application')} <strong>{name}</strong>
    </p>
  )
}
