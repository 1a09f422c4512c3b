import { useTranslation } from 'react-i18next'
import { Field } from '../../ui/Field.tsx'
import { type Fields, GatewayField } from './GatewayField.tsx'
import { USUAL_PORT } from './gateway-drafts.ts'

const SECURITY = ['starttls', 'tls', 'none'] as const

export function MailFields(fields: Fields) {
  const { t } = useTranslation()
  const { draft, onChange } = fields
  const changeSecurity = (security: string) => {
    const wasUsual = Object.values(USUAL_PORT).includes(draft['port'] ?? '')
    onChange({ ...draft, security, ...(wasUsual && { port: USUAL_PORT[security] ?? '' }) })
  }
  return (
    <fieldset>
      <legend>{t('setup.mail')}</legend>
      <p className="muted">{t('setup.mail.hint')}</p>
      <GatewayField {...fields} name="host" label="gateway.mail-host" />
      <Field label={t('gateway.security')}>
        {(aria) => (
          <select
            {...aria}
            className="input"
            value={draft['security']}
            onChange={(event) => changeSecurity(event.target.value)}
          >
            {SECURITY.map((security) => (
              <option key={security} value={security}>
                {t(`gateway.security.${security}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <GatewayField {...fields} name="port" label="gateway.port" kind="numeric" />
      <GatewayField {...fields} name="user" label="gateway.user" hint="gateway.user.hint" />
      <GatewayField {...fields} name="password" label="gateway.password" kind="secret" />
      <GatewayField {...fields} name="from" label="gateway.from" hint="gateway.from.hint" kind="email" />
    </fieldset>
  )
}
