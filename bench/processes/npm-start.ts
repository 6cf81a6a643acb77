/** Runs the code of `npm start` in a process that reports its usage. */
import { answerParent } from '../ground/answers.ts'
import { serverUse } from '../ground/server-use.ts'

/** The environment that it is started with (docs/running.md). */
export type NpmStartSettings = Record<
  'PORT' | 'DATABASE_URL' | 'PARLEY_DATA_DIR' | 'PARLEY_SECRET_KEY',
  string
>

answerParent({
  start: async () => {
    // A path that TypeScript doesn't follow: the launcher's program has no types.
    await import(new URL('../../bin/serve.mjs', import.meta.url).href)
    // A process that could not start, because its port was taken meanwhile, is about to end; its end reports
    // its log.
    await fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).catch(() => new Promise(() => {}))
  },
  use: serverUse,
  // It ends by itself, as after Ctrl-C.
  stop: () => {
    process.kill(process.pid, 'SIGINT')
    return new Promise(() => {})
  },
})
