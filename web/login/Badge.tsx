export type Tone = 'info' | 'well' | 'caution' | 'danger'

const DRAWINGS: Record<Tone, string> = {
  info: 'M5 21V12a7 7 0 0 1 14 0v9M12 14v7',
  well: 'M5 12.5l4.5 4.5L19 7.5',
  caution: 'M12 6v8M12 18v.01',
  danger: 'M7 7l10 10M17 7L7 17',
}

/** Shows in colour and shape what the heading says in words. */
export const Badge = ({ tone }: { tone: Tone }) => (
  <div className={`badge ${tone}`}>
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={DRAWINGS[tone]} />
    </svg>
  </div>
)
