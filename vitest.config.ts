import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts', 'shared/**/*.test.ts', 'tools/**/*.test.ts', 'web/**/*.test.ts'],
    globalSetup: ['server/testing/global-setup.ts'],
    // The tests wait for a database more than they compute: on two cores one worker leaves one of them idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Loading the server anew for each file took a third of the time; what a test changes of the process it puts back.
    isolate: false,
    unstubGlobals: true,
    restoreMocks: true,
    // A shared machine may stall for seconds; what fails twice in a row is a failure there too.
    retry: process.env['CI'] ? 1 : 0,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
