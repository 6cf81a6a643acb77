import { once } from 'node:events'
import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { campaignsOf, makeContacts } from '../../../../test/support/campaigns.ts'
import { openAdmin } from '../../../../test/support/load.ts'
import { systemClock } from '../../../core/clock.ts'
import { type OutsideContext, platformContext } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { listWorkspacesById } from '../../platform/workspaces/queries/workspaces.ts'
import { exportRecipients } from './operations/export-recipients.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

/** Creates a finished campaign with `count` recipients who have long names. */
async function bigCampaign(count: number): Promise<{ shop: TestWorkspace; id: string }> {
  const shop = await parley.workspace({ sandbox: true })
  const campaigns = await campaignsOf(parley, shop)
  const { id } = (await campaigns.create()).body
  await parley.system(async (tx) => {
    await tx.sql(
      `insert into contacts (workspace_id, id, phone, display_name, created_at, updated_at)
       select $1, ('0197a1b2-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '+9180' || lpad(n::text, 8, '0'),
              repeat('दीप', 60), $2, $2 from generate_series(1, $3::int) n`,
      [shop.workspaceId, new Date(), count],
    )
    await tx.sql(
      `insert into broadcast_recipients (workspace_id, broadcast_id, contact_id, state, reason)
       select $1, $2, id, 'skipped', 'opted_out' from contacts where workspace_id = $1`,
      [shop.workspaceId, id],
    )
  })
  return { shop, id }
}

/** Returns the response of a GET without reading its body. */
async function unread(shop: TestWorkspace, path: string) {
  const request = get(`${parley.url}/api/v1${path}`, { headers: { authorization: `Bearer ${shop.key}` } })
  const [response] = await once(request, 'response')
  return response as import('node:http').IncomingMessage
}

describe('GET /broadcasts/{id}/recipients?format=csv', () => {
  test('contains the same recipients as the pages, by status too, as a file', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const campaigns = await campaignsOf(parley, shop)
    const ids = await makeContacts(shop, 4, { optInStatus: 'opted_in' })
    await shop.patch(`/contacts/${ids[3]}`, { optInStatus: 'opted_out', displayName: 'Asha "A", Rao' })
    const { id } = (await campaigns.create({ sendNow: true })).body
    await shop.advance(60)
    const people = await campaigns.people(id)
    const file = await shop.get(`/broadcasts/${id}/recipients?format=csv`)
    expect(file.status).toBe(200)
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="recipients-${id}.csv"`,
      'ratelimit-limit': expect.any(String),
    })
    const lines = file.text.split('\r\n')
    expect(lines[0]).toBe('contactId,phone,name,status,reason,messageId,errorCode,response')
    expect(lines.slice(1)).toEqual([
      ...[...people.values()]
        .slice(0, 3)
        .map((person) => `${person.contactId},'${person.phone},,read,,${person.messageId},,none`),
      `${ids[3]},'+919000000003,"Asha ""A"", Rao",skipped,opted_out,,,`,
      '',
    ])
    const skipped = await shop.get(`/broadcasts/${id}/recipients?format=csv&status=skipped`)
    expect(skipped.text).toBe(`${lines[0]}\r\n${lines[4]}\r\n`)
    expect((await shop.get(`/broadcasts/${id}/recipients?format=xml`)).status).toBe(400)
  })

  test('cells that a spreadsheet would run are prefixed: = + - @ in either width, after white space too, TAB, CR, LF; cells with other separators are quoted', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const campaigns = await campaignsOf(parley, shop)
    const evil = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t1',
      '\r1',
      '\n1',
      '  =1',
      '＝1',
      '＋1',
      '－1',
      '＠1',
      'a=1',
      'a;=1+1',
      'a\t=1+1',
    ]
    const ids = await makeContacts(shop, evil.length, { optInStatus: 'opted_in' })
    // Customers choose such names in their own profiles.
    for (const [i, name] of evil.entries())
      await parley.system((tx) =>
        tx.sql('update contacts set profile_name = $3 where workspace_id = $1 and id = $2', [
          shop.workspaceId,
          ids[i],
          name,
        ]),
      )
    const { id } = (await campaigns.create({ sendNow: true })).body
    await shop.advance(60)
    const { text } = await shop.get(`/broadcasts/${id}/recipients?format=csv`)
    for (const name of evil) {
      const cell = name.startsWith('a') ? name : `'${name}`
      expect(text).toContain(`,${/[;\t\r\n]/.test(cell) ? `"${cell}"` : cell},read,`)
    }
  })

  test('has the same rights as the list', async () => {
    const { shop, id } = await bigCampaign(1)
    const other = await parley.workspace({ sandbox: true })
    const path = `/broadcasts/${id}/recipients?format=csv`
    expect((await (await shop.as('viewer')).get(path)).status).toBe(200)
    expect((await (await shop.as('admin', { scopes: ['contacts:read'] })).get(path)).status).toBe(403)
    const [foreign, missing] = [await other.get(path), await other.get(path.replace(id, newId()))]
    expect([foreign.status, foreign.body.error]).toEqual([404, 'not_found'])
    expect(foreign.body).toEqual(missing.body)
  })

  test('is created while it is read: a slow reader gets no pieces ahead of time', async () => {
    const { shop, id } = await bigCampaign(40_000)
    const response = await unread(shop, `/broadcasts/${id}/recipients?format=csv`)
    // About twenty megabytes. Network buffers take only a fraction of this.
    await parley.system((tx) =>
      tx.sql(
        `update contacts set display_name = 'changed meanwhile' where workspace_id = $1 and phone = '+918000040000'`,
        [shop.workspaceId],
      ),
    )
    let [lines, bytes, tail] = [0, 0, '']
    response.setEncoding('utf8')
    for await (const chunk of response) {
      bytes += Buffer.byteLength(chunk)
      lines += chunk.split('\n').length - 1
      tail = (tail + chunk).slice(-200)
    }
    expect([lines, tail.endsWith(',changed meanwhile,skipped,opted_out,,,\r\n')]).toEqual([40_001, true])
    expect(bytes).toBeGreaterThan(20_000_000)
  })

  test('reads a piece when there is room for it, in its own transaction, and ends when the client disconnects', async () => {
    const { shop, id } = await bigCampaign(5_000)
    const database = openAdmin(parley.databaseUrl)
    const workspace = (await listWorkspacesById(database.query, [shop.workspaceId]))[0]!
    let transactions = 0
    const transaction: OutsideContext['transaction'] = (work) => {
      transactions++
      return database.tenant(workspace, (unit) => work(platformContext(unit, workspace, systemClock)))
    }
    const { text } = await exportRecipients(transaction, id, {})
    const pieces = text[Symbol.asyncIterator]()
    await pieces.next()
    expect(transactions).toBe(1)
    expect((await pieces.next()).value.split('\n')).toHaveLength(1_001)
    expect(transactions).toBe(2)
    await pieces.return?.()
    expect(await pieces.next()).toEqual({ done: true, value: undefined })
    expect(transactions).toBe(2)
    await database.close()
    // The same through the public API: after a client disconnects, the next request works.
    const response = await unread(shop, `/broadcasts/${id}/recipients?format=csv`)
    response.destroy()
    expect((await shop.get(`/broadcasts/${id}/recipients?limit=1`)).status).toBe(200)
  })
})
