/**
 * A thread that sends requests, so that the time of the test's own requests doesn't count as the server's
 * time.
 */
import { Worker } from 'node:worker_threads'

export type ThreadRequest = {
  method: string
  url: string
  headers: Record<string, string>
  body?: Buffer
}
/** The status, and the first characters of the answer. */
export type ThreadAnswer = { status: number; text: string }
/** Messages to and from the thread. */
export type Sent = { id: number; requests: ThreadRequest[] }
export type Returned = { id: number; answers: ThreadAnswer[] }

export type RequestThread = {
  /** Sends requests in parallel; answers are in the order of the requests. */
  send(requests: ThreadRequest[]): Promise<ThreadAnswer[]>
  close(): Promise<unknown>
}

export function startRequestThread(): RequestThread {
  const worker = new Worker(new URL('./request-worker.ts', import.meta.url), { execArgv: [] })
  const waiting = new Map<number, (answers: ThreadAnswer[]) => void>()
  worker.on('message', ({ id, answers }: Returned) => {
    waiting.get(id)?.(answers)
    waiting.delete(id)
  })
  let last = 0
  return {
    send: (requests) =>
      new Promise((resolve) => {
        const id = ++last
        waiting.set(id, resolve)
        worker.postMessage({ id, requests } satisfies Sent)
      }),
    close: () => worker.terminate(),
  }
}
