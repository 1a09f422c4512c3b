import { useTranslation } from 'react-i18next'
import type { Recovery } from '#shared/contract/password-recovery.ts'
import { Icon } from '../../ui/Icon.tsx'
import { StateBlock } from '../../ui/StateBlock.tsx'
import { codeDetour, methodTitle } from './code-route.ts'
import { RecoveryForm } from './RecoveryForm.tsx'
import type { CodeMethod, RecoveryFlow } from './use-recovery-flow.ts'

const ICONS = { phone: 'mobile', mailbox: 'mail', questions: 'safety-certificate' } as const

type Props = { walk: RecoveryFlow; recovery: Recovery; answered?: string }

/** The available methods, with masked contacts; after right answers only those by code. */
export function MethodStep({ walk, recovery, answered }: Props) {
  const { t } = useTranslation()
  const methods = recovery.methods.filter(({ method }) => answered === undefined || method !== 'questions')
  const choose = (method: Recovery['methods'][number]['method']) => {
    if (method === 'questions') return walk.goTo({ step: 'answers' })
    walk.goTo(toCodePosition(method, answered))
  }
  return (
    <RecoveryForm
      walk={walk}
      title={t(answered === undefined ? 'recovery.method.title' : 'recovery.method.title-code')}
      text={t(methods.length > 0 ? 'recovery.method.text' : 'recovery.method.none')}
      onBack={() => walk.startOver(null)}
    >
      {() =>
        methods.length === 0 ? (
          <StateBlock title={t('recovery.method.none-title')} />
        ) : (
          <ul className="recovery-methods">
            {methods.map((one) => (
              <li key={one.method}>
                <button type="button" onClick={() => choose(one.method)}>
                  <Icon name={ICONS[one.method]} />
                  <span>
                    <strong>{methodTitle(t, one)}</strong>
                    <span className="muted">
                      {one.method === 'questions' ? questionsHint(recovery, t) : (codeDetour(t, one) ?? one.hint)}
                    </span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )
      }
    </RecoveryForm>
  )
}

export const toCodePosition = (method: CodeMethod, answered: string | undefined) =>
  ({ step: 'code', method, ...(answered !== undefined && { answered }) }) as const

const questionsHint = (
  { questionsNeedCode, questions }: Recovery,
  t: (key: 'recovery.method.questions-code' | 'recovery.method.questions-alone', params: { count: number }) => string,
) =>
  t(questionsNeedCode ? 'recovery.method.questions-code' : 'recovery.method.questions-alone', {
    count: questions.length,
  })
