import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type IpRange, ipRanges, RANGE_KINDS } from '#shared/contract/ip-ranges.ts'
import { useCount } from '../../platform/format-number.ts'
import { BreakableWords } from '../../ui/Breakable.tsx'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Filter } from '../../ui/list-filter.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { StateWord } from '../../ui/StateWord.tsx'
import { Time } from '../../ui/Time.tsx'
import { AddressTester } from './AddressTester.tsx'
import { ImportRangesDialog } from './ImportRangesDialog.tsx'
import { IpRangeDrawer } from './IpRangeDrawer.tsx'
import { IpRangeForm } from './IpRangeForm.tsx'
import { RANGES_KEY, refreshRanges } from './ip-range-queries.ts'
import { RangeImpact } from './RangeImpact.tsx'
import { RangeKindTag } from './RangeKindTag.tsx'
import type { RangeSlots } from './range-slots.types.ts'
import { rangeWords } from './range-words.ts'
import './ip-ranges.css'

type OpenDialog = { what: 'new' | 'import' } | { what: 'test' } | { what: 'edit' | 'delete'; range: IpRange }

/** The institution's named networks. */
export function IpRangesList({ slots }: { slots: RangeSlots }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const close = () => setOpen(null)
  return (
    <ListPage<IpRange>
      title={t('ip-range.title')}
      explain={t('ip-range.explain')}
      embedded
      actions={
        <>
          <button type="button" className="button" onClick={() => setOpen({ what: 'test' })}>
            {t('ip-range.test')}
          </button>
          <button type="button" className="button" onClick={() => setOpen({ what: 'import' })}>
            {t('ip-range.import')}
          </button>
          <button type="button" className="button button-primary" onClick={() => setOpen({ what: 'new' })}>
            {t('ip-range.create')}
          </button>
        </>
      }
      endpoint={ipRanges.list}
      queryKey={RANGES_KEY}
      tableKey="net-strategy"
      rowKey="id"
      rowName={({ shownName }) => shownName}
      columns={useColumns()}
      filters={useFilters()}
      searchLabel={t('ip-range.search')}
      defaultSort="name"
      empty={t('ip-range.none')}
      drawer={{
        title: (range) => range?.shownName ?? t('change-kind.ip-range'),
        render: (id, { close: onClose }) => <IpRangeDrawer id={id} slots={slots} onClose={onClose} />,
      }}
      rowActions={(range) => <RowVerbs range={range} onOpen={setOpen} />}
    >
      {open?.what === 'new' && <IpRangeForm edited={null} onClose={close} />}
      {open?.what === 'edit' && <IpRangeForm edited={open.range} onClose={close} />}
      {open?.what === 'delete' && <DeleteRange range={open.range} onClose={close} />}
      {open?.what === 'test' && <AddressTester onClose={close} />}
      {open?.what === 'import' && <ImportRangesDialog onClose={close} />}
    </ListPage>
  )
}

function RowVerbs({ range, onOpen }: { range: IpRange; onOpen: (open: OpenDialog) => void }) {
  const { t } = useTranslation()
  const name = range.shownName
  const verb = (what: 'edit' | 'delete', label: string, spoken: string) => (
    <button type="button" className="button button-quiet" aria-label={spoken} onClick={() => onOpen({ what, range })}>
      {label}
    </button>
  )
  return (
    <span className="range-verbs">
      {verb('edit', t('ip-range.edit'), t('ip-range.edit-one', { name }))}
      {verb('delete', t('ip-range.delete'), t('ip-range.delete-one', { name }))}
    </span>
  )
}

function DeleteRange({ range, onClose }: { range: IpRange; onClose: () => void }) {
  const { t } = useTranslation()
  const { shownName: name } = range
  return (
    <DeleteDialog
      remove={ipRanges.remove}
      row={range}
      words={rangeWords(t)}
      title={t('ip-range.delete-title', { name })}
      verb={t('ip-range.delete')}
      done={t('ip-range.deleted', { name })}
      refresh={refreshRanges}
      onClose={onClose}
    >
      <p>{t(range.kind === 'campus' ? 'ip-range.delete-campus' : 'ip-range.delete-text')}</p>
      <RangeImpact range={range} fields={null} />
    </DeleteDialog>
  )
}

/** The drawer shows the others. */
const NETWORKS_SHOWN = 2

function useColumns(): Column<IpRange>[] {
  const { t } = useTranslation()
  const number = useCount()
  return [
    {
      key: 'name',
      title: t('ip-range.name'),
      sortable: true,
      opensDrawer: true,
      render: ({ shownName }) => shownName,
    },
    { key: 'kind', title: t('ip-range.kind'), headsCard: true, render: ({ kind }) => <RangeKindTag kind={kind} /> },
    {
      key: 'networks',
      title: t('ip-range.networks'),
      render: ({ networks }) => (
        <span className="range-networks">
          {networks.slice(0, NETWORKS_SHOWN).map((network) => (
            <code key={network}>
              <BreakableWords text={network} />
            </code>
          ))}
          {networks.length > NETWORKS_SHOWN && (
            <span className="muted">{t('ip-range.more', { count: number(networks.length - NETWORKS_SHOWN) })}</span>
          )}
        </span>
      ),
    },
    {
      key: 'enabled',
      title: t('ip-range.enabled'),
      render: ({ enabled }) => (
        <StateWord tone={enabled ? 'well' : 'quiet'}>{t(`ip-range.state.${enabled ? 'on' : 'off'}`)}</StateWord>
      ),
    },
    { key: 'note', title: t('ip-range.note'), isExtra: true, isLong: true, render: ({ note }) => note || '—' },
    {
      key: 'source',
      title: t('ip-range.source'),
      isExtra: true,
      render: ({ source }) => t(`ip-range.source.${source}`),
    },
    {
      key: 'updatedAt',
      title: t('ip-range.updated-at'),
      sortable: true,
      isExtra: true,
      render: ({ updatedAt }) => <Time value={updatedAt} />,
    },
  ]
}

function useFilters(): Filter[] {
  const { t } = useTranslation()
  return [
    {
      name: 'kind',
      label: t('ip-range.kind'),
      options: RANGE_KINDS.map((value) => ({ value, label: t(`ip-range.kind.${value}`) })),
    },
    {
      name: 'enabled',
      label: t('ip-range.enabled'),
      options: [
        { value: '1', label: t('ip-range.state.on') },
        { value: '0', label: t('ip-range.state.off') },
      ],
    },
  ]
}
