import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCount } from '../platform/format-number.ts'
import { Drawer } from './Drawer.tsx'
import { DrawerTitleContext } from './drawer-title.ts'
import { Icon } from './Icon.tsx'
import { MAX_PAGED_ROWS } from './list-state.ts'
import { focusTitle } from './restore-focus.ts'

/** The drawer of a row. */
export type RowDrawer<Row> = {
  /**
   * Used until the content sets one (`useDrawerTitle`); the row is undefined if the address names one outside the page.
   */
  title: (row: Row | undefined) => string
  render: (id: string, tools: { close: () => void }) => ReactNode
}

type Props<Row extends object> = {
  drawer: RowDrawer<Row>
  rowKey: keyof Row & string
  open: string | undefined
  /** The rows of the requested page; undefined while loading. */
  records: Row[] | undefined
  pageIndex: number
  pageSize: number
  total: number
  onOpen: (id: string | undefined) => void
  onPage: (pageIndex: number) => void
}

/** The drawer of a list: steps through the rows and on to the next page. */
export function ListDrawer<Row extends object>(props: Props<Row>) {
  const { drawer, open, rowKey, records, onOpen } = props
  const at = records?.findIndex((row) => String(row[rowKey]) === open) ?? -1
  const row = records?.[at]
  const left = useLeftPlace(open, at)
  const [loadedTitle, setLoadedTitle] = useState<string | null>(null)
  useFocusBack(open)
  const step = useSteps(props, at < 0 && records ? left : null, at)
  if (open === undefined) return null
  const close = () => onOpen(undefined)
  return (
    <Drawer
      title={loadedTitle ?? drawer.title(row)}
      onClose={close}
      tools={(at >= 0 || (left !== null && records)) && <Steps {...step} />}
    >
      <DrawerTitleContext value={setLoadedTitle}>
        <div key={open}>{drawer.render(open, { close })}</div>
      </DrawerTitleContext>
    </Drawer>
  )
}

/** The position of a row that has left the list, such as a person who was unlocked: the following row is there now. */
function useLeftPlace(open: string | undefined, at: number): number | null {
  const [seen, setSeen] = useState<{ open: string | undefined; at: number } | null>(null)
  useEffect(() => {
    if (at >= 0) setSeen({ open, at })
  }, [open, at])
  return at < 0 && seen?.open === open && open !== undefined ? (seen?.at ?? null) : null
}

/** On closing, focuses the row shown last, which may differ from the one opened first. */
function useFocusBack(open: string | undefined): void {
  const [last, setLast] = useState(open)
  useEffect(() => {
    if (open !== undefined) return setLast(open)
    if (last === undefined) return
    const row = document.querySelector<HTMLElement>(`[data-opens="${CSS.escape(last)}"]`)
    if (row) row.focus()
    // Opened by the search or the address, with a row that is not on the page.
    else if (document.activeElement === document.body) focusTitle()
    setLast(undefined)
  }, [open, last])
}

type Step = { place: string; onPrevious: (() => void) | null; onNext: (() => void) | null }

/** @param left the position of a row no longer on the page. */
function useSteps<Row extends object>(props: Props<Row>, left: number | null, found: number): Step {
  const at = left ?? found
  const { records, rowKey, pageIndex, pageSize, total, onOpen, onPage } = props
  const { t } = useTranslation()
  /** The row to open on the page being loaded. */
  const [awaited, setAwaited] = useState<{ pageIndex: number; end: 0 | -1 } | null>(null)
  useEffect(() => {
    if (!records || awaited?.pageIndex !== pageIndex) return
    setAwaited(null)
    const row = records.at(awaited.end)
    if (row) onOpen(String(row[rowKey]))
  }, [records, awaited, pageIndex, rowKey, onOpen])
  const pages = Math.ceil(Math.min(total, MAX_PAGED_ROWS) / pageSize)
  const go = (to: number, end: 0 | -1) => () => {
    setAwaited({ pageIndex: to, end })
    onPage(to)
  }
  const neighbour = (row: Row | undefined) => (row ? () => onOpen(String(row[rowKey])) : null)
  const number = useCount()
  const here = (pageIndex - 1) * pageSize + at + 1
  return {
    place: left !== null ? '' : t('drawer.place', { place: number(here), total: number(Math.max(total, here)) }),
    onPrevious: at > 0 ? neighbour(records?.[at - 1]) : pageIndex > 1 ? go(pageIndex - 1, -1) : null,
    onNext: neighbour(records?.[left ?? at + 1]) ?? (pageIndex < pages ? go(pageIndex + 1, 0) : null),
  }
}

function Steps({ place, onPrevious, onNext }: Step) {
  const { t } = useTranslation()
  return (
    <>
      <span className="muted tabular" role="status">
        {place}
      </span>
      <StepButton label={t('drawer.previous')} className="drawer-step" onGo={onPrevious} />
      <StepButton label={t('drawer.next')} className="drawer-step drawer-step-next" onGo={onNext} />
    </>
  )
}

/** Not `disabled` at the end, which would lose the focus. */
function StepButton({ label, className, onGo }: { label: string; className: string; onGo: (() => void) | null }) {
  return (
    <button
      type="button"
      className={`button button-quiet ${className}`}
      aria-label={label}
      title={label}
      aria-disabled={onGo ? undefined : true}
      onClick={() => onGo?.()}
    >
      <Icon name="down" />
    </button>
  )
}
