import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { useValues } from './list-state.ts'
import './tabs.css'

type Tab = { key: string; label: string; render: () => ReactNode }

type Props = {
  /** What the tabs are about, for screen readers. */
  label: string
  tabs: readonly Tab[]
  /** The address parameter of the open tab; absent: kept in memory. */
  param?: string
  /** The tabs are the whole page: other parameters belong to the tab being left. */
  isPage?: boolean
}

/** Tabs. Arrow keys, Home and End move between them. */
export function Tabs({ label, tabs, param, isPage = false }: Props) {
  const [values, change] = useValues(param ? 'address' : 'memory')
  const name = param ?? 'tab'
  const chosen = tabs.find(({ key }) => key === values[name]) ?? tabs[0]
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const key = chosen?.key
  // On a phone the tab in the address may be scrolled out of view.
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
