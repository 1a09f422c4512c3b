/** Typed or pasted networks, also with spaces inside a span such as `a - b`. */
export const splitNetworks = (text: string): string[] =>
  text
    .replace(/\s*([-–—~～])\s*/g, '$1')
    .split(/[\s,;，；、]+/)
    .filter(Boolean)
