import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { infoLines, openLog, printLine } from './log.ts'

async function written(isTerminal: boolean): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-pretty-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'log')
  const fd = openSync(path, 'w')
  const log = openLog('info', fd, isTerminal)
  log.warn({ number: 3, apiKey: 'pk_live_x' }, 'look here')
  infoLines(log)('"method":"GET","status":200', 'request')
  await new Promise((resolve) => setImmediate(resolve))
  printLine(log, 'migrating 0001_foundation.sql')
  await new Promise<void>((resolve) => log.flush(() => resolve()))
  closeSync(fd)
  return stripVTControlCharacters(readFileSync(path, 'utf8')).split('\n')
}

test('at a terminal log lines are formatted for people, and other output is unchanged', async () => {
  expect(await written(true)).toEqual([
    expect.stringMatching(/^\[\d\d:\d\d:\d\d\] WARN: look here \{"number":3,"apiKey":"\[secret\]"\}$/),
    expect.stringMatching(/^\[\d\d:\d\d:\d\d\] INFO: request \{"method":"GET","status":200\}$/),
    'migrating 0001_foundation.sql',
    '',
  ])
})

test('otherwise the log is JSON, one object for each line', async () => {
  const lines = await written(false)
  expect(lines.slice(0, 2).map((line) => JSON.parse(line))).toEqual([
    { level: 40, time: expect.any(String), number: 3, apiKey: '[secret]', msg: 'look here' },
    { level: 30, time: expect.any(String), method: 'GET', status: 200, msg: 'request' },
  ])
  expect(lines[2]).toBe('migrating 0001_foundation.sql')
})
