import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'dashboard/**/*.test.ts',
      'sdk/src/**/*.test.ts',
      'n8n/src/**/*.test.ts',
      // What takes too long, or too much of the machine, for every run: `npm run faults`.
      ...(process.env.FAULT_ROUNDS ? ['test/faults/**/*.fault.ts'] : []),
    ],
    // The nodes of n8n get what they use of n8n from here (test/n8n has the tests in a real n8n).
    alias: { 'n8n-workflow': new URL('test/support/n8n/workflow.ts', import.meta.url).pathname },
    globalSetup: ['test/support/global-setup.ts'],
    // Bounds of patience, not of speed: on a crowded machine a test takes longer and still says the same.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000, interval: 25 } },
    // Faults are played in real time, with real kills: what a machine's hiccup spoils gets one second go.
    retry: 1,
    pool: 'forks',
    // One more than most machines that run them have cores: tests wait for pages and clocks more often than they work.
    maxWorkers: 3,
    // Loading the service costs more than most files do: processes take one file after another, each of which boots a server
    // of its own on a database of its own all the same.
    isolate: false,
    // Of the tests of one file that wait beside one another.
    maxConcurrency: 10,
  },
})
