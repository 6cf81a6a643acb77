/** What `npm start` runs, in a process that can be asked what it uses. */
import { answerParent } from '../ground/answers.ts'
import { serverUse } from '../ground/server-use.ts'

/** The environment that it is started with (docs/running.md). */
export type NpmStartSettings = Record<
  'PORT' | 'DATABASE_URL' | 'PARLEY_DATA_DIR' | 'PARLEY_SECRET_KEY',
  string
>

answerParent({
  start: async () => {
    await import('../../src/main.ts')
    // One that could not start, since its port was taken meanwhile, is about to end, which shows whoever asks what it logged.
    await fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).catch(() => new Promise(() => {}))
  },
  use: serverUse,
  // It ends by itself, as it does when somebody presses Ctrl-C.
  stop: () => {
    process.kill(process.pid, 'SIGINT')
    return new Promise(() => {})
  },
})
