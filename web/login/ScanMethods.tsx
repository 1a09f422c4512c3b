import { type ComponentType, useEffect, useRef, useState } from 'react'
import type { ExternalLogin, LoginPage } from '#shared/contract/light-page.ts'
import { useIsHydrated, useLight } from './light-page.tsx'

type Props = { page: LoginPage; isOpen: boolean }
type FrameComponent = ComponentType<{ method: ExternalLogin; name: string }>

/**
 * QR codes on the login page, one vendor at a time. A vendor is contacted only when its code is shown, and the code
 * that shows it is loaded then.
 */
export function ScanMethods({ page, isOpen }: Props) {
  const { t } = useLight()
  const live = useIsHydrated()
  const [open, setOpen] = useState(isOpen)
  const methods = page.otherMethods.filter(({ frameOrigin }) => frameOrigin !== undefined)
  if (methods.length === 0) return null
  if (open) return <ScanPanel methods={methods} isAsked={!isOpen} />
  return (
    <div className={live ? 'scan-methods' : 'scan-methods not-yet'}>
      <button type="button" className="button wide" onClick={() => setOpen(true)}>
        {t('login.scan')}
      </button>
    </div>
  )
}

function ScanPanel({ methods, isAsked }: { methods: readonly ExternalLogin[]; isAsked: boolean }) {
  const { t, surroundings } = useLight()
  const [chosen, setChosen] = useState(methods[0]?.key)
  const Frame = useFrameComponent()
  const panel = useRef<HTMLElement>(null)
  // Replaces the pressed button.
  useEffect(() => {
    if (isAsked) panel.current?.focus()
  }, [isAsked])
  const method = methods.find(({ key }) => key === chosen) ?? methods[0]
  if (!method) return null
  const nameOf = ({ label }: ExternalLogin) => label.names[surroundings.language] ?? label.name
  return (
    <section className="scan" aria-label={t('login.scan')} ref={panel} tabIndex={-1}>
      <p className="divider">{t('login.scan')}</p>
      {methods.length > 1 && (
        <ul className="login-methods">
          {methods.map((one) => (
            <li key={one.key}>
              <button
                type="button"
                className="button"
                aria-pressed={one.key === method.key}
                onClick={() => setChosen(one.key)}
              >
                {nameOf(one)}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className="hint">{t('login.scan-with', { provider: nameOf(method) })}</p>
      {Frame ? <Frame key={method.key} method={method} name={nameOf(method)} /> : <div className="scan-box" />}
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
