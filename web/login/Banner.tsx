import { useLight } from './light-page.tsx'

/** The institution's banner, during its period. */
export function Banner() {
  const { banner } = useLight().surroundings.school
  return banner && <p className={`banner banner-${banner.tone}`}>{banner.text}</p>
}
