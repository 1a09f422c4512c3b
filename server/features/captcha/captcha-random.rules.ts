import { randomInt } from 'node:crypto'

/** A number from 0 up to, not including, 1. Passed to drawings as a parameter. */
export type Random = () => number

/** Unpredictable: whoever could predict the drawing would know the answer. */
export const secureRandom: Random = () => randomInt(2 ** 32) / 2 ** 32

export const randomBetween = (chance: Random, from: number, to: number): number => from + (to - from) * chance()

export const pickRandom = <T>(chance: Random, list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T
