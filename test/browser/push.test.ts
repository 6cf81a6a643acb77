/** Push notifications on a phone: shown while no page is visible, with actions, and a badge. */
import { createECDH, randomBytes } from 'node:crypto'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { DASHBOARD, type Browser as Session, signIn } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  serviceWorkers: 'allow',
} as const

/** Chromium of a test has no push service: the page gets a subscription of a made-up one. */
const subscription = () => {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  return { p256dh: keys.getPublicKey('base64'), auth: randomBytes(16).toString('base64') }
}
const withPushService = ({ p256dh, auth }: ReturnType<typeof subscription>) => `
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer
  const made = {
    endpoint: 'https://push.example.com/send/1',
    getKey: (name) => bytes(name === 'auth' ? ${JSON.stringify(auth)} : ${JSON.stringify(p256dh)}),
    unsubscribe: async () => true,
  }
  PushManager.prototype.subscribe = async () => made
  PushManager.prototype.getSubscription = async () => null`

/**
 * Chromium without a display shows no notifications: the worker notes them. Its pages count as hidden, and a
 * click by a program may not focus them.
 */
const NOTED = `
  self.shown = []
  registration.showNotification = async (title, { body, tag, data }) => void self.shown.push({ title, body, tag, data })
  const matchAll = clients.matchAll.bind(clients)
  clients.matchAll = async (options) =>
    (await matchAll(options)).map((client) => ({
      url: client.url,
      visibilityState: 'hidden',
      focus: async () => client,
      postMessage: (message) => client.postMessage(message),
    }))`

describe.skipIf(!hasChromium)('push notifications', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    browser = await launch()
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound('+919812345678', 'Is the blue one in stock?', { name: 'Asha Rao' })
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  type Phone = { context: BrowserContext; page: Page; faults: string[]; session: Session }
  const open = async (path: string): Promise<Phone> => {
    const session = await signIn(parley, shop, 'agent')
    const context = await profileOf(browser, parley, session, PHONE)
    await context.grantPermissions(['notifications'], { origin: parley.url })
    await context.addInitScript({ content: withPushService(subscription()) })
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/${path}`)
    return { context, page, faults, session }
  }
  const textsArrived = (page: Page) =>
    until(
      async () =>
        (await page.evaluate(`caches.match(location.origin + '/texts').then((kept) => !!kept)`)) === true,
      'the worker has its texts',
    )
  const chatOf = async (name: string): Promise<Body> =>
    (await shop.get('/conversations')).body.conversations.find((chat: Body) => chat.contact.name === name)
  const payloadOf = (chat: Body, more: object = {}) => ({
    id: randomBytes(8).toString('hex'),
    workspaceId: shop.workspaceId,
    kind: 'message',
    subjectId: chat.id,
    parentId: null,
    title: chat.contact.name,
    actor: null,
    text: 'Is the blue one in stock?',
    replyTo: null,
    unread: 3,
    ...more,
  })
  const worker = ({ context }: Phone) => context.serviceWorkers()[0]!
  /** Delivers a push to the worker, and waits for its notification. */
  const deliver = async (phone: Phone, payload: object): Promise<Body> => {
    await worker(phone).evaluate(`{${NOTED}}
      dispatchEvent(Object.assign(new Event('push'), {
        data: { json: () => (${JSON.stringify(payload)}) },
        waitUntil: () => {},
      }))`)
    await until(
      async () => (await worker(phone).evaluate('self.shown.length')) === 1,
      'the notification is shown',
    )
    return worker(phone).evaluate('self.shown[0]')
  }
  /** Presses the notification, or one of its actions, as the system does. */
  const press = (phone: Phone, action = '', reply?: string) =>
    worker(phone).evaluate(`dispatchEvent(Object.assign(new Event('notificationclick'), {
      notification: { data: self.shown[0].data, close: () => {} },
      action: ${JSON.stringify(action)},
      reply: ${JSON.stringify(reply)},
      waitUntil: () => {},
    }))`)

  test('are turned on for this device, with what they show and quiet hours', async () => {
    const { context, page, faults, session } = await open('profile')
    await page.getByRole('switch', { name: 'Notify me on this device' }).click()
    await page.getByRole('switch', { name: 'Notify me on this device', checked: true }).waitFor()
    const { subscriptions } = (await session.get(`${DASHBOARD}/push`)).body
    expect(subscriptions).toMatchObject([{ current: true }])
    await page.getByRole('switch', { name: 'Show message text' }).click()
    await page.getByRole('checkbox', { name: 'Sunday' }).click()
    await page.getByLabel('Sunday: quiet from').fill('00:00')
    await page.getByLabel('Sunday: quiet until').fill('00:00')
    await page.getByRole('button', { name: 'Save quiet hours' }).click()
    await page.getByText('Quiet hours saved').first().waitFor()
    await page.getByRole('heading', { name: 'Push notifications' }).scrollIntoViewIfNeeded()
    await picture(page, 'push-profile')
    expect((await session.get(`${DASHBOARD}/preferences`)).body.preferences.push).toMatchObject({
      text: false,
      quiet: { weekly: [{ day: 7, from: '00:00', to: '24:00' }] },
    })
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('switch', { name: 'Notify me on this device' }).click()
    await page.getByRole('switch', { name: 'Notify me on this device', checked: false }).waitFor()
    expect((await session.get(`${DASHBOARD}/push`)).body.subscriptions).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })

  test('a notification opens its chat; Resolve resolves it, once', async () => {
    const phone = await open('tasks')
    const { context, page, faults } = phone
    await textsArrived(page)
    const chat = await chatOf('Asha Rao')
    expect(await deliver(phone, payloadOf(chat))).toMatchObject({
      title: 'Asha Rao',
      body: 'Is the blue one in stock?',
      tag: `message ${chat.id}`,
    })
    await press(phone)
    await page.waitForURL((url) => url.pathname.endsWith(`/inbox/${chat.id}`))
    await page.getByRole('log', { name: 'Messages with Asha Rao' }).waitFor()

    await deliver(phone, payloadOf(chat))
    await press(phone, 'resolve')
    await until(async () => (await chatOf('Asha Rao')).state === 'resolved', 'the chat is resolved')
    expect(faults).toEqual([])
    await context.close()
  })

  test('a typed reply is sent; without a text, Reply opens the chat with the composer', async () => {
    await shop.inbound('+919812345679', 'When do you open?', { name: 'Binoy Das' })
    const phone = await open('tasks')
    const { context, page, faults } = phone
    await textsArrived(page)
    const chat = await chatOf('Binoy Das')
    const payload = payloadOf(chat, {
      replyTo: { to: '+919812345679', phoneNumberId: shop.phoneNumberId },
    })
    await deliver(phone, payload)
    await press(phone, 'reply', 'At ten.')
    await until(
      async () =>
        JSON.stringify((await shop.get(`/messages?conversationId=${chat.id}`)).body).includes('At ten.'),
      'the reply is sent',
    )
    await deliver(phone, payload)
    await press(phone, 'reply')
    await page.waitForURL((url) => url.pathname.endsWith(`/inbox/${chat.id}`))
    await page.getByRole('textbox', { name: 'Message' }).and(page.locator(':focus')).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })
})
