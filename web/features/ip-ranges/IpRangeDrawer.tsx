import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type IpRange, ipRanges } from '#shared/contract/ip-ranges.ts'
import { call } from '../../platform/api.ts'
import { BreakableWords } from '../../ui/Breakable.tsx'
import { useDrawerTitle } from '../../ui/drawer-title.ts'
import { FactList } from '../../ui/FactList.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { StateWord } from '../../ui/StateWord.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { Time } from '../../ui/Time.tsx'
import { RANGES_KEY } from './ip-range-queries.ts'
import { RangeKindTag } from './RangeKindTag.tsx'
import type { RangeSlots } from './range-slots.types.ts'

type Props = { id: string; slots: RangeSlots; onClose: () => void }

/** A range with all its networks, and its history. */
export function IpRangeDrawer({ id, slots, onClose }: Props) {
  const { i18n } = useTranslation()
  const range = useQuery({
    queryKey: [RANGES_KEY, 'details', id, i18n.language],
    queryFn: ({ signal }) => call(ipRanges.details, { query: { id } }, { signal }),
  })
  if (range.isError) return <FailedBlock error={range.error} onRetry={() => void range.refetch()} onBack={onClose} />
  if (!range.data) return <Skeleton lines={6} />
  return <Parts range={range.data} slots={slots} />
}

function Parts({ range, slots }: { range: IpRange; slots: RangeSlots }) {
  const { t } = useTranslation()
  useDrawerTitle(range.shownName)
  return (
    <Tabs
      label={t('ip-range.parts')}
      param="part"
      tabs={[
        { key: 'facts', label: t('ip-range.facts'), render: () => <Facts range={range} /> },
        { key: 'history', label: t('ip-range.history'), render: () => slots.history(range.id) },
      ]}
    />
  )
}

function Facts({ range }: { range: IpRange }) {
  const { t } = useTranslation()
  const { name, names, shownName, kind, networks, note, enabled, source, updatedAt } = range
  const others = [...new Set([name, ...Object.values(names)])].filter((one) => one !== shownName)
  const rows: [string, ReactNode][] = [
    [t('ip-range.kind'), <RangeKindTag kind={kind} key="kind" />],
    [
      t('ip-range.enabled'),
      <StateWord tone={enabled ? 'well' : 'quiet'} key="enabled">
        {t(`ip-range.state.${enabled ? 'on' : 'off'}`)}
      </StateWord>,
    ],
    [
      t('ip-range.networks'),
      <ul className="range-networks" key="networks">
        {networks.map((network) => (
          <li key={network}>
            <code>
              <BreakableWords text={network} />
            </code>
          </li>
        ))}
      </ul>,
    ],
    [t('ip-range.other-names'), others.join(' · ')],
    [t('ip-range.note'), note],
    [t('ip-range.source'), t(`ip-range.source.${source}`)],
    [t('ip-range.updated-at'), <Time value={updatedAt} key="time" />],
  ]
  return <FactList rows={rows} />
}
