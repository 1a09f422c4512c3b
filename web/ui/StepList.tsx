import { useTranslation } from 'react-i18next'
import { Icon } from './Icon.tsx'
import './step-list.css'

export type Step = { name: string; label: string; state: 'done' | 'skipped' | 'current' | 'open' }

/** The steps of a process: done, current and upcoming. */
export function StepList({ label, steps }: { label: string; steps: readonly Step[] }) {
  const { t } = useTranslation()
  const at = steps.findIndex(({ state }) => state === 'current')
  const current = steps[at]
  return (
    <nav aria-label={label} className="steps">
      {/* If there is no room for all labels: the current one, and a bar per step. */}
      {current && (
        <p className="steps-where" aria-hidden="true">
          <span>{t('steps.progress', { at: at + 1, count: steps.length })}</span>
          <strong>{current.label}</strong>
        </p>
      )}
      <ol>
        {steps.map((step, index) => (
          <li
            key={step.name}
            className={`step step-${step.state}`}
            aria-current={step.state === 'current' ? 'step' : undefined}
          >
            <span className="step-mark" aria-hidden="true">
              {step.state === 'done' ? <Icon name="check" /> : step.state === 'skipped' ? '–' : index + 1}
            </span>
            <span className="step-label">{step.label}</span>
            {(step.state === 'done' || step.state === 'skipped') && (
              <span className="visually-hidden">{t(`steps.state.${step.state}`)}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
