import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../platform/lazy-part.ts'
import { useReadingChoices } from '../platform/reading-choices.ts'
import { SkipLink } from './SkipLink.tsx'

const ReadingBar = lazyPart(() => import('../reading/ReadingBar.tsx'), 'ReadingBar')

/** Above every layout: the skip link, and accessible reading if enabled. */
export function PageTop() {
  const { t } = useTranslation()
  const isReadingOn = useReadingChoices() !== null
  return (
    <>
      <SkipLink />
      {isReadingOn && (
        <Suspense>
          <ReadingBar t={(key, params) => t(key as 'reading.title', params ?? {})} />
        </Suspense>
      )}
    </>
  )
}
