import { useTranslation } from 'react-i18next'
import type { Interface } from '#shared/contract/api-manage.ts'
import { useCount } from '../../platform/format-number.ts'
import { Breakable } from '../../ui/Breakable.tsx'
import { StateWord } from '../../ui/StateWord.tsx'
import './api-registry.css'

/** What an interface does, and its id in grants and programs. */
export function InterfaceName({ apiId, apiComment }: Pick<Interface, 'apiId' | 'apiComment'>) {
  return (
    <span className="interface-name">
      {apiComment}
      <code className="muted">{apiId}</code>
    </span>
  )
}

/** Method and path of a call. */
export function CallPath({ apiMethod, apiPath }: Pick<Interface, 'apiMethod' | 'apiPath'>) {
  return (
    <span className="call-path">
      <span className="call-method">{apiMethod}</span>
      <code>
        <Breakable text={apiPath} />
      </code>
    </span>
  )
}

export function InterfaceState({ status }: Pick<Interface, 'status'>) {
  const { t } = useTranslation()
  return <StateWord tone={status ? 'well' : 'quiet'}>{t(`api-manage.status.${status}`)}</StateWord>
}

/** Calls of the last day, and how many were refused. */
export function Usage({ calls, failures }: Pick<Interface, 'calls' | 'failures'>) {
  const { t } = useTranslation()
  const number = useCount()
  return (
    <span className="tabular">
      {number(calls)}
      {failures > 0 && <span className="call-refused"> {t('api-manage.refused', { count: failures })}</span>}
    </span>
  )
}
