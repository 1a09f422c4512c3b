import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { RadioCards } from '../../ui/RadioCards.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { AddressList } from './AddressList.tsx'
import { addressError } from './address-error.ts'
import { codeFrom, type GuideProps } from './guide-draft.ts'
import { IconField } from './IconField.tsx'
import { useAddressCheck } from './use-address-check.ts'
import { useCategories } from './use-categories.ts'

export function TypeStep({ draft, problems, onChange }: GuideProps) {
  const { t } = useTranslation()
  const { categories, nameOf } = useCategories()
  const isTaken = useAddressCheck({ appId: draft.appId })?.appIdTaken ?? false
  useEffect(() => {
    if (isTaken !== draft.isCodeTaken) onChange({ isCodeTaken: isTaken })
  })
  const rename = (name: string) => onChange(draft.isCodeTyped ? { name } : { name, appId: codeFrom(name) })
  return (
    <>
      <TextField
        label={t('application-manage.name')}
        value={draft.name}
        maxLength={100}
        error={problems.name}
        onChange={rename}
      />
      <TextField
        label={t('application-manage.code')}
        value={draft.appId}
        maxLength={64}
        hint={t('application-guide.code-hint')}
        error={problems.appId ?? (isTaken ? t('application-guide.code-taken') : undefined)}
        onChange={(appId) => onChange({ appId, isCodeTyped: true })}
      />
      <SelectField
        label={t('application-manage.category')}
        value={draft.categoryId}
        none
        options={categories.map((one) => ({ value: one.id, label: nameOf(one) }))}
        onChange={(categoryId) => onChange({ categoryId })}
      />
      <WhoMayEnter value={draft.type} onChange={(type) => onChange({ type })} />
    </>
  )
}

type WhoProps = { value: 'system' | 'whitelist'; onChange: (value: 'system' | 'whitelist') => void }

export function WhoMayEnter({ value, onChange }: WhoProps) {
  const { t } = useTranslation()
  return (
    <RadioCards
      legend={t('application-guide.who')}
      value={value}
      options={(['system', 'whitelist'] as const).map((one) => ({
        value: one,
        label: t(`application-type.${one}`),
        text: t(`application-guide.type.${one}`),
      }))}
      onChange={onChange}
    />
  )
}

export function ProtocolStep({ draft, onChange }: GuideProps) {
  const { t } = useTranslation()
  return (
    <>
      <RadioCards
        legend={t('application-guide.which-protocol')}
        value={draft.protocol}
        options={(['cas', 'oauth2'] as const).map((value) => ({
          value,
          label: t(`application-protocol.${value}`),
          text: t(`application-guide.protocol.${value}`),
        }))}
        onChange={(protocol) => onChange({ protocol })}
      />
      {draft.protocol === 'oauth2' && (
        <RadioCards
          legend={t('application-guide.client')}
          value={draft.isPublic ? 'public' : 'confidential'}
          options={(['confidential', 'public'] as const).map((value) => ({
            value,
            label: t(`application-guide.client.${value}`),
          }))}
          onChange={(client) => onChange({ isPublic: client === 'public' })}
        />
      )}
    </>
  )
}

export function AddressesStep({ draft, problems, onChange }: GuideProps) {
  const { t } = useTranslation()
  const isCas = draft.protocol === 'cas'
  const check = useAddressCheck({ addresses: draft.addresses })
  return (
    <>
      <p className="muted">{t(`application-section.${isCas ? 'services' : 'redirects'}.text`)}</p>
      <AddressList
        label={t(isCas ? 'application-field.serviceUrls' : 'application-field.redirectUris')}
        name="addresses"
        kind={isCas ? 'service' : 'redirect'}
        value={draft.addresses}
        overlaps={check?.overlaps ?? []}
        error={problems.addresses}
        onChange={(addresses) => onChange({ addresses })}
      />
      <TextField
        label={t('application-field.url')}
        inputMode="url"
        value={draft.url}
        isOptional
        error={addressError(t, 'page', draft.url)}
        onChange={(url) => onChange({ url })}
      />
    </>
  )
}

export function IconStep({ draft, onChange }: GuideProps) {
  const app = { appId: draft.appId, name: draft.name, picture: draft.icon?.url ?? null }
  return <IconField app={app} onChange={(icon) => onChange({ icon })} />
}
