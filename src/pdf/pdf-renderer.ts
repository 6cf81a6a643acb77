/**
 * Renders PDF documents in threads, because a document of a hundred lines would block the event loop for a
 * fifth of a second. Queue, duration, and size are limited.
 */
import { Worker } from 'node:worker_threads'
import { MINUTE_MS, SECOND_MS } from '../core/clock.ts'
import { Refusal } from '../core/errors.ts'
import { IS_BUNDLED } from '../core/installation-root.ts'
import type { PdfDocument } from './port.ts'

export type PdfLimits = {
  threads: number
  /** Threads that one workspace may use at the same time. The others stay free for other workspaces. */
  threadsOfOne: number
  /** Documents waiting for a thread, in total and for one workspace. */
  waiting: number
  waitingOfOne: number
  /** Milliseconds for one document, including the start of its thread. */
  ms: number
  bytes: number
  /** Milliseconds after which an idle thread ends, to free its memory. */
  idleMs: number
}
export const PDF_LIMITS: PdfLimits = {
  threads: 2,
  threadsOfOne: 1,
  waiting: 60,
  waitingOfOne: 20,
  ms: 20 * SECOND_MS,
  bytes: 8 * 1024 * 1024,
  idleMs: MINUTE_MS,
}
/** Limits of a thread's heap in MB. Pictures are outside the heap; their pixels are limited. */
const HEAP_MB = 256
const YOUNG_MB = 32
const RETRY_SECONDS = 5

/** The input of a thread. `isPlain`: without pictures, because a thread died of the document with them. */
export type PdfTask = { document: PdfDocument; isPlain: boolean }

export type PdfRenderer = {
  render(workspaceId: string, document: PdfDocument): Promise<Buffer>
  close(): Promise<void>
}

type Task = PdfTask & { workspaceId: string; resolve(bytes: Buffer): void; reject(error: Error): void }
type Thread = { worker: Worker; task: Task | undefined; timer: NodeJS.Timeout | undefined }
type WorkerResult = { bytes: Uint8Array } | { error: string }

const busy = (): Refusal =>
  new Refusal('service_unavailable', 'Too many documents are being printed. Try again shortly.', {
    retryAfterSeconds: RETRY_SECONDS,
  })
const layoutFailed = (): Refusal =>
  new Refusal(
    'service_unavailable',
    "The document couldn't be printed in time. Try again, or open its page.",
    {
      retryAfterSeconds: RETRY_SECONDS,
    },
  )

/** Creates a renderer. Threads start on demand. */
export function createPdfRenderer(limits: PdfLimits = PDF_LIMITS): PdfRenderer {
  const threads = new Set<Thread>()
  const waiting: Task[] = []

  /** Ends a thread and fails its current document. */
  const end = (thread: Thread, error?: Error): void => {
    clearTimeout(thread.timer)
    threads.delete(thread)
    void thread.worker.terminate()
    thread.task?.reject(error ?? layoutFailed())
    thread.task = undefined
    next()
  }
  /** If a thread dies, its document is tried again without pictures. */
  const died = (thread: Thread, error: Error): void => {
    const { task } = thread
    if (task && !task.isPlain) {
      thread.task = undefined
      waiting.unshift({ ...task, isPlain: true })
    }
    end(thread, error)
  }
  const rest = (thread: Thread): void => {
    thread.timer = setTimeout(() => end(thread), limits.idleMs).unref()
    thread.worker.unref()
  }
  const handleMessage = (thread: Thread, message: WorkerResult): void => {
    const { task } = thread
    if (!task) return
    clearTimeout(thread.timer)
    thread.task = undefined
    if ('error' in message) task.reject(new Error(`PDF layout failed: ${message.error}`))
    else if (message.bytes.byteLength > limits.bytes) task.reject(layoutFailed())
    else task.resolve(Buffer.from(message.bytes.buffer, message.bytes.byteOffset, message.bytes.byteLength))
    rest(thread)
    next()
  }
  const start = (): Thread => {
    const worker = new Worker(new URL(IS_BUNDLED ? './pdf-worker.mjs' : './pdf-worker.ts', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    })
    const thread: Thread = { worker, task: undefined, timer: undefined }
    worker.on('message', (message: WorkerResult) => handleMessage(thread, message))
    worker.on('error', (error) => died(thread, error as Error))
    threads.add(thread)
    return thread
  }
  const give = (thread: Thread, task: Task): void => {
    clearTimeout(thread.timer)
    thread.task = task
    thread.worker.ref()
    thread.timer = setTimeout(() => end(thread), limits.ms).unref()
    thread.worker.postMessage({ document: task.document, isPlain: task.isPlain } satisfies PdfTask)
  }
  const underWay = (workspaceId: string): number =>
    [...threads].filter(({ task }) => task?.workspaceId === workspaceId).length
  function next(): void {
    for (;;) {
      const free = [...threads].find(({ task }) => task === undefined)
      if (!free && threads.size >= limits.threads) return
      const index = waiting.findIndex(({ workspaceId }) => underWay(workspaceId) < limits.threadsOfOne)
      if (index < 0) return
      give(free ?? start(), waiting.splice(index, 1)[0]!)
    }
  }
  return {
    render: (workspaceId, document) =>
      new Promise((resolve, reject) => {
        const own = waiting.filter((task) => task.workspaceId === workspaceId).length
        if (waiting.length >= limits.waiting || own >= limits.waitingOfOne) return reject(busy())
        waiting.push({ workspaceId, document, isPlain: false, resolve, reject })
        next()
      }),
    async close() {
      for (const task of waiting.splice(0)) task.reject(layoutFailed())
      await Promise.all(
        [...threads].map(({ worker, timer, task }) => {
          clearTimeout(timer)
          task?.reject(layoutFailed())
          return worker.terminate()
        }),
      )
      threads.clear()
    },
  }
}
