import { useTranslation } from 'react-i18next'
import type { OfferedMethod, ReauthenticationMethod } from '#shared/contract/reauthentication.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { LeaveButton } from '../../ui/LeaveButton.tsx'
import { METHOD_FIELDS } from './MethodFields.tsx'

type Props = {
  methods: readonly OfferedMethod[]
  current: ReauthenticationMethod | undefined
  onChoose: (method: ReauthenticationMethod) => void
  onClose: () => void
}

/** The methods available to this person, with masked contacts. */
export function MethodChoice({ methods, current, onChoose, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('reauthentication.choose')} onClose={onClose} actions={<LeaveButton onLeave={onClose} />}>
      <ul className="reauthentication-methods">
        {methods.map(({ method, hint }) => (
          <li key={method}>
            <button
              type="button"
              className="reauthentication-method"
              data-first-focus={method === current ? true : undefined}
              onClick={() => onChoose(method)}
            >
              <Icon name={METHOD_FIELDS[method].icon} />
              <span>{t(`reauthentication.method.${method}`, { hint })}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
