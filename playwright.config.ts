import { defineConfig } from '@playwright/test'
import { chromiumPath } from './e2e/chromium.ts'

const chromium = chromiumPath()

const launchOptions = (...more: string[]) => ({
  ...(chromium ? { executablePath: chromium } : {}),
  // As root, and in most containers, Chromium has no sandbox of its own; the rest keeps it off the internet.
  args: [
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    ...more,
  ],
  // Scroll bars that take room, as browsers on Windows and Linux have them.
  ignoreDefaultArgs: ['--hide-scrollbars'],
})

/** The journeys: a real Chromium against real servers, which the tests start themselves (e2e/fixtures.ts). */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: 'node_modules/.cache/e2e',
  globalSetup: './e2e/global-setup.ts',
  fullyParallel: true,
  // A journey waits for half of its time: two workers leave one of two cores idle.
  workers: 3,
  forbidOnly: true,
  // A shared machine may stall for seconds; what passes only at the second try is listed as flaky.
  retries: process.env['CI'] ? 1 : 0,
  // Patience costs nothing where a journey passes.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  projects: [
    {
      name: 'default',
      grepInvert: /@proof/,
      // A page lives too briefly to repay optimized code, and a drawing process: a sixth of its time.
      use: { launchOptions: launchOptions('--js-flags=--no-maglev,--no-turbofan', '--disable-gpu') },
    },
    // Wall-clock time, in a browser as people have it, alone on the machine; and what takes too long for each change.
    { name: 'proofs', grep: /@proof/, use: { launchOptions: launchOptions() } },
  ],
  use: {
    // A page that is loaded for the first time in a new browser context takes seconds of a processor.
    reuseContext: true,
    // Nothing is judged halfway, and nobody waits for a drawer.
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1366, height: 768 },
    screenshot: 'only-on-failure',
    // Recording costs a fifth of the time; TRACE=1 shows a failure step by step.
    trace: process.env['TRACE'] ? 'retain-on-failure' : 'off',
  },
})
