import { useTranslation } from 'react-i18next'
import type { OfferedProof, ProofMethodName } from '#shared/contract/identity-proofs.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { LeaveButton } from '../../ui/LeaveButton.tsx'
import { METHOD_FIELDS } from './MethodFields.tsx'

type Props = {
  methods: readonly OfferedProof[]
  current: ProofMethodName | undefined
  onChoose: (method: ProofMethodName) => void
  onClose: () => void
}

/** The methods available to this person, with masked contacts. */
export function MethodChoice({ methods, current, onChoose, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('identity-proof.choose')} onClose={onClose} actions={<LeaveButton onLeave={onClose} />}>
      <ul className="proof-methods">
        {methods.map(({ method, hint }) => (
          <li key={method}>
            <button
              type="button"
              className="proof-method"
              data-first-focus={method === current ? true : undefined}
              onClick={() => onChoose(method)}
            >
              <Icon name={METHOD_FIELDS[method].icon} />
              <span>{t(`identity-proof.method.${method}`, { hint })}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
