/** The first steps of a workspace are checked off from its real data, while the page is open. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { signIn, signInByLink } from '../support/sessions.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

describe.skipIf(!hasChromium)('the first steps', () => {
  let parley: TestParley
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  test('an empty inbox links to them; each is checked off when it is done', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page, faults } = await openPage(context)
    // An owner who came by a link is asked for a password or passkey before everything else.
    await page.goto('/')
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    await page.getByText('You signed in by a link, which works once.').waitFor()
    await page.getByRole('button', { name: 'Save sign-in' }).waitFor()
    await picture(page, 'steps-by-link')
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    await page.getByRole('link', { name: 'Finish setup' }).click()
    await page.getByText('1 of 5 done').waitFor()
    const steps = page.getByRole('list', { name: 'First steps' })
    const isDone = (title: string) =>
      steps.getByRole('listitem').filter({ hasText: title }).getByRole('img', { name: 'Done', exact: true })
    // The next step is highlighted, and each step names its action.
    const next = steps.locator('[aria-current=step]')
    await next.getByText('Send a test message').waitFor()
    expect(await next.count()).toBe(1)
    await steps.getByRole('link', { name: 'Open phone' }).waitFor()
    await isDone('Connect a number').waitFor()
    // The steps are a page of their own. A key is only for developers.
    await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor()
    expect(await page.getByRole('navigation', { name: 'Sections' }).count()).toBe(0)
    expect(await steps.getByText('Create an API key').count()).toBe(0)
    await page
      .getByRole('list', { name: 'For developers' })
      .getByRole('listitem')
      .filter({ hasText: 'Create an API key' })
      .getByRole('img', { name: 'Done', exact: true })
      .waitFor()
    expect((await violationsOf(page)).map(({ id }) => id)).toEqual([])

    await shop.inbound('+919812345601', 'Is the blue one in stock?')
    await isDone('Send a test message').waitFor()
    await shop.post('/send', { to: '+919812345601', type: 'text', text: 'Yes, in every size.' })
    await shop.advance(1)
    await isDone('Answer the chat').waitFor()
    const invited = { name: 'Meera', email: 'meera@example.com', role: 'agent' }
    expect((await session.post('/api/dashboard/members', invited)).status).toBe(201)
    await isDone('Invite a member').waitFor()
    await page.getByText('4 of 5 done').waitFor()
    // The form above the steps is the only way to the sign-in.
    expect(await steps.getByRole('link', { name: 'Set up sign-in' }).count()).toBe(0)
    await picture(page, 'steps')

    // Email and password are set together, on the same page.
    await page.getByRole('button', { name: 'Save sign-in' }).click()
    await page.getByText('Enter your email').waitFor()
    await page.getByLabel('Your name').fill('Meera Iyer')
    await page.getByLabel('Email').fill('owner@example.com')
    await page.getByLabel('New password').fill('a long enough phrase of the owner')
    await page.getByRole('button', { name: 'Save sign-in' }).click()
    await page.getByText('5 of 5 done').waitFor()
    expect(await page.getByRole('button', { name: 'Save sign-in' }).count()).toBe(0)
    // The placeholder email is gone from the profile too.
    await page.goto(`/w/${shop.workspaceId}/profile`)
    await page.getByRole('button', { name: 'Change password' }).waitFor()
    expect(await page.getByText(/This is a placeholder email/).count()).toBe(0)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await page.goto(`/w/${shop.workspaceId}/settings/start`)
    await page.getByText('5 of 5 done').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await picture(page, 'steps-phone')
    expect(faults).toEqual([])
    await context.close()
  })

  test('from the link to an answered message in three clicks, with the phone next to the inbox', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session, { timezoneId: 'Europe/Berlin' })
    const { page, faults } = await openPage(context)
    await page.goto('/')
    // The workspace takes the time zone of the device.
    await page.getByText('Opening hours, reports, and schedules use the time in Asia/Kolkata.').waitFor()
    await page.getByRole('button', { name: 'Use Europe/Berlin' }).click()
    await page.getByText(/use the time in/).waitFor({ state: 'detached' })
    const phone = page.getByRole('dialog', { name: 'Sandbox phone' })
    await page.getByRole('link', { name: 'Open phone' }).click()
    await phone.getByLabel('Message as Asha Rao').fill('Is the blue one in stock?')
    await phone.getByLabel('Message as Asha Rao').press('Enter')
    await page.getByRole('link', { name: /Asha Rao/ }).click()
    const field = page.getByRole('textbox', { name: 'Message', exact: true })
    await field.fill('Yes, in every size.')
    await picture(page, 'steps-phone-beside')
    await field.press('Enter')
    await phone.getByText('Yes, in every size.').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('opening hours: the week, a night in one line, a holiday, invalid hours, and a viewer', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const { page, faults } = await openPage(await profileOf(browser, parley, session))
    await page.goto(`/w/${shop.workspaceId}/settings/hours`)
    await page.getByRole('button', { name: 'Add hours on Monday' }).click()
    await page.getByLabel('Monday: from').fill('10:00')
    await page.getByLabel('Monday: to').fill('13:30')
    await page.getByRole('button', { name: 'Add hours on Monday' }).click()
    await page.getByLabel('Monday: to').nth(1).fill('00:00')
    await page.getByRole('button', { name: 'Copy to weekdays' }).click()
    await page.getByRole('button', { name: 'Remove 13:30 to 00:00 on Friday' }).click()
    await page.getByRole('button', { name: 'Add day' }).click()
    const save = page.getByRole('button', { name: 'Save' })
    await save.click()
    await page.getByText('Choose a date.').waitFor()
    await page.getByLabel('Date', { exact: true }).fill('2026-12-25')
    await page.getByLabel('Friday: from').fill('13:30')
    await page.getByText('Enter two different times.').waitFor()
    await page.getByLabel('Friday: from').fill('10:00')
    await page.getByRole('button', { name: 'Add hours on Friday' }).click()
    await page.getByLabel('Friday: from').nth(1).fill('20:00')
    await page.getByLabel('Friday: to').nth(1).fill('04:00')
    await page.getByText('next day').waitFor()
    await page.getByRole('button', { name: 'Add hours on Saturday' }).click()
    await page.getByLabel('Saturday: from').fill('03:00')
    await page.getByText('These hours overlap the hours of the next day.').waitFor()
    await page.getByRole('button', { name: 'Remove 03:00 to 18:00 on Saturday' }).click()
    await save.click()
    await page.getByText('Opening hours saved').waitFor()
    const { businessHours } = (await shop.get('/business-hours')).body
    expect(businessHours).toMatchObject({
      timeZone: 'Asia/Kolkata',
      overrides: [{ date: '2026-12-25', ranges: [] }],
    })
    const day = (number: number): string[] =>
      businessHours.weekly
        .filter((hours: { day: number }) => hours.day === number)
        .map((hours: { from: string; to: string }) => `${hours.from}-${hours.to}`)
    expect([day(1), day(4), day(5), day(6)]).toEqual([
      ['10:00-13:30', '13:30-24:00'],
      ['10:00-13:30', '13:30-24:00'],
      ['10:00-13:30', '20:00-04:00'],
      [],
    ])
    expect(await page.getByLabel('Friday: to').nth(1).inputValue()).toBe('04:00')
    expect(await page.getByText('next day').count()).toBe(1)
    await expect.poll(() => save.isDisabled()).toBe(true)
    await picture(page, 'hours', { whole: true })
    // Another admin's change appears; a viewer sees no button.
    const agent = (await openPage(await profileOf(browser, parley, await signIn(parley, shop, 'agent')))).page
    await agent.goto(`/w/${shop.workspaceId}/settings/hours`)
    expect(await agent.getByLabel('Friday: from').first().isDisabled()).toBe(true)
    expect(await agent.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Add hours on Sunday' }).click()
    await save.click()
    await agent.getByLabel('Sunday: from').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    expect((await violationsOf(page)).map(({ id }) => id)).toEqual([])
    await page.getByText('next day').scrollIntoViewIfNeeded()
    await picture(page, 'hours-phone')
    expect(faults).toEqual([])
    await Promise.all([page.context().close(), agent.context().close()])
  })
})
