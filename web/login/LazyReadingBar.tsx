import { type ComponentType, useEffect, useState } from 'react'
import type { PageEnvironment } from '#shared/contract/light-page.ts'
import { formatMessage } from '#shared/rules/format-message.ts'
import { useReadingChoices } from '../platform/reading-choices.ts'
import { useLight } from './light-page.tsx'

type BarComponent = ComponentType<{ t: (key: string, params?: Record<string, string | number>) => string }>
type LoadedBar = { Bar: BarComponent; surroundings: PageEnvironment }

/** Accessible reading; its code and messages are loaded only for those who use it. */
export function LazyReadingBar() {
  const { language } = useLight().surroundings
  const wanted = useReadingChoices() !== null
  const [loaded, setLoaded] = useState<LoadedBar | null>(null)
  useEffect(() => {
    if (!wanted) return
    let current = true
    loadReadingBar(language).then(
      (next) => current && setLoaded(next),
      // Without it the page works as usual.
      () => null,
    )
    return () => {
      current = false
    }
  }, [wanted, language])
  if (!wanted || !loaded) return null
  const { Bar, surroundings } = loaded
  return <Bar t={(key, params) => formatMessage(surroundings.messages, surroundings.language, key, params)} />
}

async function loadReadingBar(language: string): Promise<LoadedBar> {
  const [{ ReadingBar }, answer] = await Promise.all([
    import('../reading/ReadingBar.tsx'),
    fetch(`/auth_web/login/surroundings?kind=reading&lang=${language}`),
  ])
  return { Bar: ReadingBar, surroundings: (await answer.json()) as PageEnvironment }
}
