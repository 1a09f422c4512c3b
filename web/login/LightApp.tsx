import { StrictMode, useEffect } from 'react'
import type { LightData, LightPage } from '#shared/contract/light-page.ts'
import { ConfirmCard } from './ConfirmCard.tsx'
import { ConsentCard } from './ConsentCard.tsx'
import { DeviceCard } from './DeviceCard.tsx'
import { FrontLogoutCard } from './FrontLogoutCard.tsx'
import { LazyReadingBar } from './LazyReadingBar.tsx'
import { LoginCard } from './LoginCard.tsx'
import { LoginFooter } from './LoginFooter.tsx'
import { LoginPicture } from './LoginPicture.tsx'
import { LightProvider, useLight } from './light-page.tsx'
import { NoticeCard } from './NoticeCard.tsx'
import { PageTools } from './PageTools.tsx'
import { PostCard } from './PostCard.tsx'
import { SecondFactorCard } from './SecondFactorCard.tsx'
import { SessionLimitCard } from './SessionLimitCard.tsx'
import { documentTitle } from './titles.ts'

/** A light page: the picture with the institution's name, the tools, one card, contact. */
export function LightApp({ data }: { data: LightData }) {
  return (
    <StrictMode>
      <LightProvider data={data}>
        <Page />
      </LightProvider>
    </StrictMode>
  )
}

function Page() {
  const { page, surroundings, t } = useLight()
  useEffect(() => {
    document.title = documentTitle(page, surroundings)
  }, [page, surroundings])
  return (
    <>
      <a className="skip" href="#main">
        {t('light.skip')}
      </a>
      <LazyReadingBar />
      <div className={`page page-${surroundings.setup.layout}`}>
        <LoginPicture />
        <div className="side">
          <PageTools />
          <main className="main" id="main" tabIndex={-1}>
            <Card page={page} />
          </main>
          <LoginFooter />
        </div>
      </div>
    </>
  )
}

function Card({ page }: { page: LightPage }) {
  switch (page.kind) {
    case 'login':
      return <LoginCard page={page} />
    case 'second-factor':
      return <SecondFactorCard page={page} />
    case 'session-limit':
      return <SessionLimitCard page={page} />
    case 'notice':
      return <NoticeCard page={page} />
    case 'confirm':
      return <ConfirmCard page={page} />
    case 'consent':
      return <ConsentCard page={page} />
    case 'device':
      return <DeviceCard page={page} />
    case 'post':
      return <PostCard page={page} />
    case 'front-logout':
      return <FrontLogoutCard page={page} />
  }
}
