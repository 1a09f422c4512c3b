import { type ComponentType, useEffect, useState } from 'react'
import type { Surroundings } from '#shared/contract/light-page.ts'
import { formatMessage } from '#shared/rules/format-message.ts'
import { useReading } from '../platform/reading.ts'
import { useLight } from './light.tsx'

type Bar = ComponentType<{ t: (key: string, params?: Record<string, string | number>) => string }>
type Loaded = { Bar: Bar; surroundings: Surroundings }

/** Accessible reading for those who use it: its code and its wording are fetched then, and only then. */
export function ReadingPlace() {
  const { language } = useLight().surroundings
  const wanted = useReading() !== null
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  useEffect(() => {
    if (!wanted) return
    let current = true
    load(language).then(
      (next) => current && setLoaded(next),
      // Without it the page is as it always was.
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

async function load(language: string): Promise<Loaded> {
  const [{ ReadingBar }, answer] = await Promise.all([
    import('../reading/ReadingBar.tsx'),
    fetch(`/auth_web/login/surroundings?kind=reading&lang=${language}`),
  ])
  return { Bar: ReadingBar, surroundings: (await answer.json()) as Surroundings }
}
