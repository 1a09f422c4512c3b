import { useTranslation } from 'react-i18next'
import type { Recovery } from '#shared/contract/password-recovery.ts'
import { Icon } from '../../ui/Icon.tsx'
import { StateBlock } from '../../ui/StateBlock.tsx'
import { codeDetour, wayTitle } from './code-route.ts'
import { RecoveryForm } from './RecoveryForm.tsx'
import type { CodeMethod, RecoveryFlow } from './use-recovery-flow.ts'

const ICONS = { phone: 'mobile', mailbox: 'mail', questions: 'safety-certificate' } as const

type Props = { walk: RecoveryFlow; recovery: Recovery; answered?: string }

/** The available methods, with masked contacts; after right answers only those by code. */
export function MethodStep({ walk, recovery, answered }: Props) {
  const { t } = useTranslation()
  const ways = recovery.ways.filter(({ way }) => answered === undefined || way !== 'questions')
  const choose = (way: Recovery['ways'][number]['way']) => {
    if (way === 'questions') return walk.goTo({ step: 'answers' })
    walk.goTo(toCodePosition(way, answered))
  }
  return (
    <RecoveryForm
      walk={walk}
      title={t(answered === undefined ? 'recovery.way.title' : 'recovery.way.title-code')}
      text={t(ways.length > 0 ? 'recovery.way.text' : 'recovery.way.none')}
      onBack={() => walk.startOver(null)}
    >
      {() =>
        ways.length === 0 ? (
          <StateBlock title={t('recovery.way.none-title')} />
        ) : (
          <ul className="recovery-ways">
            {ways.map((one) => (
              <li key={one.way}>
                <button type="button" onClick={() => choose(one.way)}>
                  <Icon name={ICONS[one.way]} />
                  <span>
                    <strong>{wayTitle(t, one)}</strong>
                    <span className="muted">
                      {one.way === 'questions' ? questionsHint(recovery, t) : (codeDetour(t, one) ?? one.hint)}
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

export const toCodePosition = (way: CodeMethod, answered: string | undefined) =>
  ({ step: 'code', way, ...(answered !== undefined && { answered }) }) as const

const questionsHint = (
  { questionsNeedCode, questions }: Recovery,
  t: (key: 'recovery.way.questions-code' | 'recovery.way.questions-alone', params: { count: number }) => string,
) => t(questionsNeedCode ? 'recovery.way.questions-code' : 'recovery.way.questions-alone', { count: questions.length })
