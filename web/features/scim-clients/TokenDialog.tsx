import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { issueScimToken, SCIM_TOKEN_OVERLAP_HOURS, type ScimClient } from '#shared/contract/scim-clients.ts'
import { call } from '../../platform/api.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { IssuedDialog } from '../../ui/IssuedDialog.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { refreshClients } from './scim-client-queries.ts'

type Props = { client: ScimClient; onClose: () => void }

const DAYS = ['90', '180', '365', '730'] as const
type Days = (typeof DAYS)[number]
type KeepHours = '0' | '24' | '168'

/** Issues a token, and shows it once. */
export function TokenDialog({ client, onClose }: Props) {
  const [token, setToken] = useState<string | null>(null)
  if (token !== null) return <IssuedToken url={client.url} token={token} onClose={onClose} />
  return <IssueForm client={client} onIssued={setToken} onClose={onClose} />
}

function IssueForm({ client, onIssued, onClose }: Props & { onIssued: (token: string) => void }) {
  const { t } = useTranslation()
  const [days, setDays] = useState<Days>('365')
  const [keep, setKeep] = useState<KeepHours>('24')
  const [former] = client.tokens
  // The dialog closes after issuing; the token is shown after that.
  let issued: string | null = null
  const issue = async () => {
    const keepHours = SCIM_TOKEN_OVERLAP_HOURS.find((hours) => String(hours) === keep) ?? 0
    const body = { days: Number(days), keepHours: former ? keepHours : 0 } as const
    issued = (await call(issueScimToken, { query: { id: client.id }, body })).token
    await refreshClients()
  }
  return (
    <FormDialog
      title={t('scim-client.token-one', { name: client.name })}
      verb={t('scim-client.issue')}
      isAwaited
      onSubmit={issue}
      onClose={() => (issued === null ? onClose() : onIssued(issued))}
    >
      <p>{t('scim-client.shown-once')}</p>
      <SelectField<Days>
        label={t('scim-client.valid-for')}
        name="days"
        value={days}
        options={DAYS.map((value) => ({ value, label: t('scim-client.days', { count: Number(value) }) }))}
        onChange={(value) => value && setDays(value)}
      />
      {former && (
        <SelectField<KeepHours>
          label={t('scim-client.keep')}
          name="keepHours"
          value={keep}
          hint={t('scim-client.keep-hint', { hint: former.hint })}
          options={SCIM_TOKEN_OVERLAP_HOURS.map((hours) => ({
            value: String(hours) as KeepHours,
            label: t(`scim-client.keep.${hours}`),
          }))}
          onChange={(value) => value && setKeep(value)}
        />
      )}
    </FormDialog>
  )
}

function IssuedToken({ url, token, onClose }: { url: string; token: string; onClose: () => void }) {
  const { t } = useTranslation()
  const values = [[t('scim-client.url'), url] as const, [t('scim-client.token-value'), token] as const]
  return (
    <IssuedDialog title={t('scim-client.issued')} values={values} onClose={onClose}>
      <p>{t('scim-client.issued-text')}</p>
    </IssuedDialog>
  )
}
