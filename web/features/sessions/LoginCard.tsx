import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { CurrentLogin } from '#shared/contract/sessions.ts'
import { authTypeName } from '../../ui/auth-type-name.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Time } from '../../ui/Time.tsx'
import { useDeviceName } from './use-device-name.ts'

export function LoginCard({ login, onEnd }: { login: CurrentLogin; onEnd: () => void }) {
  const { t } = useTranslation()
  const name = useDeviceName()(login)
  const factsId = useId()
  return (
    <article className="card login-card" aria-label={name}>
      <span className="login-device">
        <Icon name={login.clientType} />
      </span>
      <div className="login-facts">
        <h2>
          {name}
          {login.current && (
            <span className="tag tag-well">
              <span className="dot" />
              {t('current-login.current')}
            </span>
          )}
        </h2>
        <p className="muted">
          <span>{t(login.onCampus ? 'place.on-campus' : 'place.off-campus')}</span> ·{' '}
          <span className="tabular">{login.ip}</span> · <span>{login.provider ?? authTypeName(login.authType)}</span>
          {login.remembered && <> · {t('current-login.remembered')}</>}
        </p>
        <dl id={factsId}>
          <div>
            <dt>{t('current-login.login-time')}</dt>
            <dd>
              <Time value={login.loginTime} />
            </dd>
          </div>
          <div>
            <dt>{t('current-login.last-seen')}</dt>
            <dd>
              <Time value={login.lastSeen} ago />
            </dd>
          </div>
        </dl>
      </div>
      {!login.current && (
        <button
          type="button"
          className="button"
          onClick={onEnd}
          aria-label={t('current-login.end-device', { device: name })}
          // Several browsers may have the same name: times tell them apart.
          aria-describedby={factsId}
        >
          {t('current-login.end')}
        </button>
      )}
    </article>
  )
}
