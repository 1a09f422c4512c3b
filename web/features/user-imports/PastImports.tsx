import { useTranslation } from 'react-i18next'
import { type ImportListed, listImports } from '#shared/contract/user-imports.ts'
import { useCount } from '../../platform/format-number.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import { Time } from '../../ui/Time.tsx'
import { IMPORTS_KEY, isBusy } from './use-import-run.ts'

/** Earlier imports, including those still running. */
export function PastImports({ onOpen }: { onOpen: (id: string) => void }) {
  const { t } = useTranslation()
  return (
    <ListPage<ImportListed>
      embedded
      place="memory"
      title={t('import.former')}
      endpoint={listImports}
      queryKey={IMPORTS_KEY}
      rowKey="id"
      rowName={({ fileName }) => fileName}
      columns={useColumns()}
      filters={[]}
      searchLabel={t('import.former.search')}
      rowActions={({ id, fileName }) => (
        <button
          type="button"
          className="button button-quiet"
          aria-label={t('import.former.open-file', { name: fileName })}
          onClick={() => onOpen(id)}
        >
          {t('import.former.open')}
        </button>
      )}
      defaultSort="-createdAt"
      refreshEvery={15_000}
      empty={t('import.former.empty')}
    />
  )
}

function useColumns(): Column<ImportListed>[] {
  const { t } = useTranslation()
  const number = useCount()
  return [
    { key: 'fileName', title: t('import.former.file'), render: ({ fileName }) => <bdi>{fileName}</bdi> },
    {
      key: 'state',
      title: t('import.former.state'),
      render: (run) => <span className={isBusy(run) ? 'tag' : 'tag tag-plain'}>{t(`import.state.${run.state}`)}</span>,
    },
    {
      key: 'written',
      title: t('import.former.written'),
      isNumber: true,
      render: ({ counts, rowCount }) => `${number(counts.written)} / ${number(rowCount)}`,
    },
    { key: 'bad', title: t('import.outcome.bad'), isNumber: true, render: ({ counts }) => number(counts.bad) },
    { key: 'ownerName', title: t('import.former.owner'), render: ({ ownerName }) => ownerName },
    {
      key: 'createdAt',
      title: t('import.former.at'),
      sortable: true,
      render: ({ createdAt }) => <Time value={createdAt} />,
    },
  ]
}
