import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      // What takes too long, or too much of the machine, for every run: `npm run faults`.
      ...(process.env.FAULT_ROUNDS ? ['test/faults/**/*.fault.ts'] : []),
    ],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Faults and paces are played in real time: on a crowded machine a test may need a second go.
    retry: 2,
    // Bounds of patience, not of speed: on a crowded machine a test takes longer and still says the same.
    expect: { poll: { timeout: 15_000, interval: 25 } },
    pool: 'forks',
    maxWorkers: 2,
    // Of the tests of one file that wait beside one another.
    maxConcurrency: 10,
  },
})
