import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useCount } from '../platform/format-number.ts'
import { MenuButton } from './MenuButton.tsx'
import { useRestoreFocus } from './restore-focus.ts'
import { MAX_SELECTED, type Selection } from './selection.ts'
import { useNarrow } from './use-narrow.ts'
import { useThrottled } from './use-throttled.ts'
import './bulk-bar.css'

export type BulkAction<Row> = {
  label: string
  /** `clear` takes the ticks away, for when the rows are done with. */
  onRun: (selection: Selection<Row>, clear: () => void) => void
  /** It also works on "all N results". */
  takesAll?: boolean
  /** Takes something away for good: marked, and apart from the others. */
  isDanger?: boolean
  /** Has it any use for these rows? */
  isEnabled?: (rows: Row[]) => boolean
}

type Props<Row> = {
  selection: Selection<Row>
  /** Of the ticked rows. */
  onOtherPages: number
  verbs: readonly BulkAction<Row>[]
  /** All results in words; null: they are all ticked, or no verb takes them. */
  allTotal: string | null
  onSelectAll: () => void
  onClear: () => void
}

const MAX_IN_BAR = 4
const MAX_ON_PHONE = 1

/** What can be done with the selected rows together. */
export function BulkBar<Row>({ selection, onOtherPages, verbs, allTotal, onSelectAll, onClear }: Props<Row>) {
  const { t } = useTranslation()
  const bar = useRef<HTMLDivElement>(null)
  const clear = useRef<HTMLButtonElement>(null)
  useRestoreFocus(bar)
  const isAll = 'all' in selection
  const full = !isAll && selection.rows.length >= MAX_SELECTED
  const count = isAll ? selection.expected : selection.rows.length
  const number = useCount()(count)
  return (
    <div className="bulk-bar" ref={bar}>
      <span role="status">
        <strong>{isAll ? t('list.all-selected', { total: allTotal ?? number }) : t('list.selected', { count })}</strong>
        {onOtherPages > 0 && <span>{t('list.selected-elsewhere', { count: onOtherPages })}</span>}
        {full && <span>{t('list.most-selected', { count: MAX_SELECTED })}</span>}
      </span>
      {!isAll && allTotal && (
        <button
          type="button"
          className="bulk-button"
          onClick={() => {
            onSelectAll()
            // This button goes away with it.
            clear.current?.focus()
          }}
        >
          {t('list.select-all', { total: allTotal })}
        </button>
      )}
      <button ref={clear} type="button" className="bulk-button" onClick={onClear}>
        {t('list.clear-selection')}
      </button>
      <BulkActions selection={selection} verbs={verbs} onClear={onClear} />
    </div>
  )
}

type VerbProps<Row> = Pick<Props<Row>, 'selection' | 'verbs' | 'onClear'>

function BulkActions<Row>({ selection, verbs, onClear }: VerbProps<Row>) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  const most = isNarrow ? MAX_ON_PHONE : MAX_IN_BAR
  // A menu with one entry in it would only hide that entry.
  const inBar = verbs.length <= most + 1 ? verbs : verbs.slice(0, most)
  const inMenu = verbs.slice(inBar.length)
  const run = useThrottled((label: string) => {
    verbs.find((verb) => verb.label === label)?.onRun(selection, onClear)
  })
  const isOff = ({ takesAll = false, isEnabled = () => true }: BulkAction<Row>) =>
    'all' in selection ? !takesAll : !isEnabled(selection.rows)
  return (
    <span className="bulk-verbs">
      {inBar.map((verb) => (
        <button
          key={verb.label}
          type="button"
          className="bulk-button"
          disabled={isOff(verb)}
          onClick={() => run(verb.label)}
        >
          {verb.label}
        </button>
      ))}
      {inMenu.length > 0 && (
        <MenuButton
          label={t('list.more-verbs')}
          className="bulk-more"
          entries={inMenu.map((verb) => ({
            label: verb.label,
            disabled: isOff(verb),
            isDanger: verb.isDanger ?? false,
            onSelect: () => run(verb.label),
          }))}
        >
          {t('list.more-verbs')}
        </MenuButton>
      )}
    </span>
  )
}
