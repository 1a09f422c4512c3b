import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Dialog } from './Dialog.tsx'

/** While `when` is true nobody leaves the page by accident: a link asks first, and so does the browser. */
export function UnsavedGuard({ when }: { when: boolean }) {
  const { t } = useTranslation()
  const blocker = useBlocker({
    // A search or a tab of the same page loses nothing.
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname,
    enableBeforeUnload: () => when,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog
      title={t('unsaved.title')}
      onClose={blocker.reset}
      actions={
        <>
          <button type="button" className="button" onClick={blocker.proceed}>
            {t('unsaved.leave')}
          </button>
          <button type="button" className="button button-primary" data-first-focus onClick={blocker.reset}>
            {t('unsaved.stay')}
          </button>
        </>
      }
    >
      <p>{t('unsaved.text')}</p>
    </Dialog>
  )
}
