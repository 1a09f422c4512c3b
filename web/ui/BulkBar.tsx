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
  /** `clear` clears the selection when done. */
  onRun: (selection: Selection<Row>, clear: () => void) => void
  /** Also works on "all N results". */
  takesAll?: boolean
  /** Destructive: marked, and apart from the others. */
  isDanger?: boolean
  /** Is it applicable to these rows? */
  isEnabled?: (rows: Row[]) => boolean
}

type Props<Row> = {
  selection: Selection<Row>
  /** Number of ticked rows on other pages. */
  onOtherPages: number
  verbs: readonly BulkAction<Row>[]
  /** The count of all results; null: all are ticked, or no action takes them. */
  allTotal: string | null
  onSelectAll: () => void
  onClear: () => void
}

const MAX_IN_BAR = 4
const MAX_ON_PHONE = 1

/** Actions on the selected rows. */
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
            // This button disappears.
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
  // A menu with a single entry would be pointless.
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
