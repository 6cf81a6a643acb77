/**
 * Name servers that stop answering (docs/reliability.md rows 12 and 15). The domains of many endpoints fail
 * in the same seconds. Endpoints with other names still get their events, and the process stops immediately
 * on request. Needs root and mount namespaces; elsewhere skipped with a notice.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordFigures } from '../support/fault-run.ts'
import { openAdmin, openShops } from '../support/load.ts'
import { type NameServer, startNameServer } from '../support/name-server.ts'
import { makeReceivers } from '../support/receiver.ts'
import { type Installation, newInstallation, type ServerProcess } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const SHOPS = 4
/**
 * As many endpoints as a workspace may have in each, minus the working endpoint: more than the threads of a
 * process that resolve names.
 */
const DYING = 24
/** The service gives up a connection after five seconds. */
const WHILE_THEY_HANG_MS = 4_500
const NAME_SERVER = '127.0.0.153'
/** With these settings the system would wait for minutes. */
const SETTINGS = `nameserver ${NAME_SERVER}\noptions timeout:30 attempts:5\n`
/** A stop takes some seconds while calls hang; with threads that resolve names it would take minutes. */
const WITHOUT_THREADS_MS = 30_000
const SOUND = 'hooks.sound.example'

const possible = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0
if (!possible)
  recordFigures({
    rows: '12',
    fault: 'silent name server',
    rounds: 0,
    note: 'NOT RUN: needs root and mount namespaces',
  })

describe.skipIf(!possible)('name servers that answer nothing', () => {
  let names: NameServer
  let receivers: Awaited<ReturnType<typeof makeReceivers>>
  let installation: Installation
  let server: ServerProcess
  const folder = mkdtempSync(join(tmpdir(), 'parley-names-'))
  const countLookUps = () => new Set(names.asked.filter((name) => name.endsWith('.dying.example'))).size
  beforeAll(async () => {
    names = await startNameServer(
      { 'dying.example': ['127.0.0.1'], [SOUND]: ['127.0.0.1'] },
      { address: NAME_SERVER, port: 53 },
    )
    const resolv = join(folder, 'resolv.conf')
    writeFileSync(resolv, SETTINGS)
    const command = `mount --bind ${resolv} /etc/resolv.conf && exec "$0" "$@"`
    receivers = await makeReceivers(SOUND)
    installation = await newInstallation(receivers.env, ['unshare', '--mount', 'sh', '-c', command])
    server = await installation.start()
  })
  afterAll(async () => {
    await installation?.remove()
    await receivers?.close()
    names?.close()
    rmSync(folder, { recursive: true })
  })

  test('delay no endpoint whose name is known, and not the end of the process', async () => {
    const admin = openAdmin(installation.databaseUrl())
    const shops = await openShops(admin, server.url, SHOPS)
    await admin.close()
    const sound = await receivers.open()
    const soundUrl = sound.url.replace('localhost', SOUND)
    const register = async (shop: (typeof shops)[number], url: string) => {
      const answer = await shop.post('/webhooks', { url, event: 'contact.created' })
      expect(answer.status, answer.text).toBe(201)
    }
    await Promise.all(
      shops.flatMap((shop, s) =>
        Array.from({ length: DYING }, (_, i) => register(shop, `https://n${s}-${i}.dying.example:9/hook`)),
      ),
    )
    await register(shops[0]!, soundUrl)
    names.set({ 'dying.example': 'silent' })
    names.asked.length = 0
    for (const [i, shop] of shops.entries())
      if (i > 0) expect((await shop.post('/contacts', { phone: '+919830000001' })).status).toBe(201)
    await until(() => countLookUps() === (SHOPS - 1) * DYING, 'the look-ups of the other names hang')
    expect((await shops[0]!.post('/contacts', { phone: '+919830000001' })).status).toBe(201)
    const [first] = await sound.wait(1, WHILE_THEY_HANG_MS)
    expect(first!.body.event).toBe('contact.created')
    await until(() => countLookUps() === SHOPS * DYING, 'the other deliveries are tried too')
    const ended = await Promise.race([
      server.end('SIGTERM'),
      wait(WITHOUT_THREADS_MS, undefined, { ref: false }),
    ])
    expect(ended, 'no thread waits for a name').toEqual({ code: 0, signal: null })
    recordFigures({ rows: '12', fault: 'silent name server', rounds: 1, note: `${SHOPS * DYING} names hang` })
  })
})
