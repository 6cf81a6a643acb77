/** Journey 11: a task from its creation to its outcome. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signIn, signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

/** The time zone of the shop: in another, tomorrow may be a different day. */
const IN_INDIA = { timezoneId: 'Asia/Kolkata' }

const DUE_NOTE = "Days and due times use the time zone Asia/Kolkata. Other times use your device's time zone."

describe.skipIf(!hasChromium)('tasks', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  test('a viewer sees an open task as open, not as canceled', async () => {
    const viewed = await parley.workspace()
    const { lead } = (await viewed.post('/leads', { phone: '919812345603', name: 'Asha Rao' })).body
    const dueAt = new Date(Date.now() + 3 * 86_400_000).toISOString()
    await viewed.post('/tasks', { leadId: lead.id, title: 'Call back', type: 'call', dueAt })
    const context = await profileOf(browser, parley, await signIn(parley, viewed, 'viewer'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${viewed.workspaceId}/leads/${lead.id}`)
    const row = page.locator('[data-task]').filter({ hasText: 'Call back' })
    await row.waitFor()
    expect(await row.locator('.lucide-x').count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })

  test("the time zone of days and hours is shown if it is not the device's", async () => {
    const shop = await parley.workspace({ timezone: 'Asia/Kolkata' })
    await shop.set({ modules: ['bookings'] })
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    for (const timezoneId of ['America/St_Johns', 'Asia/Calcutta']) {
      const context = await profileOf(browser, parley, session, { timezoneId })
      const { page, faults } = await openPage(context)
      for (const [path, heading, note] of [
        ['tasks', 'Tasks', DUE_NOTE],
        ['leads', 'Leads', DUE_NOTE],
        ['bookings', 'Bookings', 'Days and times use the time zone Asia/Kolkata.'],
      ] as const) {
        await page.goto(`/w/${shop.workspaceId}/${path}`)
        await page.getByRole('heading', { name: heading, exact: true }).waitFor()
        await expect.poll(() => page.getByText(note).count()).toBe(timezoneId === 'Asia/Calcutta' ? 0 : 1)
      }
      expect(faults).toEqual([])
      await context.close()
    }
  })

  test("due times are in the workspace's time zone on every page, whatever the device's", async () => {
    const shop = await parley.workspace({ timezone: 'Asia/Kolkata' })
    const { lead } = (await shop.post('/leads', { phone: '919812345605', name: 'Asha Rao' })).body
    // 00:30 in India, and the day before in America.
    const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
    const dueAt = new Date(`${day}T00:30:00+05:30`).toISOString()
    await shop.patch(`/leads/${lead.id}`, { nextFollowUpAt: dueAt })
    const { task } = (
      await shop.post('/tasks', {
        leadId: lead.id,
        title: 'Call back',
        type: 'call',
        dueAt,
        assignee: shop.ownerId,
      })
    ).body
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session, { timezoneId: 'America/St_Johns' })
    const { page, faults } = await openPage(context)
    const shown = new Intl.DateTimeFormat('en-US', {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: 'numeric',
      minute: '2-digit',
      timeZone: 'Asia/Kolkata',
    }).format(new Date(dueAt))
    // The table of leads has the time twice: a phone shows it below the name.
    const times = page.locator(`time[datetime="${dueAt}"]`).filter({ visible: true })
    const texts = () => times.allTextContents()
    for (const path of ['tasks?group=upcoming', 'leads', 'leads?layout=table', `leads/${lead.id}`]) {
      await page.goto(`/w/${shop.workspaceId}/${path}`)
      await times.first().waitFor()
      expect(new Set(await texts())).toEqual(new Set([expect.stringContaining(shown.slice(0, 9))]))
      expect((await texts())[0]).toMatch(/12:30/)
    }
    // The field reads and writes the same zone. An open task would decide instead.
    await shop.patch(`/tasks/${task.id}`, { status: 'cancelled' })
    await page.reload()
    const field = page.getByLabel('Follow-up', { exact: true })
    expect(await field.inputValue()).toBe(`${day}T00:30`)
    await field.fill(`${day}T00:10`)
    await field.press('Enter')
    const earlier = new Date(`${day}T00:10:00+05:30`).toISOString()
    await expect
      .poll(async () => (await shop.get(`/leads/${lead.id}`)).body.lead.nextFollowUpAt)
      .toBe(earlier)
    expect(faults).toEqual([])
    await context.close()
  })

  test.each([
    ['on a desk', IN_INDIA, '919812345601'],
    [
      'on a phone',
      { ...IN_INDIA, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
      '919812345602',
    ],
  ])('are created, moved to tomorrow, and completed %s', async (place, options, phone) => {
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const name = `Asha Rao ${place}`
    const title = `Call back ${place}`
    await shop.post('/leads', { phone, name })
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session, options)
    const { page, faults } = await openPage(context)
    const taskOf = async () => (await shop.get(`/tasks?leadId=${phone}`)).body.tasks[0]
    await page.goto(`/w/${shop.workspaceId}/tasks?group=upcoming`)

    await page.getByRole('button', { name: 'Add task' }).first().click()
    await page.getByRole('option', { name }).click()
    await page.getByRole('textbox', { name: 'Task' }).fill(title)
    await page.getByRole('dialog').getByRole('button', { name: 'Add task' }).click()
    const row = page.locator('[data-task]').filter({ hasText: title })
    await row.waitFor()
    const task = await taskOf()
    expect(task).toMatchObject({ title, type: 'call', assignee: { id: shop.ownerId }, state: 'upcoming' })

    // Another day's task moves to tomorrow, at the same time of day.
    const later = new Date(Date.parse(task.dueAt) + 3 * 86_400_000).toISOString()
    await shop.patch(`/tasks/${task.id}`, { dueAt: later })
    await page.reload()
    await row.waitFor()
    if (place === 'on a desk') await page.keyboard.press('z')
    else {
      await row.getByRole('button', { name: `More actions for “${title}”` }).click()
      await page.getByRole('menuitem', { name: /Move to tomorrow/ }).click()
    }
    await expect.poll(async () => (await taskOf()).dueAt).toBe(task.dueAt)

    // It is completed with its outcome; the lead's timeline shows it.
    if (place === 'on a desk') await page.keyboard.press('d')
    else await row.getByRole('button', { name: `Complete “${title}”` }).click()
    await page.getByRole('textbox', { name: 'Outcome' }).fill('Sends the order today')
    await page.getByRole('button', { name: 'Complete task' }).click()
    await expect.poll(taskOf).toMatchObject({ status: 'done', outcome: 'Sends the order today' })
    await row.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: /Completed/ }).click()
    await row.getByText('Sends the order today').waitFor()
    await row.getByRole('link', { name }).click()
    await page.getByText('No open tasks.').waitFor()
    // On a phone, the parts of a lead are tabs.
    if (place === 'on a phone') await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByRole('region', { name: 'Timeline' }).getByText('Task completed').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('when the only task of the last page is completed, the page before it is shown', async () => {
    shop = await parley.workspace({ sandbox: true })
    const { lead } = (await shop.post('/leads', { phone: '919812345604', name: 'Asha Rao' })).body
    const dueAt = new Date(Date.now() + 3 * 86_400_000).toISOString()
    for (let index = 0; index <= 50; index++)
      await shop.post('/tasks', {
        leadId: lead.id,
        type: 'call',
        title: `Call ${index}`,
        dueAt,
        assignee: shop.ownerId,
      })
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session, IN_INDIA)
    const { page } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/tasks?group=upcoming&page=2`)
    await page.getByText('51 to 51 of 51').waitFor()
    await page.getByRole('button', { name: /^Complete “Call/ }).click()
    await page.getByRole('textbox', { name: 'Outcome' }).fill('Bought it')
    await page.getByRole('button', { name: 'Complete task' }).click()
    await expect.poll(() => page.locator('[data-task]').count()).toBe(50)
    await page.waitForURL(/group=upcoming$/)
    await context.close()
  })

  test('a task and a note whose answers were lost are there once', async () => {
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { lead } = (await shop.post('/leads', { phone: '919812345603', name: 'Asha Rao' })).body
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session, IN_INDIA)
    const { page } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/leads/${lead.id}`)
    const lost = new Set<string>()
    await page.route(/\/api\/v1\/(tasks|leads\/[^/]+\/notes)$/, async (route) => {
      const request = route.request()
      if (request.method() !== 'POST' || lost.has(request.url())) return route.continue()
      // The request arrives, and the answer is lost.
      lost.add(request.url())
      await route.fetch()
      await route.abort('connectionreset')
    })
    const cut = page.getByText("The server can't be reached.", { exact: false })

    await page.getByRole('button', { name: 'Add task' }).click()
    const form = page.getByRole('dialog', { name: 'Add task' })
    await form.getByRole('textbox', { name: 'Task' }).fill('Call back')
    await form.getByRole('button', { name: 'Add task' }).click()
    await form.getByRole('alert').getByText("The server can't be reached.").waitFor()
    await form.getByRole('button', { name: 'Add task' }).click()
    await form.waitFor({ state: 'detached' })
    expect((await shop.get('/tasks?leadId=919812345603')).body.tasks).toHaveLength(1)

    const note = page.getByRole('textbox', { name: 'Note' })
    await note.fill('Wants the blue one')
    await page.getByRole('button', { name: 'Add note' }).click()
    await cut.first().waitFor()
    expect(await note.inputValue()).toBe('Wants the blue one')
    await page.getByRole('button', { name: 'Add note' }).click()
    await expect.poll(() => note.inputValue()).toBe('')
    const { entries } = (await shop.get(`/leads/${lead.id}/timeline`)).body
    expect(entries.filter(({ kind }: { kind: string }) => kind === 'note')).toHaveLength(1)
    await context.close()
  })

  test("shown tasks stay when they can't be read again", async () => {
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.post('/leads', { phone: '919812345604', name: 'Asha Rao' })
    const task = { leadId: '919812345604', title: 'Call back', dueAt: '2030-01-01T10:00:00Z' }
    await shop.post('/tasks', task)
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session, IN_INDIA)
    const { page } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/tasks?group=upcoming&who=all`)
    const row = page.locator('[data-task]').filter({ hasText: 'Call back' })
    await row.waitFor()
    let failed = 0
    await page.route('**/api/v1/tasks?*', (route) => {
      failed++
      return route.abort('connectionrefused')
    })
    await shop.post('/tasks', { ...task, title: 'Call again' })
    // The changed row alone, then all rows, and four more times.
    await expect.poll(() => failed).toBeGreaterThanOrEqual(6)
    await page.keyboard.press('Shift+?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await row.count()).toBe(1)
    expect(await page.getByText("This couldn't be loaded").count()).toBe(0)
    await context.close()
  })
})
