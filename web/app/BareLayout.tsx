import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { gatewayQuery } from '../platform/queries.ts'
import { Mark } from '../ui/Mark.tsx'
import { Footer } from './Footer.tsx'
import { PageTop } from './PageTop.tsx'
import { LanguageMenu, ThemeMenu } from './PreferenceMenus.tsx'
import { ReadingButton } from './ReadingButton.tsx'

/** For pages without a menu: messages, first password, set-up. */
export function BareLayout({ children }: { children?: ReactNode }) {
  const { data: gateway } = useQuery(gatewayQuery())
  return (
    <>
      <PageTop />
      <div className="shell">
        <header className="bar">
          <ReadingButton />
          <span className="brand">
            <Mark logo={gateway?.logo} />
            <span>{gateway?.schoolName ?? 'Gatehouse'}</span>
          </span>
          <div className="bar-tools">
            <LanguageMenu />
            <ThemeMenu />
          </div>
        </header>
        <main id="main" tabIndex={-1} className="page page-narrow">
          {children ?? <Outlet />}
        </main>
        <Footer />
      </div>
    </>
  )
}
