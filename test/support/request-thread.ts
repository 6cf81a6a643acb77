/** A thread that sends requests: what a test spends on them is not counted as the time of the server beside it. */
import { Worker } from 'node:worker_threads'

export type ThreadRequest = {
  method: string
  url: string
  headers: Record<string, string>
  body?: Buffer
}
/** The status, and the first characters of the answer. */
export type ThreadAnswer = { status: number; text: string }
/** What goes to the thread and back. */
export type Sent = { id: number; requests: ThreadRequest[] }
export type Returned = { id: number; answers: ThreadAnswer[] }

export type RequestThread = {
  /** Sends requests at the same time; answers stand in their order. */
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
