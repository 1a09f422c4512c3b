import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import {
  INSIGHT_KEYS,
  INSIGHT_KINDS,
  type InsightKind,
  type StoredInsightSettings,
} from '#shared/contract/log-insights.ts'
import { FixedReason } from '../../ui/fixed-field.ts'
import { SetByFile } from '../../ui/SetByFile.tsx'
import { SettingsPanel } from '../../ui/SettingsPanel.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useSettingsDraft } from '../../ui/use-settings-draft.ts'
import { type InsightDraft, loadSettings, type NumberKey, saveSettings, toDraft } from './insight-values.ts'

type FormProps = {
  stored: StoredInsightSettings
  value: InsightDraft
  change: (next: InsightDraft) => void
  /** Id of the text that the bootstrap file sets some of them. */
  byFile: string
}

/** The thresholds of each kind; both kinds of first login share theirs. */
const FIELDS: readonly { title: InsightKind | 'new'; kinds: readonly InsightKind[]; numbers: readonly NumberKey[] }[] =
  [
    { title: 'spraying', kinds: ['spraying'], numbers: ['sprayNames', 'sprayMinutes'] },
    { title: 'failing-account', kinds: ['failing-account'], numbers: ['failedLogins', 'failedHours'] },
    { title: 'new', kinds: ['new-range', 'new-device'], numbers: ['newAfterDays', 'newAfterLogins'] },
    { title: 'range-hop', kinds: ['range-hop'], numbers: ['hopMinutes'] },
    { title: 'refusals', kinds: ['refusals'], numbers: ['refusedVisits', 'refusedMinutes'] },
    { title: 'lost-codes', kinds: ['lost-codes'], numbers: ['lostCodes', 'lostMinutes'] },
  ]

/** What is detected, from which number on, and who is notified. */
export function InsightSettings() {
  const { t } = useTranslation()
  const byFile = useId()
  const settings = useSettingsDraft<StoredInsightSettings, InsightDraft>({
    queryKey: ['log-insight-settings'],
    load: loadSettings,
    toValue: toDraft,
    save: saveSettings,
  })
  const labels = Object.fromEntries(INSIGHT_KEYS.map((key) => [key, t(`audit-field.${key}`)]))
  const show = (_field: string, value: unknown): string =>
    Array.isArray(value) ? value.map((kind: InsightKind) => t(`log-insight.kind.${kind}`)).join(', ') : String(value)
  return (
    <SettingsPanel {...settings} labels={labels} show={show}>
      {(form) => (
        <>
          {form.stored.setByFile.length > 0 && <SetByFile id={byFile} />}
          <p className="muted">{t('log-insight.settings.tell.text')}</p>
          {FIELDS.map((fields) => (
            <KindFields key={fields.title} {...fields} {...form} byFile={byFile} />
          ))}
          <fieldset className="insight-group">
            <legend>
              <h2>{t('log-insight.settings.keep')}</h2>
            </legend>
            <Numbers keys={['keepInsightDays']} {...form} byFile={byFile} />
          </fieldset>
        </>
      )}
    </SettingsPanel>
  )
}

function KindFields({ title, kinds, numbers, ...form }: FormProps & (typeof FIELDS)[number]) {
  const { t } = useTranslation()
  return (
    <fieldset className="insight-group">
      <legend>
        <h2>{t(title === 'new' ? 'log-insight.settings.new' : `log-insight.kind.${title}`)}</h2>
      </legend>
      {kinds.map((kind) => (
        <KindSwitches key={kind} kind={kind} isNamed={kinds.length > 1} {...form} />
      ))}
      <Numbers keys={numbers} {...form} />
    </fieldset>
  )
}

function KindSwitches(props: FormProps & { kind: InsightKind; isNamed: boolean }) {
  const { kind, isNamed, stored, value, change, byFile } = props
  const { t } = useTranslation()
  const turn = (key: 'insightKinds' | 'insightMessages', on: boolean) =>
    // In a fixed order, so that off and on again is no change.
    change({ ...value, [key]: INSIGHT_KINDS.filter((one) => (one === kind ? on : value[key].includes(one))) })
  const one = (key: 'insightKinds' | 'insightMessages', words: string, isOff = false) => (
    <FixedReason value={stored.setByFile.includes(key) ? byFile : undefined}>
      <Switch
        label={isNamed ? t('list.filter', { label: t(`log-insight.kind.${kind}`), value: words }) : words}
        checked={value[key].includes(kind)}
        disabled={isOff}
        onChange={(on) => turn(key, on)}
      />
    </FixedReason>
  )
  return (
    <div className="insight-pair">
      {one('insightKinds', t('log-insight.settings.look'))}
      {one('insightMessages', t('log-insight.settings.tell'), !value.insightKinds.includes(kind))}
    </div>
  )
}

function Numbers({ keys, stored, value, change, byFile }: FormProps & { keys: readonly NumberKey[] }) {
  const { t } = useTranslation()
  return (
    <div className="insight-pair">
      {keys.map((key) => (
        <FixedReason key={key} value={stored.setByFile.includes(key) ? byFile : undefined}>
          <TextField
            name={`changes.${key}`}
            label={t(`audit-field.${key}`)}
            inputMode="numeric"
            maxLength={6}
            value={value[key]}
            onChange={(next) => change({ ...value, [key]: next })}
          />
        </FixedReason>
      ))}
    </div>
  )
}
