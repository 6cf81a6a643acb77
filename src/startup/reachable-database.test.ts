import { expect, test } from 'vitest'
import { createTestDatabase } from '../../test/support/database.ts'
import { readConfig } from '../config.ts'
import { requireReachableDatabase } from './reachable-database.ts'

const asked = (env: Record<string, string>) => requireReachableDatabase(readConfig(env, '/'))

test('a database that cannot be reached is reported by the name of its variable, without its password', async () => {
  const { url, drop } = await createTestDatabase()
  try {
    await asked({})
    await asked({ DATABASE_URL: url, PARLEY_LISTEN_DATABASE_URL: url })
    const away = 'postgres://parley:secret-word@127.0.0.1:1/parley'
    const fault = await asked({ DATABASE_URL: away, PARLEY_LISTEN_DATABASE_URL: away }).catch(
      (error) => error,
    )
    expect(fault.faults).toEqual([
      'DATABASE_URL: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
      'PARLEY_LISTEN_DATABASE_URL: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
    ])
    const missing = new URL(url)
    missing.pathname = '/nowhere'
    await expect(asked({ DATABASE_URL: missing.href })).rejects.toThrow(
      'DATABASE_URL: the database cannot be reached: database "nowhere" does not exist',
    )
    await expect(asked({ DATABASE_URL: `${url}&sslrootcert=/no/ca.pem` })).rejects.toThrow(
      "DATABASE_URL: the database cannot be reached: ENOENT: no such file or directory, open '/no/ca.pem'",
    )
  } finally {
    await drop()
  }
})
