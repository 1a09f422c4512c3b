import { useTranslation } from 'react-i18next'
import { GRANT_TYPES, SCOPES } from '#shared/contract/application-fields.ts'
import { ChoiceList } from '../../ui/ChoiceList.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { AddressList } from './AddressList.tsx'
import { addressError } from './address-error.ts'
import { OptionField } from './OptionField.tsx'
import { SecretField } from './SecretField.tsx'
import { SettingsSection } from './SettingsSection.tsx'
import { useAddressCheck } from './use-address-check.ts'
import type { ApplicationDraft } from './use-application-draft.ts'

type Props = { draft: ApplicationDraft }

const isWeak = (grant: string): boolean => grant === 'implicit' || grant === 'password'

/** The OAuth 2.0 and OpenID Connect settings of an application. */
export function OpenIdSection({ draft }: Props) {
  const { t } = useTranslation()
  const { value, change } = draft
  return (
    <>
      <SettingsSection name="client">
        <TextField
          label={t('application-field.clientId')}
          name="clientId"
          value={value.clientId ?? ''}
          maxLength={100}
          onChange={(clientId) => change({ clientId: clientId || null })}
        />
        <SecretField draft={draft} />
      </SettingsSection>
      <RedirectSection draft={draft} />
      <SettingsSection name="grants">
        <ChoiceList
          label={t('application-field.grantTypes')}
          name="grantTypes"
          value={value.grantTypes}
          options={GRANT_TYPES.map((grant) => ({ value: grant, label: t(`application-option.grantTypes.${grant}`) }))}
          onChange={(grantTypes) => change({ grantTypes })}
        />
        {value.grantTypes.some(isWeak) && <p className="caution-note">{t('application-hint.weak')}</p>}
      </SettingsSection>
      <SettingsSection name="scopes">
        <ChoiceList
          label={t('application-field.scopes')}
          name="scopes"
          value={value.scopes}
          options={SCOPES.map((scope) => ({ value: scope, label: t(`scope.${scope}`) }))}
          onChange={(scopes) => change({ scopes })}
        />
        <OptionField name="consent" draft={draft} />
      </SettingsSection>
      <SettingsSection name="tokens">
        <OptionField name="userAttribute" draft={draft} />
        <OptionField name="subjectType" draft={draft} />
        <OptionField name="idTokenAlg" draft={draft} />
        <Switch
          label={t('application-field.idTokenClaims')}
          hint={t('application-hint.idTokenClaims')}
          checked={value.idTokenClaims}
          onChange={(idTokenClaims) => change({ idTokenClaims })}
        />
        <OptionField name="profileStyle" draft={draft} />
        <OptionField name="tokenStyle" draft={draft} />
        <Switch
          label={t('application-field.resourceServer')}
          hint={t('application-hint.resourceServer')}
          checked={value.resourceServer}
          onChange={(resourceServer) => change({ resourceServer })}
        />
      </SettingsSection>
    </>
  )
}

function RedirectSection({ draft: { value, change } }: Props) {
  const { t } = useTranslation()
  const check = useAddressCheck({ id: value.id, addresses: value.redirectUris })
  return (
    <>
      <SettingsSection name="redirects">
        <AddressList
          label={t('application-field.redirectUris')}
          name="redirectUris"
          kind="redirect"
          value={value.redirectUris}
          overlaps={check?.overlaps ?? []}
          onChange={(redirectUris) => change({ redirectUris })}
        />
      </SettingsSection>
      <SettingsSection name="logout">
        <AddressList
          label={t('application-field.postLogoutRedirectUris')}
          name="postLogoutRedirectUris"
          kind="exact"
          value={value.postLogoutRedirectUris}
          onChange={(postLogoutRedirectUris) => change({ postLogoutRedirectUris })}
        />
        <TextField
          label={t('application-field.backchannelLogoutUri')}
          name="backchannelLogoutUri"
          inputMode="url"
          value={value.backchannelLogoutUri ?? ''}
          hint={t('application-hint.backchannelLogoutUri')}
          error={addressError(t, 'exact', value.backchannelLogoutUri)}
          isOptional
          onChange={(uri) => change({ backchannelLogoutUri: uri.trim() || null })}
        />
      </SettingsSection>
    </>
  )
}
