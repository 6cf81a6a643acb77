import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openServerLog } from './embedded-log.ts'

test.skipIf(!existsSync('/dev/full'))(
  "lines that a full disk doesn't accept are kept in memory, and no error is thrown",
  () => {
    const log = openServerLog('/dev/full')
    log.write(Buffer.from('could not extend file\n'))
    log.write(Buffer.from('database system is shut down\n'))
    expect(log.tail()).toBe('could not extend file\ndatabase system is shut down')
    log.close()
  },
)
