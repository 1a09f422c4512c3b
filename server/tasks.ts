import type { Task } from './features/background-tasks/index.ts'

/** Everything that goes on in the background after its request was answered: every feature's kinds of tasks. */
export const tasks: readonly Task[] = []
