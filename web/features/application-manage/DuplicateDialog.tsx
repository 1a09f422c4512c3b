import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { duplicateApplication } from '#shared/contract/application-manage.ts'
import { call } from '../../platform/api.ts'
import { isSameValue } from '../../platform/same-value.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NameAndCode } from '../../ui/NameAndCode.tsx'
import { invalidateApplications } from './StateDialog.tsx'

type Props = { app: { id: string; appId: string; name: string }; onClose: () => void }

export function DuplicateDialog({ app, onClose }: Props) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const offered = { name: app.name, code: `${app.appId}-2` }
  const [draft, setDraft] = useState(offered)
  const save = async () => {
    const { id } = await call(duplicateApplication, {
      query: { id: app.id },
      body: { name: draft.name, appId: draft.code },
    })
    await invalidateApplications()
    await navigate({ to: '/manage/application-manage/detail-set/$id', params: { id } })
  }
  return (
    <FormDialog
      title={t('application-manage.duplicate-title', { name: app.name })}
      verb={t('application-manage.do-duplicate')}
      isDirty={!isSameValue(draft, offered)}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t('application-manage.duplicate-text')}</p>
      <NameAndCode value={draft} codeField="appId" onChange={(change) => setDraft({ ...draft, ...change })} />
    </FormDialog>
  )
}
