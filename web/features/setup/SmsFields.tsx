import { useTranslation } from 'react-i18next'
import { SelectField } from '../../ui/SelectField.tsx'
import { type Fields, GatewayField } from './GatewayField.tsx'
import { SMS_PROVIDERS, type SmsProvider } from './gateway-drafts.ts'

type Props = Fields & { provider: SmsProvider; onProvider: (provider: SmsProvider) => void }

export function SmsFields({ provider, onProvider, ...fields }: Props) {
  const { t } = useTranslation()
  return (
    <fieldset>
      <legend>{t('setup.sms')}</legend>
      <p className="muted">{t('setup.sms.hint')}</p>
      <SelectField
        label={t('gateway.provider')}
        value={provider}
        options={SMS_PROVIDERS.map((one) => ({ value: one, label: t(`gateway.provider.${one}`) }))}
        onChange={(chosen) => chosen && onProvider(chosen)}
      />
      {provider === 'aliyun' && <AliyunFields {...fields} />}
      {provider === 'tencent' && <TencentFields {...fields} />}
      {provider === 'gateway' && <HttpFields {...fields} />}
    </fieldset>
  )
}

function AliyunFields(fields: Fields) {
  return (
    <>
      <GatewayField {...fields} name="accessKeyId" label="gateway.access-key-id" />
      <GatewayField {...fields} name="accessKeySecret" label="gateway.access-key-secret" kind="secret" />
      <Templates {...fields} />
      <GatewayField {...fields} name="url" label="gateway.url" hint="gateway.url.hint" />
    </>
  )
}

function TencentFields(fields: Fields) {
  return (
    <>
      <GatewayField {...fields} name="secretId" label="gateway.secret-id" />
      <GatewayField {...fields} name="secretKey" label="gateway.secret-key" kind="secret" />
      <GatewayField {...fields} name="sdkAppId" label="gateway.sdk-app-id" kind="numeric" />
      <Templates {...fields} />
      <GatewayField {...fields} name="region" label="gateway.region" />
      <GatewayField {...fields} name="url" label="gateway.url" hint="gateway.url.hint" />
    </>
  )
}

function Templates(fields: Fields) {
  return (
    <>
      <GatewayField {...fields} name="signName" label="gateway.sign-name" hint="gateway.sign-name.hint" />
      <GatewayField {...fields} name="codeTemplate" label="gateway.code-template" />
      <GatewayField
        {...fields}
        name="noticeTemplate"
        label="gateway.notice-template"
        hint="gateway.notice-template.hint"
      />
    </>
  )
}

function HttpFields(fields: Fields) {
  return (
    <>
      <GatewayField {...fields} name="url" label="gateway.http-url" hint="gateway.http-url.hint" />
      <GatewayField {...fields} name="appId" label="gateway.app-id" />
      <GatewayField {...fields} name="secret" label="gateway.secret" kind="secret" />
    </>
  )
}
