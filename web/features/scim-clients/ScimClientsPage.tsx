import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ScimClient, scimClients } from '#shared/contract/scim-clients.ts'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import { StateWord } from '../../ui/StateWord.tsx'
import { Time } from '../../ui/Time.tsx'
import { ChangesLastDay } from './ChangesLastDay.tsx'
import { clientWords } from './client-words.ts'
import { ScimClientDrawer, type ScimSlots } from './ScimClientDrawer.tsx'
import { ScimClientForm } from './ScimClientForm.tsx'
import { CLIENTS_KEY, refreshClients } from './scim-client-queries.ts'
import { TokenDialog } from './TokenDialog.tsx'
import './scim-clients.css'

type OpenDialog = { what: 'new' } | { what: 'edit' | 'token' | 'delete'; client: ScimClient }

/** Systems that push people and groups by SCIM 2.0. */
export function ScimClientsPage({ slots }: { slots: ScimSlots }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const close = () => setOpen(null)
  const issue = (client: ScimClient) => setOpen({ what: 'token', client })
  return (
    <ListPage<ScimClient>
      title={t('scim-client.title')}
      explain={t('scim-client.explain')}
      actions={
        <button type="button" className="button button-primary" onClick={() => setOpen({ what: 'new' })}>
          {t('scim-client.create')}
        </button>
      }
      endpoint={scimClients.list}
      queryKey={CLIENTS_KEY}
      tableKey="scim-clients"
      rowKey="id"
      rowName={({ name }) => name}
      columns={useColumns()}
      filters={[]}
      searchLabel={t('scim-client.search')}
      defaultSort="name"
      empty={t('scim-client.none')}
      drawer={{
        title: (client) => client?.name ?? t('change-kind.scim-client'),
        render: (id, { close: onClose }) => (
          <ScimClientDrawer id={id} slots={slots} onIssue={issue} onClose={onClose} />
        ),
      }}
      rowActions={(client) => <RowVerbs client={client} onOpen={setOpen} />}
    >
      {open?.what === 'new' && <ScimClientForm edited={null} onClose={close} onCreated={issue} />}
      {open?.what === 'edit' && <ScimClientForm edited={open.client} onClose={close} onCreated={issue} />}
      {open?.what === 'token' && <TokenDialog client={open.client} onClose={close} />}
      {open?.what === 'delete' && <DeleteClient client={open.client} onClose={close} />}
    </ListPage>
  )
}

function RowVerbs({ client, onOpen }: { client: ScimClient; onOpen: (open: OpenDialog) => void }) {
  const { t } = useTranslation()
  const { name } = client
  const verb = (what: 'edit' | 'token' | 'delete') => (
    <button
      type="button"
      className="button button-quiet"
      aria-label={t(`scim-client.${what}-one`, { name })}
      onClick={() => onOpen({ what, client })}
    >
      {t(`scim-client.${what}`)}
    </button>
  )
  return (
    <span className="scim-verbs">
      {verb('token')}
      {verb('edit')}
      {verb('delete')}
    </span>
  )
}

function DeleteClient({ client, onClose }: { client: ScimClient; onClose: () => void }) {
  const { t } = useTranslation()
  const { name } = client
  return (
    <DeleteDialog
      remove={scimClients.remove}
      row={client}
      words={clientWords(t)}
      title={t('scim-client.delete-title', { name })}
      verb={t('scim-client.delete')}
      done={t('scim-client.deleted', { name })}
      refresh={refreshClients}
      onClose={onClose}
    >
      <p>{t('scim-client.delete-text')}</p>
    </DeleteDialog>
  )
}

function ClientState({ client }: { client: ScimClient }) {
  const { t } = useTranslation()
  if (!client.enabled) return <StateWord tone="quiet">{t('scim-client.state.disabled')}</StateWord>
  if (client.heldKinds.length > 0) return <StateWord tone="danger">{t('scim-client.state.held')}</StateWord>
  return <StateWord tone="well">{t('scim-client.state.enabled')}</StateWord>
}

function useColumns(): Column<ScimClient>[] {
  const { t } = useTranslation()
  return [
    { key: 'name', title: t('scim-client.name'), sortable: true, opensDrawer: true, render: ({ name }) => name },
    {
      key: 'scopes',
      title: t('scim-client.scopes'),
      isLong: true,
      render: ({ scopes }) => scopes.map((scope) => t(`scim-client.scope.${scope}`)).join(t('list.separator')),
    },
    {
      key: 'enabled',
      title: t('scim-client.state'),
      headsCard: true,
      render: (client) => <ClientState client={client} />,
    },
    {
      key: 'tokens',
      title: t('scim-client.token-until'),
      render: ({ tokens: [newest] }) =>
        newest ? <Time value={newest.expiresAt} /> : <span className="muted">{t('scim-client.no-token')}</span>,
    },
    {
      key: 'lastUsedAt',
      title: t('scim-client.last-used'),
      render: ({ lastUsedAt }) => (lastUsedAt ? <Time value={lastUsedAt} ago /> : '—'),
    },
    {
      key: 'changedLastDay',
      title: t('scim-client.changedLastDay'),
      isExtra: true,
      render: (client) => <ChangesLastDay client={client} />,
    },
    { key: 'note', title: t('scim-client.note'), isExtra: true, isLong: true, render: ({ note }) => note || '—' },
    {
      key: 'updatedAt',
      title: t('scim-client.updated-at'),
      sortable: true,
      isExtra: true,
      render: ({ updatedAt }) => <Time value={updatedAt} />,
    },
  ]
}
