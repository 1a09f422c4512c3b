import { StrictMode, useEffect } from 'react'
import type { LightData, LightPage } from '#shared/contract/light-page.ts'
import { ConfirmCard } from './ConfirmCard.tsx'
import { ConsentCard } from './ConsentCard.tsx'
import { DeviceCard } from './DeviceCard.tsx'
import { Foot } from './Foot.tsx'
import { FrontLogoutCard } from './FrontLogoutCard.tsx'
import { LoginCard } from './LoginCard.tsx'
import { LightProvider, useLight } from './light.tsx'
import { NoticeCard } from './NoticeCard.tsx'
import { PostCard } from './PostCard.tsx'
import { ReadingPlace } from './ReadingPlace.tsx'
import { Scene } from './Scene.tsx'
import { SecondFactorCard } from './SecondFactorCard.tsx'
import { Tools } from './Tools.tsx'
import { titleOf } from './titles.ts'

/** A light page: the picture with the institution's name, the tools, one card, whom to ask. */
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
    document.title = titleOf(page, surroundings)
  }, [page, surroundings])
  return (
    <>
      <a className="skip" href="#main">
        {t('light.skip')}
      </a>
      <ReadingPlace />
      <div className="page">
        <Scene />
        <div className="side">
          <Tools />
          <main className="main" id="main" tabIndex={-1}>
            <Card page={page} />
          </main>
          <Foot />
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
