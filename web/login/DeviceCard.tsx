import type { DevicePage } from '#shared/contract/light-page.ts'
import { useLight } from './light-page.tsx'

/** Takes the code shown on a device. */
export function DeviceCard({ page }: { page: DevicePage }) {
  const { t } = useLight()
  return (
    <div className="notice">
      <h1>{t('device.title')}</h1>
      <p>{t('device.text')}</p>
      {page.error && (
        <p className="alert" role="alert" id="device-problem">
          {t(`errors.${page.error.code}`, page.error.params)}
        </p>
      )}
      <form method="post" action={page.action}>
        <div className="field">
          <label htmlFor="user_code">{t('device.code')}</label>
          <div className="box">
            <input
              className="input"
              id="user_code"
              name="user_code"
              type="text"
              autoComplete="off"
              autoCapitalize="characters"
              autoCorrect="off"
              spellCheck={false}
              maxLength={20}
              required
              // biome-ignore lint/a11y/noAutofocus: the one purpose of this page is to type here.
              autoFocus
              defaultValue={page.userCode}
              aria-describedby={page.error ? 'device-problem' : undefined}
            />
          </div>
        </div>
        <button type="submit" className="button primary wide">
          {t('device.go-on')}
        </button>
      </form>
    </div>
  )
}
