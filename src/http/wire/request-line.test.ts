import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { infoLines, openLog } from '../../logging/log.ts'
import { fieldsOf, type RequestLine } from './request-line.ts'

const ANSWERED: RequestLine = {
  requestId: 'order-1:retry.2',
  method: 'POST',
  route: '/api/v1/contacts/:id/tags',
  status: 200,
  ms: 8.6,
}
const LINES: [what: string, RequestLine][] = [
  ['of a route without a key', ANSWERED],
  ['of a key', { ...ANSWERED, workspaceId: 'w', keyId: 'k' }],
  [
    'of a member who was refused',
    { ...ANSWERED, status: 403, workspaceId: 'w', memberId: 'm', error: 'forbidden' },
  ],
]

test.each(LINES)('the fields of a request %s are those of the object', (_, line) => {
  expect(JSON.parse(`{${fieldsOf(line)}}`)).toEqual(line)
})

test('a line of fields is identical to the log line of the object, and follows the log level', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-lines-'))
  const path = join(folder, 'log')
  const line = { ...ANSWERED, workspaceId: 'w', keyId: 'k' }
  for (const level of ['info', 'warn'] as const) {
    const log = openLog(level, openSync(path, 'a'))
    log.info(line, 'request')
    infoLines(log)(fieldsOf(line), 'request')
    await new Promise(setImmediate)
    await new Promise((written) => log.flush(written))
  }
  const [whole, ofFields, ...more] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((text) => ({ ...JSON.parse(text), time: 'now' }))
  expect(ofFields).toEqual(whole)
  expect(ofFields).toMatchObject({ level: 30, msg: 'request', ...line })
  expect(more, 'of the level that is off').toEqual([])
  rmSync(folder, { recursive: true })
})
