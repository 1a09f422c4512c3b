import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ShownAnnouncement } from '#shared/contract/home-page.ts'
import { Time } from '../../ui/Time.tsx'
import './announcement-list.css'

/** More are shown on request. */
const FIRST_ONES = 4

type Props = { announcements: readonly ShownAnnouncement[]; onRead: (ids: string[]) => void }

/** The announcements, newest first; opening one marks it as read. */
export function AnnouncementList({ announcements, onRead }: Props) {
  const { t } = useTranslation()
  const [isWhole, setWhole] = useState(false)
  const unread = announcements.filter(({ isRead }) => !isRead).map(({ id }) => id)
  const shown = isWhole ? announcements : announcements.slice(0, FIRST_ONES)
  return (
    <section className="app-section" aria-label={t('home-page.announcements')}>
      <div className="home-part-head">
        <h2>{t('home-page.announcements')}</h2>
        {unread.length > 0 && (
          <button type="button" className="button button-quiet" onClick={() => onRead(unread)}>
            {t('home-page.read-all')}
          </button>
        )}
      </div>
      <ul className="card announcements">
        {shown.map((one) => (
          <li key={one.id}>
            <Announcement announcement={one} onRead={() => one.isRead || onRead([one.id])} />
          </li>
        ))}
      </ul>
      {shown.length < announcements.length && (
        <button type="button" className="button button-quiet" onClick={() => setWhole(true)}>
          {t('home-page.show-all', { count: announcements.length })}
        </button>
      )}
    </section>
  )
}

function Announcement({ announcement, onRead }: { announcement: ShownAnnouncement; onRead: () => void }) {
  const { t } = useTranslation()
  const { title, text, url, at, isRead } = announcement
  const head = (
    <>
      {!isRead && <span className="tag">{t('home-page.unread')}</span>}
      <span className="announcement-title">{title}</span>
      <span className="muted">
        <Time value={at} short />
      </span>
    </>
  )
  if (text === '' && url === null) return <p className="announcement-head">{head}</p>
  return (
    <details onToggle={(event) => event.currentTarget.open && onRead()}>
      <summary className="announcement-head">{head}</summary>
      <div className="announcement-body">
        {text && <p>{text}</p>}
        {url !== null && (
          <a href={url} target="_blank" rel="noopener">
            {t('home-page.more')}
            <span className="visually-hidden"> {t('my-apps.new-tab')}</span>
          </a>
        )}
      </div>
    </details>
  )
}
