import { type ComponentType, useEffect, useRef, useState } from 'react'
import type { ExternalLogin, LoginPage } from '#shared/contract/light-page.ts'
import { useIsHydrated, useLight } from './light-page.tsx'

type Props = { page: LoginPage; isOpen: boolean }
type FrameComponent = ComponentType<{ way: ExternalLogin; name: string }>

/**
 * QR codes on the login page, one vendor at a time. A vendor is contacted only when its code is shown, and the code
 * that shows it is loaded then.
 */
export function ScanWays({ page, isOpen }: Props) {
  const { t } = useLight()
  const live = useIsHydrated()
  const [open, setOpen] = useState(isOpen)
  const ways = page.otherWays.filter(({ frameOrigin }) => frameOrigin !== undefined)
  if (ways.length === 0) return null
  if (open) return <ScanPanel ways={ways} isAsked={!isOpen} />
  return (
    <div className={live ? 'scan-way' : 'scan-way not-yet'}>
      <button type="button" className="button wide" onClick={() => setOpen(true)}>
        {t('login.scan')}
      </button>
    </div>
  )
}

function ScanPanel({ ways, isAsked }: { ways: readonly ExternalLogin[]; isAsked: boolean }) {
  const { t, surroundings } = useLight()
  const [chosen, setChosen] = useState(ways[0]?.key)
  const Frame = useFrameComponent()
  const panel = useRef<HTMLElement>(null)
  // Replaces the pressed button.
  useEffect(() => {
    if (isAsked) panel.current?.focus()
  }, [isAsked])
  const way = ways.find(({ key }) => key === chosen) ?? ways[0]
  if (!way) return null
  const nameOf = ({ label }: ExternalLogin) => label.names[surroundings.language] ?? label.name
  return (
    <section className="scan" aria-label={t('login.scan')} ref={panel} tabIndex={-1}>
      <p className="divider">{t('login.scan')}</p>
      {ways.length > 1 && (
        <ul className="ways">
          {ways.map((one) => (
            <li key={one.key}>
              <button
                type="button"
                className="button"
                aria-pressed={one.key === way.key}
                onClick={() => setChosen(one.key)}
              >
                {nameOf(one)}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className="hint">{t('login.scan-with', { provider: nameOf(way) })}</p>
      {Frame ? <Frame key={way.key} way={way} name={nameOf(way)} /> : <div className="scan-box" />}
    </section>
  )
}

/** Null until its script has loaded. */
function useFrameComponent(): FrameComponent | null {
  const [loaded, setLoaded] = useState<{ VendorFrame: FrameComponent } | null>(null)
  useEffect(() => {
    let current = true
    import('./VendorFrame.tsx').then(
      (module) => current && setLoaded(module),
      // The vendor's own page still works.
      () => null,
    )
    return () => {
      current = false
    }
  }, [])
  return loaded?.VendorFrame ?? null
}
