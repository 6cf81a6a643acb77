// Calls can request every field that the operator publishes for an object; unknown fields are errors.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Body } from '../../../../test/support/boot.ts'
import schema from '../graph-schema.json' with { type: 'json' }
import { startSimulator } from '../start.ts'
import type { SimulatedObject } from '../store.ts'
import { changeTemplate } from '../stored-templates.ts'
import { createTimerStore } from '../timer-store.ts'

const number = { operatorId: '106', accountId: '102', token: 'token-1', displayNumber: '919812345678' }
const store = createTimerStore({
  numbers: [number],
  callbackUrl: 'http://127.0.0.1:9',
  appSecret: 's',
  clock: { now: () => new Date('2026-06-01T09:30:00.000Z'), monotonicMs: () => 0 },
  after: () => () => {},
})
let simulator: Awaited<ReturnType<typeof startSimulator>>
let templateId: string

beforeAll(async () => {
  simulator = await startSimulator({ store, port: 0, host: '127.0.0.1' })
  templateId = (
    await call('POST', '102/message_templates', {
      name: 'order_ok',
      language: 'en_US',
      category: 'UTILITY',
      sub_category: 'ORDER_STATUS',
      message_send_ttl_seconds: 600,
      cta_url_link_tracking_opted_out: 'true',
      components: [{ type: 'BODY', text: 'On its way.' }],
    })
  ).body.id
})
afterAll(async () => {
  store.close()
  await simulator.close()
})

async function call(method: string, path: string, body?: object) {
  const answer = await fetch(`${simulator.url}/v24.0/${path}`, {
    method,
    headers: { authorization: 'Bearer token-1', 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Body }
}

const addresses: Record<keyof typeof schema.nodes, () => string[]> = {
  WhatsAppBusinessPhoneNumber: () => ['106', '102/phone_numbers'],
  WhatsAppBusinessAccount: () => ['102'],
  WhatsAppMessageTemplate: () => [templateId, '102/message_templates'],
  WhatsAppBusinessFlow: () => ['8102', '102/flows'],
  WhatsAppBusinessProfile: () => ['106/whatsapp_business_profile'],
}

describe.each(Object.entries(schema.nodes))('%s', (type, { fields, expansions }) => {
  const paths = () => addresses[type as keyof typeof addresses]()

  test('every published field can be requested', async () => {
    for (const path of paths()) {
      expect(await call('GET', `${path}?fields=${fields.join()}`)).toMatchObject({ status: 200 })
      const nonsense = await call('GET', `${path}?fields=${fields[0]},colour`)
      expect(nonsense).toMatchObject({
        status: 400,
        body: {
          error: {
            code: 100,
            message: `(#100) Tried accessing nonexistent field (colour) on node type (${type})`,
          },
        },
      })
    }
  })

  test('a field of another object is rejected as unavailable', async () => {
    const played = [
      'phone_numbers',
      'message_templates',
      'flows',
      'subscribed_apps',
      'block_users',
      'whatsapp_business_profile',
      'payment_configurations',
    ]
    for (const name of expansions.filter((expansion) => !played.includes(expansion)))
      expect(await call('GET', `${paths()[0]}?fields=id,${name}.limit(5){id}`)).toMatchObject({
        status: 400,
        body: { error: { code: 100, message: `(#100) The field ${name} is not available in the sandbox.` } },
      })
  })
})

test('a number has the fields that clients read', async () => {
  const fields = [
    'last_onboarded_time',
    'certificate',
    'new_name_status',
    'search_visibility',
    'is_preverified_number',
    'host_platform',
    'country_dial_code',
    'country_code',
    'is_on_biz_app',
    'whatsapp_business_manager_messaging_limit',
  ]
  expect((await call('GET', `106?fields=${fields}`)).body).toEqual({
    id: '106',
    last_onboarded_time: '2026-06-01T09:30:00+0000',
    certificate: expect.stringMatching(/^[\w+/=]{20,}$/),
    new_name_status: 'NONE',
    search_visibility: 'HIDDEN',
    is_preverified_number: false,
    host_platform: 'CLOUD_API',
    country_dial_code: '91',
    country_code: 'IN',
    is_on_biz_app: true,
    whatsapp_business_manager_messaging_limit: 'TIER_250',
  })
})

test('an account has the fields that clients read', async () => {
  const fields =
    'country,status,ownership_type,health_status,owner_business_info,whatsapp_business_manager_messaging_limit'
  expect((await call('GET', `102?fields=${fields}`)).body).toEqual({
    id: '102',
    country: 'IN',
    status: 'ACTIVE',
    ownership_type: 'SELF_OWNED',
    health_status: { can_send_message: 'AVAILABLE', entities: expect.any(Array) },
    owner_business_info: { id: expect.any(String), name: 'Sandbox' },
    whatsapp_business_manager_messaging_limit: 'TIER_250',
  })
})

test('a template has its settings and the history of its category', async () => {
  const findTemplate = async () => (await store.find(templateId)) as SimulatedObject
  await changeTemplate(store, number, await findTemplate(), { category: 'MARKETING', impending: true })
  const fields =
    'category,previous_category,correct_category,sub_category,cta_url_link_tracking_opted_out,message_send_ttl_seconds'
  expect((await call('GET', `${templateId}?fields=${fields}`)).body).toEqual({
    id: templateId,
    category: 'UTILITY',
    correct_category: 'MARKETING',
    sub_category: 'ORDER_STATUS',
    cta_url_link_tracking_opted_out: true,
    message_send_ttl_seconds: 600,
  })
  await changeTemplate(store, number, await findTemplate(), { category: 'MARKETING' })
  expect(
    (await call('GET', `${templateId}?fields=category,previous_category,correct_category`)).body,
  ).toEqual({
    id: templateId,
    category: 'MARKETING',
    previous_category: 'UTILITY',
  })
})
