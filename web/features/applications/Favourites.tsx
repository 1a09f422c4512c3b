import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MyApplication } from '#shared/contract/applications.ts'
import { lazyPart } from '../../platform/lazy-part.ts'
import { AppGrid } from './AppGrid.tsx'

const FavouritesOrder = lazyPart(() => import('./FavouritesOrder.tsx'), 'FavouritesOrder')

/** The pinned applications; sorting is a separate mode, so that a tile stays a link. */
export function Favourites({ apps }: { apps: readonly MyApplication[] }) {
  const { t } = useTranslation()
  const [isArranging, setArranging] = useState(false)
  if (apps.length === 0) return null
  const title = t('my-apps.favourites')
  const grid = <AppGrid apps={apps} label={title} />
  return (
    <section className="app-section" aria-label={title}>
      <div className="home-part-head">
        <h2>{title}</h2>
        {(apps.length > 1 || isArranging) && (
          <button type="button" className="button button-quiet" onClick={() => setArranging(!isArranging)}>
            {t(isArranging ? 'my-apps.arranged' : 'my-apps.arrange')}
          </button>
        )}
      </div>
      {isArranging ? (
        <Suspense fallback={grid}>
          <FavouritesOrder apps={apps} label={title} />
        </Suspense>
      ) : (
        grid
      )}
    </section>
  )
}
