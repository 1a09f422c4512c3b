import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/TextField.tsx'

type Props = { value: string; hint?: string; error: string | undefined; onChange: (value: string) => void }

/** The name of a passkey. */
export function PasskeyName(props: Props) {
  const { t } = useTranslation()
  return <TextField {...props} label={t('two-step.passkeys.name')} maxLength={50} isFirst />
}
