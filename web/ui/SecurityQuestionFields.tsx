import { useTranslation } from 'react-i18next'
import type { SecurityAnswer, SecurityQuestion } from '#shared/contract/security-questions.ts'
import { canonicalAnswer } from '#shared/rules/security-answer.ts'
import { Field } from './Field.tsx'
import { Select } from './Select.tsx'
import './security-questions.css'

/** The server's rule: shorter answers are easily guessed. */
const SHORTEST_ANSWER = 2
const MAX_ANSWER_LENGTH = 200

type Props = {
  /** The questions to choose from. */
  questions: readonly SecurityQuestion[]
  /** As many as are required; see `emptyAnswers`. */
  value: readonly SecurityAnswer[]
  /** The form has been submitted: show missing input. */
  submitted: boolean
  onChange: (value: SecurityAnswer[]) => void
}

export const emptyAnswers = (count: number): SecurityAnswer[] =>
  Array.from({ length: count }, () => ({ question: '', answer: '' }))

type Fault = 'question-missing' | 'answer-too-short' | 'answer-twice'

function faultOf(value: readonly SecurityAnswer[], at: number): Fault | null {
  const { question, answer } = value[at] ?? { question: '', answer: '' }
  const text = canonicalAnswer(answer)
  if (question === '') return 'question-missing'
  if (Array.from(text).length < SHORTEST_ANSWER) return 'answer-too-short'
  return value.some((other, index) => index < at && canonicalAnswer(other.answer) === text) ? 'answer-twice' : null
}

export const areAnswersReady = (value: readonly SecurityAnswer[]): boolean =>
  value.every((_, at) => faultOf(value, at) === null)

/** Several different questions with their answers. */
export function SecurityQuestionFields({ questions, value, submitted, onChange }: Props) {
  const { t } = useTranslation()
  const change = (at: number, next: Partial<SecurityAnswer>) =>
    onChange(value.map((given, index) => (index === at ? { ...given, ...next } : given)))
  return value.map(({ question, answer }, at) => {
    const fault = submitted ? faultOf(value, at) : null
    const others = new Set(value.flatMap((given, index) => (index === at ? [] : [given.question])))
    const name = t('security-questions.number', { at: at + 1 })
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the index is what tells them apart.
      <fieldset key={at} className="question-fields">
        <legend>{name}</legend>
        <Field
          label={t('security-questions.question')}
          isGroup
          error={fault === 'question-missing' ? t('security-questions.question-missing') : undefined}
        >
          {(aria) => (
            <Select
              aria={aria}
              isFirst={at === 0}
              value={question}
              options={[
                { value: '', label: t('security-questions.choose') },
                ...questions.flatMap(({ code, text }) => (others.has(code) ? [] : [{ value: code, label: text }])),
              ]}
              onChange={(code) => change(at, { question: code })}
            />
          )}
        </Field>
        <Field
          label={t('security-questions.answer')}
          error={fault && fault !== 'question-missing' ? t(`security-questions.${fault}`) : undefined}
        >
          {(aria) => (
            <input
              {...aria}
              className="input"
              type="text"
              autoComplete="off"
              maxLength={MAX_ANSWER_LENGTH}
              value={answer}
              onChange={({ target }) => change(at, { answer: target.value })}
            />
          )}
        </Field>
      </fieldset>
    )
  })
}
