/** Journey 14: an endpoint that fails, its deliveries sent again, replayed, and its secret rotated. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { makeReceivers, signatureBy } from '../support/receiver.ts'
import { signIn } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'

describe.skipIf(!hasChromium)('webhooks', () => {
  let receivers: Awaited<ReturnType<typeof makeReceivers>>
  let parley: TestParley
  let browser: Browser
  beforeAll(async () => {
    receivers = await makeReceivers()
    parley = await boot({ env: receivers.env })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
    await receivers?.close()
  })

  test('an endpoint is added, fails, gets its deliveries again, and gets another secret', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const receiver = await receivers.open()
    const phone = () => `+9198${String(Math.random()).slice(2, 10)}`
    const [failing, missed] = [phone(), phone()]
    await shop.post('/contacts', { phone: phone() })
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/webhooks`)

    // The list is empty; an endpoint is added, for one event, and its secret is shown once.
    await page.getByText('No endpoints yet').waitFor()
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    const form = page.getByRole('dialog', { name: 'Add endpoint' })
    await form.getByRole('button', { name: 'Add endpoint' }).click()
    await form.getByText('Enter the URL that receives the events.').waitFor()
    await form.getByLabel('URL').fill('http://shop.example/hook')
    await form.getByRole('button', { name: 'Add endpoint' }).click()
    await form.getByText(/https/).last().waitFor()
    await form.getByLabel('URL').fill(receiver.url)
    await form.getByRole('switch').click()
    await form.getByLabel('Search events').fill('contact')
    await form.getByRole('checkbox', { name: 'contact.created' }).click()
    await form.getByRole('button', { name: 'Add endpoint' }).click()
    const secret = page.getByRole('dialog', { name: 'Signing secret' })
    const first = (await secret.locator('code').textContent()) as string
    await secret.getByRole('button', { name: "I've stored it" }).click()

    // A test event arrives.
    await page.getByRole('button', { name: 'Send test event' }).click()
    const deliveries = page.getByRole('table', { name: 'Deliveries' })
    await deliveries.getByRole('row', { name: /webhook\.test Delivered · 200/ }).waitFor()

    // A delivery fails; its attempt shows the answer, and is sent again.
    receiver.answer(500)
    await shop.post('/contacts', { phone: failing })
    await receiver.wait(2)
    await page.getByRole('tab', { name: 'Failed' }).click()
    await deliveries.getByRole('button', { name: 'contact.created' }).first().click()
    const delivery = page.getByRole('dialog', { name: 'contact.created' })
    await delivery.getByText('HTTP 500').waitFor()
    await delivery.getByLabel('Event data').getByText(failing).waitFor()
    expect(await delivery.getByLabel('A similar request, unsigned:').textContent()).toContain(receiver.url)
    // The page shows the signed bytes and the secret that signs; the secret itself is not shown.
    const sent = receiver.received[1]!
    expect(await delivery.getByLabel('Signed content').textContent()).toBe(
      `${sent.headers['x-webhook-timestamp']}.${sent.raw}`,
    )
    const values = delivery.getByRole('list', { name: 'x-webhook-signature', exact: true })
    await values.getByText(signatureBy(first, sent)).waitFor()
    await values.getByText('Signed with the current secret').waitFor()
    expect(await delivery.textContent()).not.toContain(first)
    await delivery.getByText('Check the signature in your endpoint').click()
    const program = (await delivery.getByLabel('Example code').textContent()) as string
    const { isFromParley } = await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(program)}`
    )
    expect([
      isFromParley(sent.raw, sent.headers, first),
      isFromParley(`${sent.raw} `, sent.headers, first),
      isFromParley(sent.raw, sent.headers, `${first}x`),
      isFromParley(sent.raw, { ...sent.headers, 'x-webhook-timestamp': '1700000000' }, first),
      isFromParley(sent.raw, { 'x-webhook-timestamp': sent.headers['x-webhook-timestamp'] }, first),
    ]).toEqual([true, false, false, false, false])
    receiver.answer(200)
    await delivery.getByRole('button', { name: 'Send again' }).click()
    await page.getByRole('tab', { name: 'Delivered' }).click()
    await deliveries.getByRole('row', { name: /contact\.created Delivered · 200 Sent manually/ }).waitFor()

    await page.getByText(/Latest \d attempts: [1-9] failed\. Median response time: \d+ ms\./).waitFor()

    // A paused endpoint misses events; a replay sends the missed events, and none from before its
    // registration.
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await shop.post('/contacts', { phone: missed })
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Replay events' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click()
    await page.getByText('Sending 1 event again').waitFor()
    await deliveries.getByRole('row', { name: /Replay, attempt 1/ }).waitFor()

    // The secret is rotated: both sign, and the page shows the remaining time of the old one.
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Rotate secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    const second = await secret.locator('code').textContent()
    expect(second).not.toBe(first)
    await secret.getByRole('button', { name: "I've stored it" }).click()
    await page.getByText(/The old secret also signs for another (2\dh|1d)/).waitFor()
    const receivedBefore = receiver.received.length
    await page.getByRole('button', { name: 'Send test event' }).click()
    await receiver.wait(receivedBefore + 1)
    await page.getByRole('tab', { name: 'All' }).click()
    const tests = deliveries.getByRole('button', { name: 'webhook.test' })
    await tests.nth(1).waitFor()
    await tests.first().click()
    const signed = page.getByRole('dialog', { name: 'webhook.test' })
    const signatures = signed
      .getByRole('list', { name: 'x-webhook-signature', exact: true })
      .getByRole('listitem')
    await signatures.nth(1).waitFor()
    // The earlier failed delivery may be retried in between.
    const testEvent = receiver.received.findLast(
      ({ headers }) => headers['x-webhook-event'] === 'webhook.test',
    )!
    expect(await signatures.allTextContents()).toEqual([
      `${signatureBy(second!, testEvent)}Signed with the current secret`,
      `${signatureBy(first, testEvent)}Signed with the previous secret`,
    ])
    await signed.getByText('Accept the request if either matches.').waitFor()
    await page.keyboard.press('Escape')

    // The event log shows the deliveries of an event.
    await page.goto(`/w/${shop.workspaceId}/events`)
    await page.getByRole('combobox', { name: 'Event type' }).click()
    await page.getByRole('option', { name: 'contact.created' }).click()
    // The filter is in the address.
    await page.waitForURL(/event=contact\.created$/)
    await page.reload()
    await page.getByRole('combobox', { name: 'Event type' }).getByText('contact.created').waitFor()
    const events = page.getByRole('list', { name: 'Events' })
    await events.getByRole('button').nth(1).click()
    await page.getByRole('row', { name: /Failed · 500/ }).waitFor()
    await page.getByRole('row', { name: /Delivered · 200 Sent manually/ }).waitFor()

    // It is deleted.
    await page.goBack()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No endpoints yet').waitFor()
    // The console reports the rejected address.
    expect(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([])
    await context.close()
  })

  test('own headers are entered once, kept by later changes, and never shown', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const receiver = await receivers.open()
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/webhooks`)
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    const form = page.getByRole('dialog', { name: 'Add endpoint' })
    await form.getByLabel('URL').fill(receiver.url)
    await form.getByRole('button', { name: 'Add header' }).click()
    await form.getByLabel('Name of header 1').fill('Cookie')
    await form.getByLabel('Value of header 1').fill('key-1')
    await form.getByRole('button', { name: 'Add endpoint' }).click()
    await form.getByText('Must not be a header that Parley or the connection sets.').waitFor()
    await form.getByLabel('Name of header 1').fill('X-Key')
    expect(await looked(page, 'webhook-headers')).toEqual([])
    await form.getByRole('button', { name: 'Add endpoint' }).click()
    await page.getByRole('button', { name: "I've stored it" }).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit endpoint' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit endpoint' })
    expect(await edit.getByLabel('Value of header 1').inputValue()).toBe('')
    await edit.getByPlaceholder('Stored. Enter a new value to replace it.').waitFor()
    await edit.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Endpoint saved').waitFor()
    await page.getByRole('button', { name: 'Send test event' }).click()
    expect((await receiver.wait(1))[0]!.headers['x-key']).toBe('key-1')
    await context.close()
  })

  test('a secret whose answer was lost is shown by trying again: of a new endpoint, and of a rotation', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const receiver = await receivers.open()
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/webhooks`)
    const lost = new Map<string, string>()
    await page.route(/\/api\/v1\/webhooks(\/[^/]+\/rotate)?$/, async (route) => {
      const request = route.request()
      if (request.method() !== 'POST' || lost.has(request.url())) return route.continue()
      // The request arrives, and the answer is lost.
      const answer = await route.fetch()
      lost.set(request.url(), (await answer.json()).secret)
      await route.abort('connectionreset')
    })
    const secrets = () => [...lost.values()]
    const cut = page.getByText("The server can't be reached.").first()
    const shown = page.getByRole('dialog', { name: 'Signing secret' })

    await page.getByRole('button', { name: 'Add endpoint' }).click()
    const form = page.getByRole('dialog', { name: 'Add endpoint' })
    await form.getByLabel('URL').fill(receiver.url)
    await form.getByRole('button', { name: 'Add endpoint' }).click()
    await cut.waitFor()
    await form.getByRole('button', { name: 'Add endpoint' }).click()
    expect(await shown.locator('code').textContent()).toBe(secrets()[0])
    await shown.getByRole('button', { name: "I've stored it" }).click()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Rotate secret' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rotate the signing secret?' })
    await dialog.getByRole('button', { name: 'Rotate secret' }).click()
    await cut.waitFor()
    await dialog.getByRole('button', { name: 'Rotate secret' }).click()
    expect(await shown.locator('code').textContent()).toBe(secrets()[1])
    await context.close()
  })
})
