import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { useValues } from './list-state.ts'
import './tabs.css'

type Tab = { key: string; label: string; render: () => ReactNode }

type Props = {
  /** What the tabs are about, for a screen reader. */
  label: string
  tabs: readonly Tab[]
  /** The name that the open tab has in the address; absent: it is kept in memory. */
  param?: string
  /** The tabs are the whole page: whatever else the address says is of the tab that is left. */
  isPage?: boolean
}

/** One part of something at a time. Arrow keys, Home and End go from tab to tab. */
export function Tabs({ label, tabs, param, isPage = false }: Props) {
  const [values, change] = useValues(param ? 'address' : 'memory')
  const name = param ?? 'tab'
  const chosen = tabs.find(({ key }) => key === values[name]) ?? tabs[0]
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const key = chosen?.key
  // On a phone the tab that an address opens may be the last of many.
  useEffect(() => {
    const tab = key && list.current?.querySelector(`[data-tab="${CSS.escape(key)}"]`)
    if (tab) tab.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [key])
  if (!chosen) return null
  const choose = ({ key }: Tab) => {
    if (key === chosen.key) return
    const left = isPage ? Object.fromEntries(Object.keys(values).map((other) => [other, undefined])) : {}
    change({ ...left, [name]: key === tabs[0]?.key ? undefined : key })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.indexOf(chosen)
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }
    const step = steps[event.key]
    const next = step === undefined ? undefined : tabs.at(step % tabs.length)
    if (!next) return
    event.preventDefault()
    choose(next)
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.key)}"]`)?.focus()
  }
  return (
    <div className="tabs">
      <div className="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            data-tab={tab.key}
            aria-selected={tab === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => choose(tab)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        className="tab-panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${chosen.key}`}
        key={chosen.key}
      >
        {chosen.render()}
      </div>
    </div>
  )
}
