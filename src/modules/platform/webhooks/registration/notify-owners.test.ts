import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { openMailServer } from '../../../../../test/support/mail-server.ts'
import { makeReceivers } from '../../../../../test/support/receiver.ts'
import { until } from '../../../../../test/support/until.ts'

let receivers: Awaited<ReturnType<typeof makeReceivers>>
let post: Awaited<ReturnType<typeof openMailServer>>
let parley: TestParley
beforeAll(async () => {
  receivers = await makeReceivers()
  post = await openMailServer()
  parley = await boot({ env: { ...receivers.env, ...post.env } })
})
afterAll(async () => {
  await parley.close()
  await receivers.close()
  post.close()
})

let people = 0
/** Creates a workspace whose endpoint is disabled because its receiver answered 410. */
async function switchedOff(ownerEmail?: string): Promise<TestWorkspace & { webhookId: string }> {
  const shop = await parley.workspace({ sandbox: true, ...(ownerEmail ? { ownerEmail } : {}) })
  const receiver = await receivers.open(410)
  const { body } = await shop.post('/webhooks', { url: receiver.url, event: 'contact.created' })
  await shop.post('/contacts', { phone: `+9198123${String(10_000 + people++)}` })
  await until(
    async () => (await shop.get('/webhooks')).body.webhooks[0].state === 'disabled',
    'the endpoint is disabled',
  )
  return { ...shop, webhookId: body.webhook.id }
}
const mailsTo = (address: string) => post.mails.filter((mail) => mail.to.includes(address))

test('owners are notified by mail when an endpoint is disabled automatically, with the reason', async () => {
  const shop = await switchedOff('owner@example.com')
  await until(() => mailsTo('owner@example.com').length > 0, 'the mail arrives')
  await shop.advance(3 * 86_400)
  const [mail, ...more] = mailsTo('owner@example.com')
  expect(more, 'once').toEqual([])
  expect(mail!.from).toBe('parley@example.com')
  expect(mail!.text, 'no machine answers it').toMatch(/^Auto-Submitted: auto-generated$/m)
  const text = mail!.text.replaceAll('=\n', '')
  expect(text).toContain(shop.webhookId)
  expect(text).toContain('410')
  expect(text, 'the way there').toContain(`/w/${shop.workspaceId}/webhooks/${shop.webhookId}`)
  expect(text, 'the path of an address may be a secret').not.toContain('/hook')
  const { activity } = (await shop.get('/activity?kind=webhook.disabled')).body
  expect(activity[0].data).toMatchObject({ webhookId: shop.webhookId })
})

test('a mail that the mail server refuses is tried again', async () => {
  post.refuse('451 later')
  const before = post.refused()
  const shop = await switchedOff('late@example.com')
  await until(() => post.refused() > before, 'the mail is rejected')
  post.refuse(null)
  await shop.advance(60)
  expect(mailsTo('late@example.com')).toHaveLength(1)
})

test('a member who resumed the endpoint meanwhile, or has left, is not notified', async () => {
  post.refuse('451 later')
  const before = post.refused()
  const shop = await switchedOff('resumed@example.com')
  await until(() => post.refused() > before, 'the mail is rejected')
  post.refuse(null)
  await shop.patch(`/webhooks/${shop.webhookId}`, { active: true })
  await shop.advance(3600)
  expect(mailsTo('resumed@example.com')).toEqual([])
})

test('an owner without an address gets no mail', async () => {
  const before = post.mails.length
  const shop = await switchedOff()
  await shop.advance(3600)
  expect(post.mails.length).toBe(before)
})
