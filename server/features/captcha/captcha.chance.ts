import { randomInt } from 'node:crypto'

/** A number from 0 up to, not including, 1. Drawings take it as a parameter. */
export type Chance = () => number

/** Unpredictable: whoever could foresee the drawing would know the answer. */
export const secureChance: Chance = () => randomInt(2 ** 32) / 2 ** 32

export const within = (chance: Chance, from: number, to: number): number => from + (to - from) * chance()

export const pick = <T>(chance: Chance, list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T
