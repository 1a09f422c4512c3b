import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { UnbindableContact } from '#shared/contract/account-security.ts'
import { type ProfileCompletion, queryProfileCompletion, TYPED_FIELDS } from '#shared/contract/profile.ts'
import { call } from '../../platform/api.ts'
import { logOut } from '../../platform/log-out.ts'
import { queryClient } from '../../platform/queries.ts'
import { updateUser } from '../../platform/session.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { useContinue } from '../../ui/use-continue.ts'
import { AvatarSection } from './AvatarSection.tsx'
import { TypedFieldsForm } from './TypedFieldsForm.tsx'
import '../../ui/form-card.css'
import './personal-data.css'

const KEY = ['profile-completion']
const LOGIN_NAMES = ['phone', 'mailbox', 'alias'] as const satisfies readonly UnbindableContact[]

type Props = { loginNames: (fields: readonly UnbindableContact[], onBound: () => void) => ReactNode }

/** `/complete-profile`: missing required fields. Nothing else works before, except logging out. */
export function CompleteProfilePage({ loginNames }: Props) {
  const completion = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(queryProfileCompletion, {}, { signal }),
    staleTime: 0,
    // Another window, or an administrator, may have filled them in.
    refetchOnWindowFocus: true,
  })
  const goOn = useContinue()
  const { data } = completion
  const isComplete = data && data.missing.length + data.missingCustom.length === 0
  useEffect(() => {
    if (!isComplete) return
    updateUser({ profileDue: '0' })
    goOn()
  }, [isComplete, goOn])
  if (completion.isError) return <FailedBlock error={completion.error} onRetry={() => void completion.refetch()} />
  if (!data || isComplete) return <Skeleton lines={5} />
  return <MissingFields data={data} loginNames={loginNames} onChanged={() => void completion.refetch()} />
}

function MissingFields({ data, loginNames, onChanged }: Props & { data: ProfileCompletion; onChanged: () => void }) {
  const { t } = useTranslation()
  const { missing, missingCustom, leftToOthers, customLeftToOthers } = data
  const has = (field: string) => missing.some((one) => one.field === field)
  const bound = LOGIN_NAMES.filter(has)
  const typed = missing.flatMap(({ field, expected }) => {
    const name = TYPED_FIELDS.find((one) => one === field)
    return name ? [{ field: name, expected }] : []
  })
  const others = [...leftToOthers.map((field) => t(`person-field.${field}`)), ...customLeftToOthers]
  const names = others.join(t('list.separator'))
  const formats = missing.flatMap(({ field, expected }) => {
    const text = bound.some((one) => one === field) ? expected : null
    return text ? [{ field, text }] : []
  })
  return (
    <div className="card form-card">
      <PageTitle>{t('complete-profile.title')}</PageTitle>
      <p>{t('complete-profile.why')}</p>
      {bound.length > 0 && loginNames(bound, onChanged)}
      {formats.map(({ field, text }) => (
        <p key={field} className="muted">
          {t('complete-profile.format', { field: t(`person-field.${field}`), format: text })}
        </p>
      ))}
      {has('avatar') && <AvatarSection person={data} onSaved={onChanged} />}
      {typed.length + missingCustom.length > 0 && (
        <TypedFieldsForm
          fields={typed}
          custom={missingCustom}
          onSaved={(saved) => queryClient.setQueryData(KEY, saved)}
        />
      )}
      {others.length > 0 && <p className="muted">{t('complete-profile.left-to-others', { fields: names })}</p>}
      <div className="form-actions">
        <button type="button" className="button button-quiet" onClick={() => void logOut()}>
          {t('action.log-out')}
        </button>
      </div>
    </div>
  )
}
