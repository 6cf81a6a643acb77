/** The server writes its errors in English: pages show them in the reader's language, wherever an error appears. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import englishTexts from '../../dashboard/api/server-texts/en.json' with { type: 'json' }
import serverTexts from '../../dashboard/api/server-texts/es.json' with { type: 'json' }
import formTexts from '../../dashboard/forms/es.json' with { type: 'json' }
import taskTexts from '../../dashboard/tasks/es.json' with { type: 'json' }
import { automate, runsOf } from '../support/automations.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

describe.skipIf(!hasChromium)("the server's errors in Spanish", () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    browser = await launch()
    const member = await signIn(parley, shop, 'admin')
    expect((await member.patch('/api/dashboard/account', { language: 'es' })).status).toBe(200)
    page = (await openPage(await profileOf(browser, parley, member))).page
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  test('a list that does not load', async () => {
    // The request is sent with a wrong limit, so the server itself answers with the error.
    await page.route('**/api/v1/contacts?*', (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/limit=\d+/, 'limit=0'),
      }),
    )
    await page.goto(`/w/${shop.workspaceId}/contacts`)
    await page.locator('html[lang=es]').waitFor()
    await page.getByRole('alert').getByText(serverTexts['code.invalid']).waitFor()
    await picture(page, 'server-texts-failed')
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('a notice', async () => {
    const title = 'Call Asha'
    const { lead } = (await shop.post('/leads', { phone: '+919812345601', name: 'Asha' })).body
    const dueAt = new Date(Date.now() + 3_600_000).toISOString()
    const task = { leadId: lead.id, type: 'call', title, dueAt }
    expect((await shop.post('/tasks', task)).status).toBe(201)
    await page.goto(`/w/${shop.workspaceId}/leads/${lead.id}`)
    // The request names another task, so the server itself answers with the error.
    await page.route('**/api/v1/tasks/*', (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/tasks\/.*/, 'tasks/task_0000000000000000'),
      }),
    )
    await page
      .getByRole('button', { name: taskTexts['row.more'].replace('{title}', title) })
      .first()
      .click()
    await page.getByRole('menuitem', { name: taskTexts['action.tomorrow'] }).click()
    await page.getByText(serverTexts['code.not_found']).first().waitFor()
    await picture(page, 'server-texts-notice')
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('a field of a form that reads the errors itself', async () => {
    await page.goto(`/w/${shop.workspaceId}/forms/new`)
    await page.getByRole('button', { name: formTexts.save }).click()
    await page.getByText(formTexts.issues).waitFor()
    await page.getByText(serverTexts['field.empty']).first().waitFor()
    await picture(page, 'server-texts-field')
  })

  test('why a run was skipped', async () => {
    const actions = [{ type: 'add_note', text: 'Call back', on: 'lead' }]
    const { id } = await automate(shop, { trigger: { event: 'message.received' }, actions })
    await shop.inbound('+919812345655', 'Hello', { name: 'Ravi' })
    const [run] = await runsOf(shop, id)
    expect(run!.reason).toBe(englishTexts['reason.noLead'])
    await page.goto(`/w/${shop.workspaceId}/automations/${id}?show=runs`)
    await page.getByText(serverTexts['reason.noLead']).waitFor()
    await picture(page, 'server-texts-reason')
  })
})
