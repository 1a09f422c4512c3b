import { useLight } from './light-page.tsx'

/** Which application waits behind this page, as the line below its heading. */
export function ToApplication({ name }: { name: string }) {
  const { t } = useLight()
  return (
    <p className="lead">
      {t('login.to-application')} <strong>{name}</strong>
    </p>
  )
}
