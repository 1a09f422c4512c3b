/** The default logo in the colours of the scheme, or the institution's own. */
export function Mark({ logo }: { logo?: string | null | undefined }) {
  if (logo) return <img className="mark" src={logo} alt="" />
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path fill="var(--primary)" d="M4 29V16a12 12 0 0 1 24 0v13h-7V16a5 5 0 0 0-10 0v13z" />
      <path fill="var(--brick)" d="M14.9 18h2.2l1.4 11h-5z" />
    </svg>
  )
}
