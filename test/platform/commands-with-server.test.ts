/** Commands next to a running server: they use its address without its environment. */
import { expect, onTestFinished, test } from 'vitest'
import { SECRET_KEY } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { createTestDatabase } from '../support/database.ts'
import { newInstallation } from '../support/server-process.ts'

test('a sign-in link and calls of the API go to the address of the server that runs in the data directory', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const installation = await newInstallation({
    DATABASE_URL: database.url,
    PARLEY_SMTP: 'smtp://mail.example.com',
  })
  onTestFinished(installation.remove)
  const server = await installation.start()
  expect(server.output()).toContain(`Dashboard      http://localhost:${installation.port}/`)
  const env = {
    PARLEY_DATA_DIR: installation.dataDir,
    DATABASE_URL: database.url,
    PARLEY_SECRET_KEY: SECRET_KEY,
  }
  const runJson = async (...words: string[]) =>
    JSON.parse((await runParley([...words, '--json'], env)).stdout)
  const [{ id }] = (await runJson('workspace', 'list')).workspaces
  const [member] = (await runJson('member', 'list', '--workspace', id)).members
  const { url } = await runJson('sign-in', '--member', member.id ?? member.memberId)
  expect(url).toMatch(new RegExp(`^http://localhost:${installation.port}/sign-in/`))
  expect((await fetch(url.replace('localhost', '127.0.0.1'), { redirect: 'manual' })).status).toBeLessThan(
    400,
  )
  const key = (await runJson('key', 'create', '--workspace', id, '--role', 'admin')).apiKey
  expect(await runJson('events', 'tail', '--key', key)).toMatchObject({ events: expect.any(Array) })
  // An explicit address has priority.
  const siteEnv = { ...env, PARLEY_SITE_URL: 'https://parley.example' }
  const other = await runParley(['sign-in', '--member', member.id ?? member.memberId, '--json'], siteEnv)
  expect(JSON.parse(other.stdout).url).toMatch(/^https:\/\/parley\.example\//)
  // Without PARLEY_SCHEMA, a command uses the cell of the server.
  const created = await runParley(['cell', 'create', 'beside'], env)
  expect(created).toMatchObject({ code: 0 })
  await server.end('SIGTERM')
  await installation.start(undefined, { PARLEY_SCHEMA: 'beside' })
  const [sandbox, ...others] = (await runJson('workspace', 'list')).workspaces
  expect(others).toEqual([])
  expect(sandbox.id).not.toBe(id)
  // Without the server's database a command would open a different one.
  const result = await runParley(['workspace', 'list'], { PARLEY_DATA_DIR: installation.dataDir })
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('Set DATABASE_URL') })
})
