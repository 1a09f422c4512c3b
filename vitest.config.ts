import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { readConfig } from './server/platform/config.ts'

// For a checkout whose packages were installed before the last repair was written.
execFileSync(process.execPath, [`${import.meta.dirname}/tools/patch-postgres.mjs`])

const PROOFS = '**/*.proof.test.ts'
const SOURCES = '**/*.source.test.ts'
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export default defineConfig({
  test: {
    globalSetup: ['server/testing/global-setup.ts'],
    // Loading the server for each file took a third of the time; a test restores what it changes in the process.
    isolate: false,
    // Each server builds hundreds of routes; with room for them, collecting garbage takes a fifth less of the time.
    execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=16'],
    unstubGlobals: true,
    restoreMocks: true,
    // A shared machine may stall for seconds; what fails after them too is a failure.
    retry: process.env['CI'] ? { count: 1, delay: 3000 } : 0,
    // Patience costs nothing where a test passes.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'default',
          provide: { reusesDatabases: true, patience: 4, passwordHashCost: CHEAP },
          include: ['server/**/*.test.ts', 'shared/**/*.test.ts', 'tools/**/*.test.ts', 'web/**/*.test.ts'],
          exclude: [...configDefaults.exclude, PROOFS, SOURCES],
          // A test waits for a third of its time: two workers leave some of two cores idle.
          maxWorkers: Math.max(3, availableParallelism() - 1),
        },
      },
      {
        // Kills, faults, memory, wall-clock time and real nodes: one file at a time, after everything else.
        extends: true,
        test: {
          name: 'proofs',
          provide: { reusesDatabases: false, patience: 1, passwordHashCost: readConfig({}).passwordHashCost },
          include: [PROOFS],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Databases of others that people are read from: with MYSQL_URL.
        extends: true,
        test: {
          name: 'sources',
          provide: { reusesDatabases: false, patience: 4, passwordHashCost: CHEAP },
          include: [SOURCES],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
