import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { duplicateApplication } from '#shared/contract/application-manage.ts'
import { call } from '../../platform/api.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { forgetApplications } from './state-verbs.tsx'

type Props = { app: { id: string; appId: string; name: string }; onClose: () => void }

export function DuplicateDialog({ app, onClose }: Props) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [draft, setDraft] = useState({ name: app.name, appId: `${app.appId}-2` })
  const save = async () => {
    const { id } = await call(duplicateApplication, { query: { id: app.id }, body: draft })
    await forgetApplications()
    await navigate({ to: '/manage/application-manage/detail-set/$id', params: { id } })
  }
  return (
    <FormDialog
      title={t('application-manage.duplicate-title', { name: app.name })}
      verb={t('application-manage.do-duplicate')}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t('application-manage.duplicate-text')}</p>
      <TextField
        label={t('application-manage.name')}
        name="name"
        value={draft.name}
        maxLength={100}
        isFirst
        onChange={(name) => setDraft({ ...draft, name })}
      />
      <TextField
        label={t('application-manage.code')}
        name="appId"
        value={draft.appId}
        maxLength={64}
        onChange={(appId) => setDraft({ ...draft, appId })}
      />
    </FormDialog>
  )
}
