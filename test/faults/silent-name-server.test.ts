/**
 * Name servers that answer nothing (docs/reliability.md rows 12 and 15): the system's own lookups hang for many seconds on threads of
 * the process, and endpoints with other names get their events all the same. Needs root and mount namespaces; says so elsewhere.
 */
import { spawnSync } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordFigures } from '../support/fault-run.ts'
import { openAdmin, openShops } from '../support/load.ts'
import { makeReceivers } from '../support/receiver.ts'
import { type Installation, newInstallation, type ServerProcess } from '../support/server-process.ts'
import { until } from '../support/until.ts'

/** As many as a workspace may have, but for the sound one. */
const DEAD = 24
/** The system gives such a name up after ten seconds, a connection is given up after five. */
const WHILE_THEY_HANG_MS = 4_500
const NAME_SERVER = '127.0.0.153'

const possible = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0
if (!possible)
  recordFigures({
    rows: '12',
    what: 'silent name server',
    rounds: 0,
    note: 'NOT RUN: needs root and mount namespaces',
  })

describe.skipIf(!possible)('name servers that answer nothing', () => {
  let nameServer: Socket
  let receivers: Awaited<ReturnType<typeof makeReceivers>>
  let installation: Installation
  let server: ServerProcess
  const folder = mkdtempSync(join(tmpdir(), 'parley-names-'))
  const asked = new Set<string>()
  beforeAll(async () => {
    nameServer = createSocket('udp4').bind(53, NAME_SERVER)
    nameServer.on('message', (question) => asked.add(/dead-\d+/.exec(question.toString('latin1'))?.[0] ?? ''))
    await once(nameServer, 'listening')
    const resolv = join(folder, 'resolv.conf')
    writeFileSync(resolv, `nameserver ${NAME_SERVER}\n`)
    const elsewhere = `mount --bind ${resolv} /etc/resolv.conf && exec "$0" "$@"`
    receivers = await makeReceivers()
    installation = await newInstallation(receivers.env, ['unshare', '--mount', 'sh', '-c', elsewhere])
    server = await installation.start()
  })
  afterAll(async () => {
    await installation?.remove()
    await receivers?.close()
    nameServer?.close()
    rmSync(folder, { recursive: true })
  })

  test('delay nobody whose name is known', async () => {
    const admin = openAdmin(installation.databaseUrl())
    const [shop] = await openShops(admin, server.url, 1)
    await admin.close()
    const sound = await receivers.open()
    const urls = Array.from({ length: DEAD }, (_, i) => `https://dead-${i}.example/hook`)
    for (const answer of await Promise.all(
      [...urls, sound.url].map((url) => shop!.post('/webhooks', { url, event: 'contact.created' })),
    ))
      expect(answer.status, answer.text).toBe(201)
    await until(() => asked.size === DEAD, 'each of the names was looked up')
    asked.clear()
    expect((await shop!.post('/contacts', { phone: '+919830000001' })).status).toBe(201)
    const [first] = await sound.wait(1, WHILE_THEY_HANG_MS)
    expect(first!.body.event).toBe('contact.created')
    await until(() => asked.size === DEAD, 'the others are tried, too')
    recordFigures({ rows: '12', what: 'silent name server', rounds: 1, note: `${DEAD} names hang` })
  })
})
