import type { LightAction } from '#shared/contract/light-page.ts'
import { useLight } from './light-page.tsx'

/** The actions of a notice or a question: links, or forms where something is changed. */
export function FormActions({ actions }: { actions: LightAction[] }) {
  const { t } = useLight()
  if (actions.length === 0) return null
  return (
    <div className="actions">
      {actions.map(({ text, href, primary, fields }) => {
        const className = primary ? 'button primary' : 'button'
        const label = t(text.key, text.params)
        if (!fields) {
          return (
            <a key={text.key} className={className} href={href}>
              {label}
            </a>
          )
        }
        return (
          <form key={text.key} method="post" action={href}>
            <HiddenFields fields={fields} />
            <button type="submit" className={className}>
              {label}
            </button>
          </form>
        )
      })}
    </div>
  )
}

export const HiddenFields = ({ fields }: { fields: Record<string, string> }) =>
  Object.entries(fields).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)
