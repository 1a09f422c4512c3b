import i18next from 'i18next'
import { type MyApplication, saveAppVisit } from '#shared/contract/applications.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { Refusal } from '../../platform/refusal.ts'
import { throttle } from '../../platform/throttle.ts'

/** Records the visit while the link opens its tab: waiting for the answer would trigger the pop-up blocker. */
export const openApp = throttle((app: MyApplication) => {
  notify('plain', i18next.t('my-apps.opening', { name: app.name }))
  call(saveAppVisit, { body: { appId: app.appId } })
    .then(() => queryClient.invalidateQueries({ queryKey: ['my-apps'] }))
    .catch((error) => {
      if (error instanceof Refusal && error.code === 'application.not-available') notify('danger', error.message)
    })
})
