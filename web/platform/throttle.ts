/** Milliseconds between two runs of throttled or debounced work (specification, section 9). */
const DELAY_MS = 300

/**
 * Lets a call with the same arguments through at most once in `delay` ms. A different call is never dropped: the second
 * of two quick clicks may be on another row.
 */
export function throttle<A extends unknown[]>(work: (...args: A) => void, delay = DELAY_MS): (...args: A) => void {
  let lastAt = Number.NEGATIVE_INFINITY
  let lastArgs: A | undefined
  return (...args) => {
    const isSame = lastArgs?.length === args.length && args.every((arg, at) => Object.is(arg, lastArgs?.[at]))
    if (isSame && performance.now() - lastAt < delay) return
    lastAt = performance.now()
    lastArgs = args
    work(...args)
  }
}

/** Runs `work` once, `delay` ms after the last call. */
export function debounce<A extends unknown[]>(work: (...args: A) => void, delay = DELAY_MS): (...args: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return (...args) => {
    clearTimeout(timer)
    timer = setTimeout(() => work(...args), delay)
  }
}
