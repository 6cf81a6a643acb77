import { configDefaults, defineConfig } from 'vitest/config'

/** They kill, measure, or look at the process itself. */
const ALONE = 'test/{browser,faults,platform}/**/*.test.ts'

// Of the tests of both projects.
const shared = {
  // Bounds of patience, not of speed: on a crowded machine a test takes longer and still says the same.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000, interval: 25 } },
  // Faults are played in real time, with real kills: what a machine's hiccup spoils gets one second go.
  retry: 1,
  pool: 'forks',
  maxWorkers: 2,
  // Of the tests of one file that wait beside one another.
  maxConcurrency: 10,
} as const

export default defineConfig({
  test: {
    // Once for both projects.
    globalSetup: ['test/support/global-setup.ts'],
    maxWorkers: 2,
    // They run in the order of their names, without a pause between: what takes long begins first.
    projects: [
      {
        // A process for each file.
        test: {
          ...shared,
          name: 'alone',
          include: [
            ALONE,
            // What takes too long, or too much of the machine, for every run: `npm run faults`.
            ...(process.env.FAULT_ROUNDS ? ['test/faults/**/*.fault.ts'] : []),
          ],
        },
      },
      {
        // A process takes one file after another: loading the service costs more than most of them do. Each boots a
        // server of its own on a database of its own all the same.
        test: {
          ...shared,
          name: 'together',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'dashboard/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ALONE],
          isolate: false,
        },
      },
    ],
  },
})
