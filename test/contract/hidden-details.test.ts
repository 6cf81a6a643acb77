/**
 * Hidden phone numbers and email addresses: no reply to a caller from whom an owner hides them contains one
 * (src/modules/platform/access/DECISIONS.md "Hidden numbers and email addresses").
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { DASHBOARD_ENDPOINTS } from '../../src/catalog.ts'
import { maskOf } from '../../src/core/customer-details.ts'
import { type Endpoint, isWrite } from '../../src/core/endpoint.ts'
import { boot, type Client, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { newLines } from '../support/sales.ts'
import { arrange, arranging, newPhone } from './arrange.ts'
import { KEYED, named, nameOf } from './requests.ts'

const ARRANGING = await arranging()

let parley: TestParley
let shop: TestWorkspace
let agent: Client
beforeAll(async () => {
  parley = await boot(ARRANGING)
})
// Some buckets are small.
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
  await shop.set({ detailsHiddenFrom: ['viewer', 'agent'] })
  agent = await shop.as('agent', { memberId: shop.ownerId })
})
afterAll(() => parley?.close())

const OPEN: Endpoint[] = KEYED.filter((value) => value.role !== 'admin')

/** Returns every number and address of a customer that the workspace stores, as a reply could contain it. */
const storedDetails = async (): Promise<string[]> => {
  const rows = await parley.system((tx) =>
    tx.sql<{ detail: string | null }>(
      `select phone as detail from contacts where workspace_id = $1 and phone like '+%'
     union select email from leads where workspace_id = $1
     union select customer ->> 'phone' from bookings where workspace_id = $1
     union select customer ->> 'email' from bookings where workspace_id = $1
     union select customer ->> 'phone' from sales_documents where workspace_id = $1
     union select customer ->> 'email' from sales_documents where workspace_id = $1
       union select phone from orders where workspace_id = $1`,
      [shop.workspaceId],
    ),
  )
  // A number may also be written without its plus sign.
  return rows.flatMap(({ detail }) => (detail ? [detail.replace(/^\+/, '')] : []))
}

const detailsIn = async (text: string): Promise<string[]> =>
  (await storedDetails()).filter((detail) => text.includes(detail))

/** Gives every customer of the workspace an email address, and a lead, so that replies have something to show. */
async function addDetails(): Promise<void> {
  const { contacts } = (await shop.get('/contacts?limit=20')).body
  for (const { phone } of contacts)
    if (phone.startsWith('+'))
      await shop.post('/leads', { phone, email: `customer${phone.slice(1)}@example.com` })
}

/** Endpoints whose arranged reply shows an admin a number or an address. Other replies of the same shapes are covered too. */
const shownToAdmins = new Set<string>()

describe('a key from which details are hidden', () => {
  test.each(named(OPEN))('%s shows it no number or address of a customer', async (name, value) => {
    const { path, body } = await arrange(value, shop)
    if (!isWrite(value)) {
      await addDetails()
      if ((await detailsIn((await shop.call(value.method, path)).text)).length > 0) shownToAdmins.add(name)
    }
    const answer = await agent.call(value.method, path, body)
    // Options that do more require a higher role.
    if (answer.body.required !== 'admin') expect(answer.status, answer.text).toBeLessThan(400)
    expect(await detailsIn(answer.text)).toEqual([])
  })

  test('the replies to an admin contain them', () => {
    for (const name of [
      'GET /contacts',
      'GET /contacts/:id',
      'GET /contacts/:id/overview',
      'GET /conversations',
      'GET /conversations/:id',
      'GET /leads',
      'GET /leads/:id',
      'GET /tasks',
      'GET /events',
      'GET /bookings',
      'GET /bookings/:id',
      'GET /orders',
    ])
      expect([...shownToAdmins], name).toContain(name)
  })
})

describe('files', () => {
  const recipientsOf = async (path: string) => ({ path: `${path}?format=csv` })
  test('a CSV file shows masked numbers', async () => {
    const value = KEYED.find((endpoint) => nameOf(endpoint) === 'GET /broadcasts/:id/recipients')!
    const { path } = await recipientsOf((await arrange(value, shop)).path.split('?')[0]!)
    const [whole, masked] = [await shop.get(path), await agent.get(path)]
    expect((await detailsIn(whole.text)).length).toBeGreaterThan(0)
    expect(await detailsIn(masked.text)).toEqual([])
    expect(masked.text).toContain('•')
  })

  test('a document for printing shows the masked number', async () => {
    const phone = newPhone()
    const value = KEYED.find((endpoint) => nameOf(endpoint) === 'GET /sales-invoices/:id')!
    const { path } = await arrange(value, shop)
    const customer = { name: 'Asha Rao', phone, email: 'asha.rao@example.com' }
    const body = { customer, lines: newLines(), issue: true }
    const { id } = (await shop.post('/sales-invoices', body)).body.invoice
    const page = `${path.replace(/[^/]+$/, id)}?format=html`
    expect((await shop.get(page)).text).toContain(phone)
    const { text } = await agent.get(page)
    expect(text).not.toContain(phone.slice(1))
    expect(text).not.toContain('asha.rao@example.com')
    expect(text).toContain(`•${phone.slice(-2)}`)
  })
})

describe('schemas', () => {
  const DETAIL = /^(phone|e164|email|customerName)$/
  /** Members, the seller of documents, and the text of an automation's action: not customers. */
  const OTHERS = /(^|\.)(members|owner|seller|actions)(\[\])?\.(phone|email)$/

  /** Returns the paths of fields whose names say that they are details, with a value to mask. */
  function* detailFields(schema: z.ZodType, path = '', seen = new Set<z.ZodType>()): Generator<string> {
    if (seen.has(schema)) return
    const inside = new Set([...seen, schema])
    if (schema instanceof z.ZodObject)
      for (const [name, field] of Object.entries(schema.def.shape)) {
        const fieldPath = path === '' ? name : `${path}.${name}`
        if (DETAIL.test(name) && maskOf(field as z.ZodType) === undefined && !OTHERS.test(fieldPath))
          yield fieldPath
        else yield* detailFields(field as z.ZodType, fieldPath, inside)
      }
    else if (schema instanceof z.ZodArray)
      yield* detailFields(schema.element as z.ZodType, `${path}[]`, inside)
    else if (schema instanceof z.ZodUnion)
      for (const option of schema.options) yield* detailFields(option as z.ZodType, path, inside)
    else {
      const { innerType } = schema.def as { innerType?: z.ZodType }
      if (innerType) yield* detailFields(innerType, path, inside)
    }
  }

  const OPEN_PAGES = DASHBOARD_ENDPOINTS.filter(({ role, kind }) => role !== 'admin' && kind !== 'account')
  test.each(named([...OPEN, ...OPEN_PAGES]))('%s marks every number and address of its reply', (_, value) => {
    for (const schema of Object.values(value.replies)) expect([...detailFields(schema)]).toEqual([])
  })
})
