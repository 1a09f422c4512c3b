import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react'
import type { Language } from '#shared/contract/endpoint.ts'
import type { LightPage, PageEnvironment } from '#shared/contract/light-page.ts'
import type { Scheme } from '#shared/rules/design-tokens.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { STORAGE_KEYS, writeCookie } from '../platform/browser-storage.ts'
import { useIsHydrated, useLight } from './light-page.tsx'
import { ReadingButton } from './ReadingButton.tsx'

/** Links without scripts; with scripts the page changes in place and keeps the input. */
export function PageTools() {
  const { self, surroundings, t } = useLight()
  const live = useIsHydrated()
  const address = (choice: string) => (self === null ? '#' : `${self}${self.includes('?') ? '&' : '?'}${choice}`)
  return (
    <nav className="tools" aria-label={t('light.tools')}>
      <ReadingButton />
      {(self !== null || live) && (
        <>
          {shownLanguages(surroundings).length > 1 && <LanguageMenu address={address} />}
          <ThemeLink to="dark" href={address('theme=dark')} />
          <ThemeLink to="light" href={address('theme=light')} />
        </>
      )}
    </nav>
  )
}

function ThemeLink({ to, href }: { to: Scheme; href: string }) {
  const { t } = useLight()
  const choose = (event: MouseEvent) => {
    event.preventDefault()
    writeCookie(STORAGE_KEYS.theme, to)
    document.documentElement.dataset['theme'] = to
    const other = to === 'dark' ? 'light' : 'dark'
    document.querySelector<HTMLElement>(`.to-${other}`)?.focus()
  }
  return (
    <a className={`to-${to}`} href={href} onClick={choose}>
      {t(`light.${to}`)}
    </a>
  )
}

/** The shipped languages in the configured order, then the added ones. */
function shownLanguages({ languages, setup }: PageEnvironment): PageEnvironment['languages'] {
  const chosen = setup.languages.flatMap((code) => languages.find((one) => one.code === code) ?? [])
  return [...chosen, ...languages.filter(({ fallback }) => fallback !== null)]
}

function LanguageMenu({ address }: { address: (choice: string) => string }) {
  const { page, surroundings, setSurroundings, t } = useLight()
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => closeOnOutside(menu.current), [])

  const choose = async (event: MouseEvent, language: Language) => {
    event.preventDefault()
    const next = await fetchSurroundings(page.kind, language)
    if (!next) return location.assign((event.target as HTMLAnchorElement).href)
    writeCookie(STORAGE_KEYS.language, language)
    document.documentElement.lang = languageTag(language)
    document.documentElement.dir = next.direction
    setSurroundings(next)
    close(menu.current)
  }
  const languages = shownLanguages(surroundings)
  const current = surroundings.languages.find(({ code }) => code === surroundings.language)?.name ?? ''
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close(menu.current)
  }
  return (
    <details className="menu" ref={menu} onKeyDown={onKeyDown}>
      <summary aria-label={`${t('light.language')}: ${current}`}>{current}</summary>
      <ul>
        {languages.map(({ code: language, name }) => (
          <li key={language}>
            <a
              href={address(`lang=${language}`)}
              lang={languageTag(language)}
              hrefLang={languageTag(language)}
              aria-current={language === surroundings.language ? 'true' : undefined}
              onClick={(event) => void choose(event, language)}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

function close(menu: HTMLDetailsElement | null): void {
  if (!menu?.open) return
  menu.open = false
  menu.querySelector('summary')?.focus()
}

function closeOnOutside(menu: HTMLDetailsElement | null): () => void {
  const leave = (event: Event) => {
    if (menu?.open && !menu.contains(event.target as Node)) menu.open = false
  }
  document.addEventListener('pointerdown', leave)
  document.addEventListener('focusin', leave)
  return () => {
    document.removeEventListener('pointerdown', leave)
    document.removeEventListener('focusin', leave)
  }
}

/** Null when the server can't be reached: then follow the link, which shows the error. */
async function fetchSurroundings(kind: LightPage['kind'], language: Language): Promise<PageEnvironment | null> {
  try {
    const answer = await fetch(`/auth_web/login/surroundings?kind=${kind}&lang=${language}`)
    return answer.ok ? ((await answer.json()) as PageEnvironment) : null
  } catch {
    return null
  }
}
