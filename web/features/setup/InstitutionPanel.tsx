import { useTranslation } from 'react-i18next'
import { type InstitutionDetails, institutionDetails, updateInstitution } from '#shared/contract/system-settings.ts'
import { call } from '../../platform/api.ts'
import { FixedByFile } from '../../ui/FixedByFile.tsx'
import { SettingsPanel } from '../../ui/SettingsPanel.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useSettingsDraft } from '../../ui/use-settings-draft.ts'
import { wordingLanguages } from '../../ui/wording-languages.ts'
import { type Institution, InstitutionFields } from './InstitutionFields.tsx'
import { givenTexts } from './setup-draft.ts'

type Value = Institution & { privacyUrl: string; helpUrl: string }

const toValue = ({ values }: InstitutionDetails): Value => ({
  names: values.names,
  contacts: values.contacts,
  privacyUrl: values.privacyUrl ?? '',
  helpUrl: values.helpUrl ?? '',
})

const LINKS = ['privacyUrl', 'helpUrl'] as const

/** Sends only changes, so that keys set by the bootstrap file are left out; pictures are sent separately. */
function changesOf(before: Value, { names, contacts, logo: _logo, icon: _icon, ...links }: Value) {
  const isOther = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b)
  return {
    ...(isOther(before.names, names) && { names: givenTexts(names) }),
    ...(isOther(before.contacts, contacts) && { contacts: givenTexts(contacts) }),
    ...Object.fromEntries(
      LINKS.filter((key) => before[key] !== links[key]).map((key) => [key, links[key].trim() || null]),
    ),
  }
}

/** Name, contact, logo and links, as every page shows them. */
export function InstitutionPanel() {
  const { t } = useTranslation()
  const settings = useSettingsDraft<InstitutionDetails, Value>({
    queryKey: ['institution'],
    load: (signal) => call(institutionDetails, {}, { signal }),
    toValue,
    save: (stored, value) =>
      call(updateInstitution, {
        body: {
          version: stored.version,
          changes: changesOf(toValue(stored), value),
          ...(value.logo !== undefined && { logo: value.logo }),
          ...(value.icon !== undefined && { icon: value.icon }),
        },
      }),
    alsoChanges: [['gateway']],
  })
  const labels = {
    names: t('setup.school-name'),
    contacts: t('setup.contact'),
    privacyUrl: t('system-settings.privacy-url'),
    helpUrl: t('system-settings.help-url'),
  }
  return (
    <SettingsPanel {...settings} labels={labels} show={showTexts}>
      {({ value, change, stored: { setByFile, values } }) => (
        <>
          <InstitutionFields
            value={value}
            languages={wordingLanguages()}
            setByFile={setByFile}
            marks={{ logo: values.logo, icon: values.pageLabelLogo === values.logo ? null : values.pageLabelLogo }}
            onChange={(institution) => change({ ...value, ...institution })}
          />
          <fieldset>
            <legend>{t('system-settings.links')}</legend>
            {LINKS.map((key) => (
              <div key={key}>
                <FixedByFile when={setByFile.includes(key)}>
                  <TextField
                    label={labels[key]}
                    name={`changes.${key}`}
                    hint={t('system-settings.links.hint')}
                    value={value[key]}
                    inputMode="url"
                    maxLength={500}
                    isOptional
                    onChange={(text) => change({ ...value, [key]: text })}
                  />
                </FixedByFile>
              </div>
            ))}
          </fieldset>
        </>
      )}
    </SettingsPanel>
  )
}

const showTexts = (_field: string, value: unknown): string =>
  (typeof value === 'object' ? Object.values(value ?? {}).join(' · ') : String(value)) || '—'
