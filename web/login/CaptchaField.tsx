import { lazy, Suspense } from 'react'
import type { CaptchaKind } from '#shared/contract/captcha.ts'
import { useIsHydrated, useLight } from './light-page.tsx'
import type { CaptchaDemand, MissingField } from './use-login.ts'

/** Loaded only when the server demands it, and only that kind. */
const SliderField = lazy(async () => ({ default: (await import('./SliderField.tsx')).SliderField }))

type Props = { demand: CaptchaDemand; missing: MissingField; onSwitch(kind: CaptchaKind): void }

/** The captcha demanded on risk. Without scripts it is always the picture. */
export function CaptchaField({ demand, missing, onSwitch }: Props) {
  const { t } = useLight()
  const live = useIsHydrated()
  if (!demand) return null
  if (!live || demand.kind === 'picture') {
    return (
      <PictureField key={demand.pictureId} id={demand.pictureId} missing={missing === 'picture'} onSwitch={onSwitch} />
    )
  }
  if (demand.kind === 'slider') {
    return (
      <Suspense>
        <SliderField key={demand.pictureId} missing={missing === 'slider'} onSwitch={onSwitch} />
      </Suspense>
    )
  }
  return <p className="hint automatic">{t('captcha.automatic')}</p>
}

/**
 * The address of a picture; the server takes the id as the captcha's. Spelled out here, because the contract would pull
 * in zod.
 */
const pictureUrl = (id: string) => `/auth_service/pic_captcha.jpg?uuids=${encodeURIComponent(id)}&purpose=login`

type PictureProps = { id: string; missing: boolean; onSwitch(kind: CaptchaKind): void }

function PictureField({ id, missing, onSwitch }: PictureProps) {
  const { t } = useLight()
  const live = useIsHydrated()
  return (
    <div className="field">
      <label htmlFor="captcha">{t('captcha.picture')}</label>
      <input type="hidden" name="captchaId" value={id} />
      <div className="picture-row">
        <input
          className="input"
          id="captcha"
          name="captcha"
          type="text"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={32}
          aria-invalid={missing || undefined}
          aria-describedby={missing ? 'captcha-missing' : undefined}
        />
        <img src={pictureUrl(id)} width={126} height={44} alt={t('captcha.picture-alt')} />
      </div>
      {missing && (
        <p className="hint wrong" id="captcha-missing">
          {t('captcha.missing')}
        </p>
      )}
      {live && (
        <div className="captcha-methods">
          <button type="button" className="link-button" onClick={() => onSwitch('proof-of-work')}>
            {t('captcha.unreadable')}
          </button>
          <button type="button" className="link-button" onClick={() => onSwitch('picture')}>
            {t('captcha.refresh')}
          </button>
        </div>
      )}
    </div>
  )
}
