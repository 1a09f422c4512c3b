import type { LoginPage } from '#shared/contract/light-page.ts'
import { useLight } from './light-page.tsx'

const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3600

/** Options of the session, and the link for forgotten passwords. */
export function RememberRow({ page }: { page: LoginPage }) {
  const { t } = useLight()
  const seconds = page.rememberMeLongSecond
  const label =
    seconds >= DAY_SECONDS
      ? t('login.remember-me', { count: Math.floor(seconds / DAY_SECONDS) })
      : t('login.remember-me-hours', { count: Math.max(1, Math.floor(seconds / HOUR_SECONDS)) })
  if (seconds === 0 && !page.warnOffered && !page.forgotPassword) return null
  return (
    <div className="row">
      <div>
        {seconds > 0 && <Checkbox name="rememberMe" label={label} />}
        {page.warnOffered && <Checkbox name="warn" label={t('login.warn')} />}
      </div>
      {page.forgotPassword && <a href={forgotPasswordUrl(page)}>{t('login.forgot-password')}</a>}
    </div>
  )
}

/** Carries the requested application, so that the recovery leads back to it. */
const forgotPasswordUrl = ({ service }: LoginPage): string =>
  service === null ? '/auth_web/forgot-password' : `/auth_web/forgot-password?service=${encodeURIComponent(service)}`

const Checkbox = ({ name, label }: { name: string; label: string }) => (
  <label className="check">
    <input type="checkbox" name={name} value="true" />
    {label}
  </label>
)
