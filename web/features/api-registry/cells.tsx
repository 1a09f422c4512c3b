import { useTranslation } from 'react-i18next'
import type { Interface } from '#shared/contract/api-manage.ts'
import './api-registry.css'

/** What it does, and what grants and programs call it. */
export function InterfaceName({ apiId, apiComment }: Pick<Interface, 'apiId' | 'apiComment'>) {
  return (
    <span className="interface-name">
      {apiComment}
      <code className="muted">{apiId}</code>
    </span>
  )
}

/** Method and path, as a program writes them. */
export function CallPath({ apiMethod, apiPath }: Pick<Interface, 'apiMethod' | 'apiPath'>) {
  return (
    <span className="call-path">
      <span className="call-method">{apiMethod}</span>
      <code>{apiPath}</code>
    </span>
  )
}

export function InterfaceState({ status }: Pick<Interface, 'status'>) {
  const { t } = useTranslation()
  return (
    <span className="call-state">
      <span className={status ? 'dot call-on' : 'dot call-off'} />
      {t(`api-manage.status.${status}`)}
    </span>
  )
}

/** Calls of the last day, and how many of them were refused. */
export function Usage({ calls, failures }: Pick<Interface, 'calls' | 'failures'>) {
  const { t } = useTranslation()
  return (
    <span className="tabular">
      {calls}
      {failures > 0 && <span className="call-refused"> {t('api-manage.refused', { count: failures })}</span>}
    </span>
  )
}
