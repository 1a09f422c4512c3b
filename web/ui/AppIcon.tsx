import { useState } from 'react'
import type { MyApplication } from '#shared/contract/applications.ts'
import './app-icon.css'

const SHIPPED_ICONS = import.meta.glob<string>('../public/icons/*.svg', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** The shipped application icons are inlined: each would be a request of its own. */
function sourceOf(picture: string): string {
  const shipped = SHIPPED_ICONS[picture.replace('/auth_web/', '../public/')]
  return shipped ? `data:image/svg+xml,${encodeURIComponent(shipped)}` : picture
}

/** Background colours of tiles without a picture; white on each has at least 5:1. */
const TONES = 8

/** The picture of an application, or its first letter on a colour derived from it. */
export function AppIcon({ app }: { app: Pick<MyApplication, 'appId' | 'name' | 'picture'> }) {
  const [broken, setBroken] = useState(false)
  if (app.picture && !broken) {
    return (
      <img className="app-icon" src={sourceOf(app.picture)} alt="" loading="lazy" onError={() => setBroken(true)} />
    )
  }
  return (
    <span className={`app-icon app-icon-${toneOf(app.appId)}`} aria-hidden="true">
      {Array.from(app.name)[0]?.toUpperCase()}
    </span>
  )
}

const toneOf = (text: string): number =>
  Array.from(text).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7) % TONES
