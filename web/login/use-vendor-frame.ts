import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { ExternalLogin } from '#shared/contract/light-page.ts'
import type { ThirdPartyFrame } from '#shared/contract/third-party-accounts.ts'
import { isFailure, returnedAddress } from '#shared/rules/frame-return.ts'
import { postSigned } from './post-signed.ts'

/** A vendor that has shown nothing by then counts as unavailable. */
const PATIENCE_MS = 10_000
/** A code that fails sooner would fail again immediately. */
const SHORT_LIFE_MS = 20_000

type FrameState =
  | { phase: 'opening' | 'failed'; frame: null }
  | { phase: 'loading' | 'shown' | 'late' | 'entering'; frame: ThirdPartyFrame }

const OPENING: FrameState = { phase: 'opening', frame: null }

/** A vendor's page with a code to scan: requested with its own state, renewed in time, with its messages handled. */
export function useVendorFrame(method: ExternalLogin, element: RefObject<HTMLIFrameElement | null>) {
  const [state, setState] = useState<FrameState>(OPENING)
  const [turn, setTurn] = useState(0)
  const renew = useCallback(() => setTurn((count) => count + 1), [])
  const { frame, phase } = state
  const { key, href } = method

  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn asks for a frame of its own.
  useEffect(() => {
    let current = true
    openFrame(key, href).then(
      (opened) => current && setState(opened ? { phase: 'loading', frame: opened } : { phase: 'failed', frame: null }),
      () => current && setState({ phase: 'failed', frame: null }),
    )
    return () => {
      current = false
    }
  }, [key, href, turn])

  useRenewal(frame, renew)
  useMessages(frame, element, {
    onReturn: (address) => {
      if (frame) setState({ phase: 'entering', frame })
      location.assign(address)
    },
    onFailure: renew,
    onEarlyFailure: () => setState({ phase: 'failed', frame: null }),
  })
  useEffect(() => {
    if (phase !== 'loading') return
    const timer = setTimeout(() => setState({ phase: 'late', frame }), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [phase, frame])

  const onLoad = () => {
    if (!frame) return
    // WeCom sends the callback only to a page that has asked for it.
    element.current?.contentWindow?.postMessage('ask_usePostMessage', frame.origin)
    if (phase === 'loading' || phase === 'late') setState({ phase: 'shown', frame })
  }
  const retry = () => {
    setState(OPENING)
    renew()
  }
  return { frame, phase, onLoad, retry }
}

/** @returns null if the method is no longer offered, or its provider is unavailable. */
async function openFrame(key: string, href: string): Promise<ThirdPartyFrame | null> {
  const wanted = Object.fromEntries(new URL(href, location.href).searchParams)
  const { state, data } = await postSigned<ThirdPartyFrame>(`/auth_service/third_party/${key}/frame/`, wanted)
  return state === 200 ? data : null
}

/** Renews before the state expires; a hidden page waits until it is visible. */
function useRenewal(frame: ThirdPartyFrame | null, renew: () => void): void {
  useEffect(() => {
    if (!frame) return
    const renewWhenSeen = () => {
      if (document.visibilityState === 'hidden') return
      document.removeEventListener('visibilitychange', renewWhenSeen)
      renew()
    }
    const timer = setTimeout(() => {
      document.addEventListener('visibilitychange', renewWhenSeen)
      renewWhenSeen()
    }, frame.renewAfterSeconds * 1000)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', renewWhenSeen)
    }
  }, [frame, renew])
}

type Listeners = { onReturn(address: string): void; onFailure(): void; onEarlyFailure(): void }

function useMessages(
  frame: ThirdPartyFrame | null,
  element: RefObject<HTMLIFrameElement | null>,
  listeners: Listeners,
): void {
  const latest = useRef(listeners)
  latest.current = listeners
  useEffect(() => {
    if (!frame) return
    const shownAt = performance.now()
    const onMessage = (event: MessageEvent) => {
      const listening = { ...frame, frame: element.current?.contentWindow ?? null, ownOrigin: location.origin }
      const address = returnedAddress(listening, event)
      if (address !== null) latest.current.onReturn(address)
      else if (!isFailure(listening, event)) return
      else if (performance.now() - shownAt < SHORT_LIFE_MS) latest.current.onEarlyFailure()
      else latest.current.onFailure()
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [frame, element])
}
