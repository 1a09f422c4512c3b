import { useTranslation } from 'react-i18next'
import { SelectField } from '../../ui/SelectField.tsx'
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
      <SelectField
        label={t('gateway.security')}
        value={draft['security'] ?? ''}
        options={SECURITY.map((security) => ({ value: security as string, label: t(`gateway.security.${security}`) }))}
        onChange={changeSecurity}
      />
      <GatewayField {...fields} name="port" label="gateway.port" kind="numeric" />
      <GatewayField {...fields} name="user" label="gateway.user" hint="gateway.user.hint" />
      <GatewayField {...fields} name="password" label="gateway.password" kind="secret" />
      <GatewayField {...fields} name="from" label="gateway.from" hint="gateway.from.hint" kind="email" />
    </fieldset>
  )
}
