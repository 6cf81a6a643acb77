/**
 * The pages that the guides show. After a change of the pages, renew the pictures, and look at each:
 *
 *   PICTURES=docs/guides/pictures npm test -- test/browser/guide-pictures.test.ts
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { photoId } from '../support/post-media.ts'
import { makeReceivers } from '../support/receiver.ts'
import { signInByLink } from '../support/sessions.ts'
import { connectSocial } from '../support/social-shop.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { type GuideStory, NAME, playStory, storyClock } from './guide-story.ts'
import { picture } from './picture.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SCREEN = {
  viewport: { width: 1280, height: 800 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
  timezoneId: 'Asia/Kolkata',
} as const

/** Returns 9:30 in India on the next second Tuesday of a month: a calendar is best in the middle of a month. */
function tuesdayAfter(now: Date): Date {
  const day = new Date(now)
  day.setUTCHours(4, 0, 0, 0)
  do day.setUTCDate(day.getUTCDate() + 1)
  while (day.getUTCDay() !== 2 || day.getUTCDate() < 8 || day.getUTCDate() > 14)
  return day
}

describe.skipIf(!hasChromium)('the pictures of the guides', () => {
  const clock = storyClock()
  let receivers: Awaited<ReturnType<typeof makeReceivers>>
  let parley: TestParley
  let browser: Browser
  let story: GuideStory
  let context: BrowserContext
  let page: Page
  let faults: string[]
  const pictured: string[] = []
  beforeAll(async () => {
    receivers = await makeReceivers()
    parley = await boot({ clock, env: receivers.env })
    const receiver = await receivers.open()
    ;[story, browser] = await Promise.all([playStory(parley, clock, receiver), launch()])
    context = await profileOf(browser, parley, story.session, SCREEN)
    ;({ page, faults } = await openPage(context))
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
    await receivers?.close()
  })

  const open = async (path: string, heading: string | RegExp, workspaceId = story.shop.workspaceId) => {
    await page.goto(`/w/${workspaceId}/${path}`)
    await page.getByRole('heading', { name: heading }).first().waitFor({ state: 'attached' })
  }
  const choose = async (field: string, option: string) => {
    await page.getByRole('combobox', { name: field, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
    await page.getByRole('listbox').waitFor({ state: 'detached' })
  }
  /** Takes the picture of a complete page: nothing loads, and no notice covers a part. */
  const take = async (name: string) => {
    await page.locator('[role=status][aria-label=Loading]').first().waitFor({ state: 'detached' })
    expect(await page.getByRole('region', { name: 'Notifications' }).getByRole('dialog').count()).toBe(0)
    await page.locator('nav [aria-current=page]').first().scrollIntoViewIfNeeded()
    await picture(page, name)
    pictured.push(`${name}.png`)
    expect(faults).toEqual([])
  }

  test('chats', async () => {
    await open(`inbox/${story.ids.asha}`, 'Chats')
    await page.getByRole('log').getByText('It does, 80 cm, unstitched.').waitFor()
    await page.getByText('Regular customer. Prefers silk').waitFor()
    await page.getByRole('textbox', { name: 'Message' }).fill("Wonderful, we'll reserve it until")
    await page.getByRole('link', { name: /Asha Rao.*Draft: Wonderful/ }).waitFor()
    await take('inbox')

    await open(`inbox/${story.ids.nisha}`, 'Chats')
    await page.getByRole('button', { name: 'Choose a template' }).click()
    await page
      .getByRole('dialog')
      .getByRole('option', { name: /order_update/ })
      .click()
    await page.getByLabel('Value for {{1}}').fill('Nisha')
    await page.getByLabel('Value for {{2}}').fill('BL-1057')
    await page.getByRole('dialog').getByText('Hello Nisha, your order BL-1057 is ready.').waitFor()
    await take('template-sent')
  })

  test('leads and tasks', async () => {
    await open('leads', 'Leads')
    await page.getByRole('article', { name: 'Ananya Bose' }).getByText('₹65,000').waitFor()
    await take('leads')
    await open(`leads/${story.ids.lead}`, 'Asha Rao')
    await page.getByText('Wants the blue Paithani').waitFor()
    await page.getByText('Call about the blouse').first().waitFor()
    await take('lead')
    await open('tasks', 'Tasks')
    await choose('Show', 'All tasks')
    await page.getByRole('tab', { name: /Overdue 2/ }).waitFor()
    await page.getByText('Meet at the shop').waitFor()
    await take('tasks')
  })

  test('templates and campaigns', async () => {
    await open('templates/new', 'New template')
    await page.getByLabel('Name', { exact: true }).fill('wedding_preview')
    await choose('Category', 'Marketing')
    await page.getByLabel('Footer text').fill('Reply STOP to opt out')
    await page
      .getByLabel('Text', { exact: true })
      .fill('Hello {{1}}, see our bridal silks before everyone else: Saturday from 5, with tea.')
    await page.getByLabel('Example for {{1}}').fill('Asha')
    await page.getByLabel('Preview on a phone').getByText('Hello Asha, see our bridal silks').waitFor()
    await page.getByText('Must not be empty.').waitFor({ state: 'detached' })
    await take('template')

    await open('campaigns/new', 'New campaign')
    await page.getByLabel('Name', { exact: true }).fill('Wedding silks')
    await page.getByLabel('Has any of these tags').fill('wedding')
    await page.getByLabel('Has any of these tags').press('Enter')
    await page.getByRole('button', { name: 'Remove wedding' }).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('combobox', { name: 'Template' }).click()
    await page.getByRole('option', { name: /^wedding_silks/ }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page
      .getByRole('list', { name: 'Checks' })
      .getByText('4 customers have never messaged you or opted in.')
      .waitFor()
    await take('campaign-gates')

    await open(`campaigns/${story.ids.campaign}`, 'Wedding preview')
    await page.getByText('Sent', { exact: true }).first().waitFor()
    await page.getByRole('row', { name: /Tanvi Mehta.*Skipped – Opted out/ }).waitFor()
    await take('campaign')
  })

  test('automations and bots', async () => {
    await open('automations/new', 'Create automation')
    await page.getByLabel('Name', { exact: true }).fill('First call for leads of the website')
    const conditions = page.getByRole('region', { name: 'If', exact: true })
    await conditions.getByRole('button', { name: 'Add condition' }).click()
    await choose('Field', 'Lead: source')
    await conditions.getByLabel('Value').fill('website')
    const steps = page.getByRole('region', { name: 'Then' })
    for (const step of ['Create task', 'Add tags']) {
      await steps.getByRole('button', { name: 'Add step' }).click()
      await page.getByRole('menuitem', { name: step, exact: true }).click()
    }
    await steps.getByLabel('Title').fill('Call {{lead.name}}')
    await choose('Tags: Add', 'silk')
    const testing = page.getByRole('region', { name: 'Test', exact: true })
    await testing.getByRole('button', { name: 'Run test' }).click()
    await testing.getByText('The automation would start.').waitFor()
    await steps.evaluate((section: { scrollIntoView(at: object): void }) =>
      section.scrollIntoView({ block: 'end' }),
    )
    await take('automations')

    await open(`bots/${story.ids.bot}`, 'Front desk')
    await page.getByRole('button', { name: /^On \{\{answers/, expanded: false }).click()
    await page.getByRole('button', { name: 'Start with “menu”' }).click()
    const phone = page.getByRole('log', { name: 'Preview chat' })
    await phone.getByRole('button', { name: 'Tap Opening hours' }).click()
    await phone.getByText('For which day?').waitFor()
    const line = page.getByRole('textbox', { name: 'Message as the customer' })
    await line.fill('next week')
    await line.press('Enter')
    await phone.getByText('Not understood').waitFor()
    await line.fill(new Date(clock.now().getTime() + 6 * DAY_MS).toISOString().slice(0, 10))
    await line.press('Enter')
    await phone.getByText('The bot has stopped.').waitFor()
    await take('bot')
  })

  test('members and documents', async () => {
    await open('members', 'Members')
    await page.getByRole('row', { name: /Kabir Khan.*Invited until/ }).waitFor()
    await take('members')
    await open(`invoices/${story.ids.invoice}`, /^INV\//)
    await page.getByText('Partly paid').waitFor()
    await take('invoice')
    await open(`quotations/${story.ids.quotation}`, 'Quotation')
    await page.locator('dl[aria-label="Summary"]').getByText('₹65,100.00').waitFor()
    await take('quotation')
  })

  test('the sandbox, events, and webhooks', async () => {
    await open('sandbox', 'Sandbox')
    await page
      .getByRole('log', { name: /Asha Rao/ })
      .getByText("Yes please. I'll come")
      .waitFor()
    await page.getByText(/^Workspace time: /).waitFor()
    await take('sandbox')

    await open('events?event=message.received', 'Event log')
    await page.getByRole('list', { name: 'Events' }).getByRole('button').first().click()
    await page
      .getByText(/"I can come to the shop on Saturday/)
      .first()
      .waitFor()
    await page
      .getByRole('row', { name: /Delivered · 200/ })
      .first()
      .waitFor()
    await take('events')

    await open(`webhooks/${story.ids.webhook}`, 'Webhooks')
    const deliveries = page.getByRole('table', { name: 'Deliveries' })
    await deliveries.getByRole('row', { name: /Failed · 500/ }).waitFor()
    await deliveries.getByRole('row', { name: /invoice\.issued Delivered · 200/ }).waitFor()
    await page.getByText(/The old secret also signs for another/).waitFor()
    await take('webhook')
    await deliveries.getByRole('button', { name: 'message.received' }).first().click()
    const delivery = page.getByRole('dialog', { name: 'message.received' })
    await delivery.getByText('Signed with the previous secret').first().waitFor()
    await delivery.getByText('Check the signature in your endpoint').click()
    await delivery.getByText('Use the raw bytes of the body.').waitFor()
    await take('signature')
  })

  // Last, because it moves the clock by weeks.
  test('the calendar of posts', async () => {
    clock.aheadMs += tuesdayAfter(clock.now()).getTime() - clock.now().getTime()
    const plain = await parley.workspace({
      name: NAME,
      timezone: 'Asia/Kolkata',
      ownerName: 'Meera Iyer',
      ownerEmail: 'meera@blue-lotus.example',
    })
    const shop = await connectSocial(parley, plain, clock)
    const morning = clock.now().getTime()
    for (const [caption, hours] of [
      ['New handlooms', 0],
      ['Wedding silks', 30],
      ['Behind the loom', 54],
      ['Five drapes', 57],
      ['Sunday offer', 120],
      ['Customer story', 192],
    ] as const) {
      const when = new Date(morning + hours * HOUR_MS).toISOString()
      const post = { kind: 'image', caption, media: [await photoId(shop)] }
      const timing = hours === 0 ? { action: 'publish' } : { action: 'schedule', scheduledAt: when }
      expect((await shop.post('/social/posts', { ...post, ...timing })).status).toBe(201)
    }
    const { workspaceId } = shop
    const session = await signInByLink(parley, { workspaceId, memberId: shop.ownerId }, clock.now())
    const other = await profileOf(browser, parley, session, SCREEN)
    // Only in a sandbox do pages follow the server's clock.
    await other.clock.setSystemTime(clock.now())
    ;({ page, faults } = await openPage(other))
    await open('social/calendar', 'Social', workspaceId)
    await page.getByRole('button', { name: /^New handlooms .*Published/ }).waitFor()
    await page.getByRole('button', { name: /^Customer story .*Scheduled/ }).waitFor()
    await take('calendar')
    await other.close()
  })

  test('are all that the guides have', () => {
    const stored = readdirSync(join(import.meta.dirname, '../../docs/guides/pictures'))
    expect(new Set(pictured)).toEqual(new Set(stored))
  })
})
