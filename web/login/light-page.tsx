import { createContext, type ReactNode, useContext, useMemo, useState, useSyncExternalStore } from 'react'
import type { ApplicationLabel, LightData, LightPage, Message, PageEnvironment } from '#shared/contract/light-page.ts'
import { formatMessage } from '#shared/rules/format-message.ts'

type LightPageState = {
  page: LightPage
  /** Shows another page in place, without a request. */
  show(page: LightPage): void
  surroundings: PageEnvironment
  setSurroundings(surroundings: PageEnvironment): void
  self: string | null
  t(key: string, params?: Message['params']): string
}

const LightContext = createContext<LightPageState | null>(null)

/** The state of a light page: what the server inlined, and later changes. */
export function LightProvider({ data, children }: { data: LightData; children: ReactNode }) {
  const [page, show] = useState(data.page)
  const [surroundings, setSurroundings] = useState(data.surroundings)
  const light = useMemo(
    () => ({
      page,
      show,
      surroundings,
      setSurroundings,
      self: data.self,
      t: (key: string, params?: Message['params']) =>
        formatMessage(surroundings.messages, surroundings.language, key, params),
    }),
    [page, surroundings, data.self],
  )
  return <LightContext value={light}>{children}</LightContext>
}

export function useLight(): LightPageState {
  const light = useContext(LightContext)
  if (!light) throw new Error('outside of LightProvider')
  return light
}

const noSubscription = () => () => {}

/** False on the server and until the script runs: features that need scripts appear only then. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  )

/** An application's name in the page's language. */
export function useApplicationName(application: ApplicationLabel | null): string {
  const { surroundings } = useLight()
  if (!application) return ''
  return application.names[surroundings.language] ?? application.name
}
