import { useTranslation } from 'react-i18next'
import { formatDateTime } from '../platform/format-time.ts'

type Login = { browser: string; device: string; loginTime: string }

/** Identifies a login by browser, device and start. */
export function NamedLogin({ login }: { login: Login }) {
  const { t, i18n } = useTranslation()
  const device = [login.browser, login.device].filter(Boolean).join(t('list.separator')) || t('login.device-unknown')
  const since = formatDateTime(new Date(login.loginTime), i18n.language)
  return (
    <p>
      <strong>{t('login.named', { device, since })}</strong>
    </p>
  )
}
