/** The address of the database may lack the password. The Helm chart then gives it as PGPASSWORD, as a Secret has it. */
import { randomUUID } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
import { withDatabase } from '../../src/database/on-database.ts'
import { SECRET_KEY } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { onServer } from '../support/global-setup.ts'

test('PGPASSWORD is the password of an address without one, whatever its characters', async () => {
  const { adminUrl } = inject('testServer')
  const user = `user_${randomUUID().replaceAll('-', '')}`
  await onServer(adminUrl, `create role ${user} login createrole password 'a/b@c%d:e'`)
  await onServer(adminUrl, `create database ${user} owner ${user}`)
  onTestFinished(async () => {
    delete process.env.PGPASSWORD
    await onServer(adminUrl, `drop database ${user} with (force)`)
    await onServer(adminUrl, `drop role ${user}`)
  })
  const url = new URL(withDatabase(adminUrl, user))
  url.username = user
  url.password = ''
  const list = () =>
    runParley(['cell', 'list', '--json'], { DATABASE_URL: url.href, PARLEY_SECRET_KEY: SECRET_KEY })
  process.env.PGPASSWORD = 'another'
  expect(await list()).toMatchObject({ code: 1, stderr: expect.stringContaining('password') })
  process.env.PGPASSWORD = 'a/b@c%d:e'
  expect(await list()).toMatchObject({ code: 0 })
})
