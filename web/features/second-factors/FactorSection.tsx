import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from '../../ui/Icon.tsx'

type Props = { icon: IconName; title: string; text: string; isSet: boolean | null; children: ReactNode }

/** One kind of factor: description, whether it is set up (null: not applicable), actions. */
export function FactorSection({ icon, title, text, isSet, children }: Props) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <section className="card factor" aria-labelledby={id}>
      <span className="security-icon">
        <Icon name={icon} />
      </span>
      <div className="factor-body">
        <h2 id={id}>
          {title}
          {isSet !== null && (
            <span className={isSet ? 'tag tag-well' : 'tag tag-plain'}>
              <span className="dot" />
              {t(isSet ? 'security.set' : 'security.not-set')}
            </span>
          )}
        </h2>
        <p className="muted">{text}</p>
        {children}
      </div>
    </section>
  )
}
