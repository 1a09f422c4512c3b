import { useEffect, useRef, useState } from 'react'
import type { Language } from '#shared/contract/endpoint.ts'
import { keepPreview, type PreviewDraft } from '#shared/contract/themes.ts'
import type { Scheme } from '#shared/rules/design-tokens.ts'
import { type ThemeDesign, themeStyles } from '#shared/rules/theme-design.ts'
import { call } from '../platform/api.ts'
import './preview-frame.css'

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 780 } } as const

/** Milliseconds without typing before a page is requested. */
const SETTLED_MS = 150

/**
 * Stores an unsaved draft, except themes, on the server; the frame applies a theme by itself.
 * @returns the token, and a number that changes when frames must reload; null until stored.
 */
export function usePreview(draft: PreviewDraft): { token: string; edition: number } | null {
  const [kept, setKept] = useState<{ token: string; edition: number } | null>(null)
  const token = useRef<string | null>(null)
  const { theme: _, ...rest } = draft
  const written = JSON.stringify(rest)
  const latest = useRef(draft)
  latest.current = draft
  // biome-ignore lint/correctness/useExhaustiveDependencies: `written` is what of the draft the server has to know.
  useEffect(() => {
    let isOver = false
    const keep = async () => {
      const answer = await call(keepPreview, { body: { token: token.current, draft: latest.current } })
      if (isOver) return
      token.current = answer.token
      setKept((before) => ({ token: answer.token, edition: (before?.edition ?? 0) + 1 }))
    }
    const timer = setTimeout(() => void keep().catch(() => null), token.current === null ? 0 : SETTLED_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [written])
  return kept
}

type Props = {
  preview: { token: string; edition: number } | null
  /** As named by `features/appearance-preview` on the server: `login`, `second-factor`, `my-apps` … */
  page: string
  /** The frame's accessible name. */
  title: string
  /** Applied without a request; absent: the server's. */
  theme?: ThemeDesign | undefined
  language: Language
  /** Absent: follows the device. */
  scheme?: Scheme
  size?: keyof typeof SIZES
  /** A thumbnail: no scripts run. */
  isThumbnail?: boolean
  /** Further parameters of the frame's address; a change loads a new document. */
  query?: Record<string, string>
  /** Messages from the frame's script; only from this frame and our origin. */
  onMessage?: ((data: unknown, frame: Window) => void) | undefined
  /** The frame is interactive: its texts are buttons. */
  isActive?: boolean
}

/** The real page with an unsaved draft, scaled to the available space; not interactive by default. */
export function PreviewFrame(props: Props) {
  const { preview, page, title, theme, language, scheme, size = 'desktop', isThumbnail, query, isActive } = props
  const box = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const { width, height } = SIZES[size]
  const source =
    preview &&
    `/auth_web/preview/${preview.token}/${page}?lang=${language}&theme=${scheme ?? ''}${isThumbnail ? '&still=1' : ''}${query ? `&${new URLSearchParams(query)}` : ''}`
  const first = useFirst(source)
  const scale = useScale(box, width)
  const dress = () => {
    const document = frame.current?.contentDocument
    // There is no root before anything has loaded.
    const root = document?.documentElement as HTMLElement | null | undefined
    if (!document || !root) return
    if (scheme) root.dataset['theme'] = scheme
    if (theme) putOn(document, themeStyles(theme))
  }
  useEffect(dress)
  useFrameMessages(frame, props.onMessage)
  useFrameAddress(frame, source, preview?.edition)
  return (
    <div
      ref={box}
      className={`preview-frame preview-${size}`}
      style={{ blockSize: `${height * scale}px` }}
      // A thumbnail is not readable; its label is next to it.
      aria-hidden={isThumbnail}
    >
      {first && (
        <iframe
          ref={frame}
          title={title}
          src={first}
          tabIndex={isActive ? undefined : -1}
          loading={isThumbnail ? 'lazy' : 'eager'}
          sandbox={isThumbnail ? 'allow-same-origin' : 'allow-same-origin allow-scripts'}
          style={{ width: `${width}px`, height: `${height}px`, transform: `scale(${scale})` }}
          onLoad={dress}
        />
      )}
    </div>
  )
}

/** The first non-null value, kept. */
function useFirst<T>(value: T | null): T | null {
  const first = useRef<T | null>(null)
  first.current ??= value
  return first.current
}

/**
 * A new edition is loaded in the same frame, which shows the old one until then; unlike a changed `src` this adds no
 * history entry.
 */
function useFrameAddress(
  frame: { current: HTMLIFrameElement | null },
  source: string | null,
  edition: number | undefined,
): void {
  const shown = useRef<string | null>(null)
  useEffect(() => {
    const wanted = source === null ? null : `${edition} ${source}`
    const isFirst = shown.current === null
    if (wanted === null || source === null || wanted === shown.current) return
    shown.current = wanted
    if (!isFirst) frame.current?.contentWindow?.location.replace(source)
  }, [frame, source, edition])
}

function useFrameMessages(frame: { current: HTMLIFrameElement | null }, onMessage: Props['onMessage']): void {
  const latest = useRef(onMessage)
  latest.current = onMessage
  useEffect(() => {
    const hear = ({ data, origin, source }: MessageEvent<unknown>) => {
      const own = frame.current?.contentWindow
      if (own && origin === location.origin && source === own) latest.current?.(data, own)
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [frame])
}

/** A theme in place of the sheet that came with the page. */
export function putOn(document: Document, css: string): void {
  const view = document.defaultView
  if (!view) return
  document.getElementById('theme')?.remove()
  const [first] = document.adoptedStyleSheets
  const sheet = first ?? new view.CSSStyleSheet()
  sheet.replaceSync(css)
  if (!first) document.adoptedStyleSheets = [sheet]
}

/** The scale of the page. */
function useScale(box: { current: HTMLElement | null }, width: number): number {
  const [space, setSpace] = useState(0)
  useEffect(() => {
    if (!box.current) return
    const observer = new ResizeObserver(([entry]) => entry && setSpace(entry.contentRect.width))
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box])
  return Math.min(1, space / width)
}
