import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { accessToApplication } from '#shared/contract/application-grants.ts'
import type { ApplicationDetails } from '#shared/contract/application-manage.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { useCount } from '../../platform/format-number.ts'
import { useAddressTask } from '../../ui/use-address-task.ts'
import { AddGrantDialog } from './AddGrantDialog.tsx'
import { CheckAccessDialog } from './CheckAccessDialog.tsx'
import { GrantList } from './GrantList.tsx'
import { ACCESS_KEY } from './grant-queries.ts'

/** Who has an application: its grants, how many people that is, and the check for any person. */
export function ApplicationAccess({ id: applicationId, appId, name, type }: ApplicationDetails) {
  const { t } = useTranslation()
  const [isAdding, setAdding] = useAddressTask('add')
  const [isAsking, setAsking] = useAddressTask('why')
  return (
    <div className="application-access">
      {type === 'whitelist' ? (
        <p className="access-note">{t('access.whitelist')}</p>
      ) : (
        <AccessFigures applicationId={applicationId} />
      )}
      <GrantList
        applicationId={applicationId}
        title={t('access.title')}
        actions={
          <>
            <button type="button" className="button" onClick={() => setAsking(true)}>
              {t('access.check')}
            </button>
            <button type="button" className="button button-primary" onClick={() => setAdding(true)}>
              {t('grant.add')}
            </button>
          </>
        }
      >
        {isAdding && <AddGrantDialog appId={appId} name={name} onClose={() => setAdding(false)} />}
        {isAsking && <CheckAccessDialog of={{ applicationId }} onClose={() => setAsking(false)} />}
      </GrantList>
    </div>
  )
}

function AccessFigures({ applicationId }: { applicationId: string }) {
  const { t } = useTranslation()
  const number = useCount()
  const { data, error, refetch } = useQuery({
    queryKey: [ACCESS_KEY, 'reach', applicationId],
    queryFn: ({ signal }) => call(accessToApplication, { query: { applicationId } }, { signal }),
  })
  if (error && !data) {
    return (
      <p role="alert">
        {failureText(error)}{' '}
        <button type="button" className="button button-quiet" onClick={() => void refetch()}>
          {t('action.retry')}
        </button>
      </p>
    )
  }
  // The figures have their room from the start: the list below must not move under a pointer.
  return (
    <dl className="access-figures" aria-busy={!data}>
      <div>
        <dt>{t('access.people')}</dt>
        <dd>{data ? number(data.people, data.peopleIsLowerBound) : '…'}</dd>
      </div>
      <div>
        <dt>{t('access.ending')}</dt>
        <dd>{data ? number(data.endingSoon) : '…'}</dd>
      </div>
    </dl>
  )
}
