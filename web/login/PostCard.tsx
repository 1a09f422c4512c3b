import { useEffect, useRef } from 'react'
import type { PostPage } from '#shared/contract/light-page.ts'
import { Badge } from './Badge.tsx'
import { HiddenFields } from './FormActions.tsx'
import { useLight } from './light-page.tsx'
import { pageHeading } from './titles.ts'

/** Posts a ticket to an application: automatically, or by its button without scripts. */
export function PostCard({ page }: { page: PostPage }) {
  const { surroundings, t } = useLight()
  const form = useRef<HTMLFormElement>(null)
  const sent = useRef(false)
  useEffect(() => {
    // A ticket is valid once: don't repeat the post when the person returns to this page.
    if (!sent.current) form.current?.requestSubmit()
    sent.current = true
  }, [])
  const { key, params } = pageHeading(page, surroundings.language)
  return (
    <div className="notice">
      <Badge tone="info" />
      <h1>{t(key, params)}</h1>
      <p>{t('light.post.text')}</p>
      <form ref={form} className="actions" method="post" action={page.href}>
        <HiddenFields fields={page.fields} />
        <button type="submit" className="button primary">
          {t('light.post.go')}
        </button>
      </form>
    </div>
  )
}
