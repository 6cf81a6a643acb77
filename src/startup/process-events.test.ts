import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const SOURCES = join(import.meta.dirname, '..')

/** A process that is stopped by signals, with its closing code; it reports when it is up. */
function spawnProcess(closeAll: string, maxMs: number) {
  const script = `
    const { openLog } = await import(${JSON.stringify(join(SOURCES, 'logging/log.ts'))})
    const { stopOnSignals } = await import(${JSON.stringify(join(SOURCES, 'startup/process-events.ts'))})
    stopOnSignals(openLog('info'), ${closeAll}, ${maxMs})
    setInterval(() => {}, 1_000)
    process.stdout.write('up')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8')
  })
  return { child, up: once(child.stdout, 'data'), exited: once(child, 'exit'), output: () => output }
}

test('a process that closes in time ends with code 0', async () => {
  const { child, up, exited, output } = spawnProcess('async () => {}', 60_000)
  await up
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  expect(output()).toContain('SIGTERM: finishing running requests and jobs')
})

test('a stop that hangs is given up and reported', async () => {
  const { child, up, exited, output } = spawnProcess('() => new Promise(() => {})', 250)
  await up
  child.kill('SIGTERM')
  expect(await exited).toEqual([1, null])
  expect(output()).toContain('The stop took longer than 0.25 s. Stopping immediately.')
})
