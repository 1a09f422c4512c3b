import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Grant, updateGrant } from '#shared/contract/application-grants.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useDatesText } from './GrantDates.tsx'
import { refreshGrants } from './grant-queries.ts'

export type Dated = Pick<Grant, 'appId' | 'memberId' | 'validFrom' | 'validUntil' | 'version'>

type Props = { grant: Dated; name: string; onClose: () => void }

/** The validity period of a grant. */
export function ChangeDatesDialog({ grant, name, onClose }: Props) {
  const { t } = useTranslation()
  const words = useDatesText()
  const [loaded, setLoaded] = useState(grant)
  const [draft, setDraft] = useState(grant)
  const submit = async () => {
    const { appId, memberId, validFrom, validUntil, version } = draft
    await call(updateGrant, { body: { appId, memberId, validFrom, validUntil, version } })
    notify('well', t('grant.dates-saved'))
    await refreshGrants()
  }
  return (
    <FormDialog<Dated>
      title={t('grant.change-dates-one', { name })}
      verb={t('action.save')}
      isDirty={draft.validFrom !== loaded.validFrom || draft.validUntil !== loaded.validUntil}
      conflict={{
        loaded,
        labels: { validFrom: t('authorise.valid-from'), validUntil: t('authorise.valid-until') },
        show: (_field, value) => words({ validFrom: null, validUntil: value as string | null }),
        onTakeTheirs: (current) => {
          setLoaded(current)
          setDraft(current)
        },
        onKeepMine: ({ version }) => setDraft({ ...draft, version }),
      }}
      onSubmit={submit}
      onClose={onClose}
    >
      <DateTimeField
        label={t('authorise.valid-from')}
        name="validFrom"
        isOptional
        value={draft.validFrom}
        onChange={(validFrom) => setDraft({ ...draft, validFrom })}
      />
      <DateTimeField
        label={t('authorise.valid-until')}
        name="validUntil"
        isOptional
        hint={t('grant.dates.hint')}
        value={draft.validUntil}
        onChange={(validUntil) => setDraft({ ...draft, validUntil })}
      />
    </FormDialog>
  )
}
