import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  releaseScimClient,
  revokeScimToken,
  type ScimClient,
  type ScimToken,
  scimClients,
} from '#shared/contract/scim-clients.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { notify } from '../../platform/notices.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { useDrawerTitle } from '../../ui/drawer-title.ts'
import { FactList } from '../../ui/FactList.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Time } from '../../ui/Time.tsx'
import { ChangesLastDay, useUsedText } from './ChangesLastDay.tsx'
import { CLIENTS_KEY, refreshClients } from './scim-client-queries.ts'

/** What other features contribute to a client's page. */
export type ScimSlots = { history: (id: string) => ReactNode }

type Props = { id: string; slots: ScimSlots; onIssue: (client: ScimClient) => void; onClose: () => void }

/** A client with its tokens, and its history. */
export function ScimClientDrawer({ id, slots, onIssue, onClose }: Props) {
  const client = useQuery({
    queryKey: [CLIENTS_KEY, 'details', id],
    queryFn: ({ signal }) => call(scimClients.details, { query: { id } }, { signal }),
  })
  if (client.isError) return <FailedBlock error={client.error} onRetry={() => void client.refetch()} onBack={onClose} />
  if (!client.data) return <Skeleton lines={6} />
  return <Parts client={client.data} slots={slots} onIssue={onIssue} />
}

function Parts({ client, slots, onIssue }: Pick<Props, 'slots' | 'onIssue'> & { client: ScimClient }) {
  const { t } = useTranslation()
  useDrawerTitle(client.name)
  return (
    <Tabs
      label={t('scim-client.parts')}
      param="part"
      tabs={[
        { key: 'facts', label: t('scim-client.facts'), render: () => <Facts client={client} /> },
        {
          key: 'tokens',
          label: t('scim-client.tokens'),
          render: () => <Tokens client={client} onIssue={() => onIssue(client)} />,
        },
        { key: 'history', label: t('scim-client.history'), render: () => slots.history(client.id) },
      ]}
    />
  )
}

function Facts({ client }: { client: ScimClient }) {
  const { t } = useTranslation()
  const number = useCount()
  const { url, scopes, callsPerMinute, lastUsedAt, note, updatedAt } = client
  const rows: [string, ReactNode][] = [
    [
      t('scim-client.url'),
      <span className="scim-url" key="url">
        <code>{url}</code> <CopyButton text={url} label={t('scim-client.url')} />
      </span>,
    ],
    [t('scim-client.scopes'), scopes.map((scope) => t(`scim-client.scope.${scope}`)).join(t('list.separator'))],
    [t('scim-client.changedLastDay'), <ChangesLastDay client={client} isFull key="changes" />],
    [t('scim-client.callsPerMinute'), number(callsPerMinute)],
    [t('scim-client.last-used'), lastUsedAt && <Time value={lastUsedAt} ago key="used" />],
    [t('scim-client.note'), note],
    [t('scim-client.updated-at'), <Time value={updatedAt} key="time" />],
  ]
  return (
    <>
      {client.heldKinds.length > 0 && <Held client={client} />}
      <FactList rows={rows} />
    </>
  )
}

/** The client reached a limit of its changes: somebody has to check. */
function Held({ client }: { client: ScimClient }) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const usedText = useUsedText()
  const limits = client.heldKinds.map((kind) => usedText(client, kind)).join(t('list.separator'))
  const release = async () => {
    await call(releaseScimClient, { query: { id: client.id }, body: { reason } })
    await refreshClients()
    notify('well', t('scim-client.released', { name: client.name }))
  }
  return (
    <div className="banner banner-danger scim-held">
      <Icon name="warning" />
      <span>{t('scim-client.held-text', { limits })}</span>
      <button type="button" className="button" onClick={() => setAsking(true)}>
        {t('scim-client.release')}
      </button>
      {isAsking && (
        <FormDialog
          title={t('scim-client.release-one', { name: client.name })}
          verb={t('scim-client.release')}
          isDanger
          isDirty={reason !== ''}
          onSubmit={release}
          onClose={() => setAsking(false)}
        >
          <p>{t('scim-client.release-text')}</p>
          <TextField
            label={t('scim-client.reason')}
            name="reason"
            value={reason}
            maxLength={500}
            isFirst
            onChange={setReason}
          />
        </FormDialog>
      )}
    </div>
  )
}

function Tokens({ client, onIssue }: { client: ScimClient; onIssue: () => void }) {
  const { t } = useTranslation()
  const [revoked, setRevoked] = useState<ScimToken | null>(null)
  return (
    <div className="scim-tokens">
      {client.tokens.length === 0 && <p className="muted">{t('scim-client.no-tokens')}</p>}
      {client.tokens.length > 0 && (
        <ul>
          {client.tokens.map((token) => (
            <TokenLine key={token.id} token={token} onRevoke={() => setRevoked(token)} />
          ))}
        </ul>
      )}
      <button type="button" className="button" onClick={onIssue}>
        {t('scim-client.token')}
      </button>
      {revoked && <RevokeDialog clientId={client.id} token={revoked} onClose={() => setRevoked(null)} />}
    </div>
  )
}

function TokenLine({ token, onRevoke }: { token: ScimToken; onRevoke: () => void }) {
  const { t } = useTranslation()
  const { hint, createdAt, createdBy, expiresAt, lastUsedAt } = token
  return (
    <li>
      <code>ghs_…{hint}</code>
      <span>
        {t('scim-client.token-until')} <Time value={expiresAt} />
      </span>
      <span className="muted">
        {t('scim-client.made')} <Time value={createdAt} /> {createdBy}
      </span>
      <span className="muted">
        {lastUsedAt ? (
          <>
            {t('scim-client.last-used')} <Time value={lastUsedAt} ago />
          </>
        ) : (
          t('scim-client.never-used')
        )}
      </span>
      <button
        type="button"
        className="button button-quiet"
        aria-label={t('scim-client.revoke-one', { hint })}
        onClick={onRevoke}
      >
        {t('scim-client.revoke')}
      </button>
    </li>
  )
}

function RevokeDialog({ clientId, token, onClose }: { clientId: string; token: ScimToken; onClose: () => void }) {
  const { t } = useTranslation()
  const revoke = async () => {
    await call(revokeScimToken, { query: { id: clientId }, body: { tokenId: token.id } })
    await refreshClients()
    notify('well', t('scim-client.revoked'))
  }
  return (
    <ConfirmDialog
      title={t('scim-client.revoke-one', { hint: token.hint })}
      verb={t('scim-client.revoke')}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>{t('scim-client.revoke-text')}</p>
    </ConfirmDialog>
  )
}
