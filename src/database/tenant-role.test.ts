import { randomUUID } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
import { SECRET_KEY } from '../../test/support/boot.ts'
import { runParley } from '../../test/support/command-line.ts'
import { onServer } from '../../test/support/global-setup.ts'
import { withDatabase } from './on-database.ts'

/** Creates a database of a user who may not create roles. */
async function databaseOfOtherUser(): Promise<{ url: string; user: string; adminUrl: string }> {
  const { adminUrl } = inject('testServer')
  const user = `user_${randomUUID().replaceAll('-', '')}`
  await onServer(adminUrl, `create role ${user} login password 'secret'`)
  await onServer(adminUrl, `create database ${user} owner ${user}`)
  onTestFinished(async () => {
    await onServer(adminUrl, `drop database ${user} with (force)`)
    await onServer(adminUrl, `drop role ${user}`)
  })
  const url = new URL(withDatabase(adminUrl, user))
  url.username = user
  url.password = 'secret'
  return { url: url.href, user, adminUrl }
}

test('a user who may not act as the tenant role gets an error before the start, with the grant to run', async () => {
  const { url, user, adminUrl } = await databaseOfOtherUser()
  const run = (args: string[]) => runParley(args, { DATABASE_URL: url, PARLEY_SECRET_KEY: SECRET_KEY })
  const refused = `The database user ${user} can't use the role parley_tenant`
  for (const args of [['migrate'], ['workspace', 'list']]) {
    const { code, stderr } = await run(args)
    expect([code, stderr]).toEqual([1, expect.stringContaining(refused)])
    expect(stderr).toContain(`grant parley_tenant to ${user}`)
  }
  const { checks } = JSON.parse((await run(['doctor', '--json'])).stdout)
  const failed = checks.filter(({ status }: { status: string }) => status === 'failed')
  expect(failed).toEqual([
    { name: 'row-level security', status: 'failed', detail: expect.stringContaining(refused) },
  ])

  await onServer(adminUrl, `grant parley_tenant to ${user}`)
  expect((await run(['workspace', 'list'])).code).toBe(0)
})

test('a user who may not create tables gets an error with the required rights', async () => {
  const { url, adminUrl, user } = await databaseOfOtherUser()
  await onServer(adminUrl, `alter database ${user} owner to ${new URL(adminUrl).username}`)
  const { code, stderr } = await runParley(['migrate'], { DATABASE_URL: url, PARLEY_SECRET_KEY: SECRET_KEY })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /The database user doesn't have a required privilege: permission denied for .*docs\/operating\.md/,
  )
})
