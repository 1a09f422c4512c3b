import { createContext, type KeyboardEvent, useContext, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { MyApplication } from '#shared/contract/applications.ts'
import { AppIcon } from '../../ui/AppIcon.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { openApp } from './open-app.ts'
import { pinApp, unpinApp } from './own-home-page.ts'

/** The `appId`s that the person pinned; null until known, or where pinning is not available. */
export const FavouritesContext = createContext<readonly string[] | null>(null)

/** Tiles with arrow-key navigation by position; each is a plain link. */
export function AppGrid({ apps, label }: { apps: readonly MyApplication[]; label: string }) {
  const ref = useRef<HTMLUListElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const next = neighbour(Array.from(ref.current?.querySelectorAll('a') ?? []), event.key)
    if (!next) return
    event.preventDefault()
    next.focus()
  }
  return (
    <ul className="app-grid" ref={ref} aria-label={label} onKeyDown={onKeyDown}>
      {apps.map((app) => (
        <li key={app.appId}>
          <AppTile app={app} />
          <PinButton app={app} />
        </li>
      ))}
    </ul>
  )
}

function AppTile({ app }: { app: MyApplication }) {
  const { t } = useTranslation()
  return (
    <a className="card app-tile" href={app.url} target="_blank" rel="noopener" onClick={() => openApp(app)}>
      <AppIcon app={app} />
      <span className="app-words">
        <span className="app-name">{app.name}</span>
        {app.description && <span className="app-description">{app.description}</span>}
      </span>
      <span className="visually-hidden">{t('my-apps.new-tab')}</span>
    </a>
  )
}

function PinButton({ app: { appId, name } }: { app: MyApplication }) {
  const { t } = useTranslation()
  const favourites = useContext(FavouritesContext)
  if (!favourites) return null
  const isPinned = favourites.includes(appId)
  const label = t('my-apps.pin', { name })
  return (
    <button
      type="button"
      className="app-pin"
      aria-pressed={isPinned}
      aria-label={label}
      title={label}
      onClick={() => void (isPinned ? unpinApp(appId) : pinApp(appId))}
    >
      <Icon name="star" />
    </button>
  )
}

/** The next tile in the direction of an arrow key, by screen position. */
function neighbour(tiles: HTMLElement[], key: string): HTMLElement | undefined {
  const at = tiles.indexOf(document.activeElement as HTMLElement)
  const here = tiles[at]
  if (!here) return
  if (key === 'ArrowRight') return tiles[at + 1]
  if (key === 'ArrowLeft') return tiles[at - 1]
  if (key === 'Home') return tiles[0]
  if (key === 'End') return tiles.at(-1)
  const sameColumn = tiles.filter((tile) => tile.offsetLeft === here.offsetLeft)
  if (key === 'ArrowDown') return sameColumn[sameColumn.indexOf(here) + 1]
  if (key === 'ArrowUp') return sameColumn[sameColumn.indexOf(here) - 1]
  return
}

export function AppGridSkeleton() {
  return (
    <div className="app-section">
      <Skeleton lines={1} />
      <div className="app-grid" aria-hidden="true">
        {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => (
          <span key={name} className="skeleton app-tile-skeleton" />
        ))}
      </div>
    </div>
  )
}
