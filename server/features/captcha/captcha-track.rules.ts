import { SLIDER_TOLERANCE, type TrackPoint } from '#shared/contract/captcha.ts'

const MIN_TRACK_MS = 250
/** How far the page's timer may be ahead of the server's clock. */
const CLOCK_SLACK_MS = 150
/** The steps by which arrow keys move the piece. */
const KEY_STEPS = [1, 2, 5, 10]

/**
 * True if the track ends at `target` and looks as if a hand or a keyboard moved the piece there. This only makes scripts more expensive:
 * what matters is that every attempt needs a new picture, which one check consumes.
 * @param elapsedMs time since the picture was issued, by the server's clock; no track can be longer.
 */
export function isPlausibleTrack(track: readonly TrackPoint[], target: number, elapsedMs: number): boolean {
  const [first, last] = [track[0], track.at(-1)]
  if (!first || !last || track.length < 5) return false
  if (Math.abs(last.x - target) > SLIDER_TOLERANCE) return false
  const duration = last.t - first.t
  if (duration < MIN_TRACK_MS || last.t > elapsedMs + CLOCK_SLACK_MS) return false
  if (Math.abs(first.x) > 10) return false
  const steps = track.slice(1).map((point, i) => ({
    x: point.x - (track[i]?.x ?? 0),
    t: point.t - (track[i]?.t ?? 0),
  }))
  if (steps.some((step) => step.t < 0)) return false
  // Neither a hand nor a repeating key has perfectly regular timing.
  if (!areDifferent(steps.map((step) => step.t))) return false
  return isKeyboard(track, steps) || isHand(steps, duration)
}

type Step = { x: number; t: number }

const areDifferent = (values: readonly number[]): boolean => new Set(values.map((value) => value.toFixed(2))).size > 1

/** Arrow keys: never up or down, always a whole step, at most as fast as a key repeats. */
function isKeyboard(track: readonly TrackPoint[], steps: readonly Step[]): boolean {
  if (track.some((point) => point.y !== 0)) return false
  return steps.every((step, i) => KEY_STEPS.includes(Math.abs(step.x)) && (i === 0 || step.t >= 8))
}

/** A hand: many small moves of varying size, mostly forward, none across a third of the way at once. */
function isHand(steps: readonly Step[], duration: number): boolean {
  const distance = steps.reduce((sum, step) => sum + Math.abs(step.x), 0)
  const backwards = steps.reduce((sum, step) => sum + Math.max(0, -step.x), 0)
  if (backwards > distance / 2 || distance > 2000) return false
  if (steps.some((step) => Math.abs(step.x) > distance * 0.35)) return false
  if (distance / duration > 4) return false
  return areDifferent(steps.map((step) => step.x)) && areDifferent(speeds(steps))
}

/** Pixels per millisecond of every move: a straight line drawn by a script has only one. */
const speeds = (steps: readonly Step[]): number[] => steps.filter((step) => step.t > 0).map((step) => step.x / step.t)
