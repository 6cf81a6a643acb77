/**
 * Starts the processes of a run, each with one script; asks them questions over a channel, and stops them by
 * process id.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A running process. `ask` rejects with the handler's error, or if the process ends before it answers. */
export type Child = {
  pid: number
  ask<Answer>(name: string, argument?: unknown): Promise<Answer>
  /** Milliseconds of processor time since it started. */
  cpuMs(): Promise<number>
  stop(): Promise<void>
  kill(): void
}

export type ChildOptions = { execArgv?: string[]; env?: Record<string, string>; logDir: string }

const STOP_WITHIN_MS = 15_000
const TAIL_CHARACTERS = 2_000
const running = new Set<ChildProcess>()
let serial = 0

// An interrupted run leaves no processes.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts `bench/processes/<name>.ts`; its output goes to a file in `logDir`. */
export function startChild(name: string, options: ChildOptions): Child {
  const script = join(import.meta.dirname, '../processes', `${name}.ts`)
  const logFile = join(options.logDir, `${name}-${++serial}.log`)
  const log = openSync(logFile, 'w')
  const child = fork(script, [], {
    execArgv: options.execArgv ?? [],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...options.env },
    stdio: ['ignore', log, log, 'ipc'],
    serialization: 'advanced',
  })
  closeSync(log)
  running.add(child)
  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>()
  child.on('message', ({ id, value, error }: { id: number; value: never; error?: string }) => {
    const pending = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) pending?.resolve(value)
    else pending?.reject(new Error(`${name}: ${error}`))
  })
  child.once('exit', (code, signal) => {
    running.delete(child)
    const tail = readFileSync(logFile, 'utf8').slice(-TAIL_CHARACTERS)
    for (const pending of waiting.values())
      pending.reject(new Error(`${name} ended (${signal ?? code}):\n${tail}`))
    waiting.clear()
  })
  let lastId = 0
  const ask = <Answer>(question: string, argument?: unknown): Promise<Answer> =>
    new Promise<Answer>((resolve, reject) => {
      if (!child.connected) return reject(new Error(`${name} is not running`))
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      child.send({ id, name: question, argument })
    })
  return {
    pid: child.pid as number,
    ask,
    cpuMs: () => ask('cpuMs'),
    stop: async () => {
      if (!running.has(child)) return
      const exited = once(child, 'exit')
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
      ask('stop').catch(() => {})
      await exited
      clearTimeout(late)
    },
    kill: () => child.kill('SIGKILL'),
  }
}
