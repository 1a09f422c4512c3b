import { useTranslation } from 'react-i18next'
import { DEFAULT_HTTP_BODY, HTTP_BODY_NAMES, httpBodyProblem } from '#shared/contract/message-gateways.ts'
import { type StoredRoutes, saveHttpChannel } from '#shared/contract/message-routes.ts'
import { typedSecret } from '#shared/rules/typed-secret.ts'
import { call } from '../../platform/api.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { FixedByFile } from '../../ui/FixedByFile.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { SettingsPanel } from '../../ui/SettingsPanel.tsx'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useSettingsDraft } from '../../ui/use-settings-draft.ts'
import { loadRoutes } from './route-values.ts'

type HttpDraft = { url: string; appId: string; secret: string; body: string }

const toDraft = ({ http: { gateway } }: StoredRoutes): HttpDraft => ({
  url: gateway?.url ?? '',
  appId: gateway?.appId ?? '',
  secret: gateway?.secret ?? '',
  body: gateway?.body ?? DEFAULT_HTTP_BODY,
})

/** Saving an empty form removes the platform. */
const isEmpty = ({ url, appId, secret }: HttpDraft): boolean =>
  url.trim() === '' && appId.trim() === '' && secret === ''

/** The institution's own message platform: address, credentials, and format. */
export function HttpChannelForm() {
  const { t } = useTranslation()
  const settings = useSettingsDraft<StoredRoutes, HttpDraft>({
    queryKey: ['message-routes'],
    load: loadRoutes,
    toValue: toDraft,
    save: ({ http: { version } }, draft) =>
      call(saveHttpChannel, { body: { version, gateway: isEmpty(draft) ? null : draft } }),
  })
  const labels = {
    url: t('http-channel.url'),
    appId: t('http-channel.appId'),
    secret: t('http-channel.secret'),
    body: t('http-channel.body'),
  }
  return (
    <section className="message-channel" aria-label={t('http-channel.title')}>
      <h2>{t('http-channel.title')}</h2>
      <p className="muted">{t('http-channel.text')}</p>
      <SettingsPanel {...settings} labels={labels}>
        {({ stored, value, change }, error) => (
          <fieldset className="message-group">
            <FixedByFile when={stored.http.isSetByFile}>
              <TextField
                name="gateway.url"
                label={labels.url}
                inputMode="url"
                maxLength={500}
                value={value.url}
                onChange={(url) => change({ ...value, url })}
              />
              <TextField
                name="gateway.appId"
                label={labels.appId}
                maxLength={100}
                value={value.appId}
                onChange={(appId) => change({ ...value, appId })}
              />
              <PasswordField
                label={labels.secret}
                value={value.secret}
                autoComplete="new-password"
                error={isRefusal(error, 'settings.secret-needed') ? error.message : undefined}
                // The placeholder represents the stored secret: typing replaces it.
                onChange={(next) =>
                  change({
                    ...value,
                    secret: typedSecret(value.secret, next),
                  })
                }
              />
              <TextAreaField
                name="gateway.body"
                label={labels.body}
                hint={t('http-channel.body.hint', { names: HTTP_BODY_NAMES.join(', ') })}
                error={httpBodyProblem(value.body) === null ? undefined : t('http-channel.body.wrong')}
                rows={9}
                maxLength={4000}
                value={value.body}
                onChange={(body) => change({ ...value, body })}
              />
            </FixedByFile>
          </fieldset>
        )}
      </SettingsPanel>
    </section>
  )
}
