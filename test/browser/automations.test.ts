import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { automate, listRuns, newLead } from '../support/automations.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'

/** The browser's console message about an expected error answer. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/

describe.skipIf(!hasChromium)('automations', () => {
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

  const open = async (shop: TestWorkspace, role: 'viewer' | 'agent' | 'admin') => {
    const session = await signIn(parley, shop, role)
    const context = await profileOf(browser, parley, session, { reducedMotion: 'reduce' })
    return { context, ...(await openPage(context)) }
  }

  /** Opens the focused list and chooses an option by name, by keyboard only. */
  async function choose(page: Page, control: Locator, option: string): Promise<void> {
    await control.focus()
    await page.keyboard.press('Enter')
    const item = page
      .getByRole('option', { name: option, exact: true })
      .or(page.getByRole('menuitem', { name: option, exact: true }))
    await item.waitFor()
    await until(async () => {
      if ((await item.getAttribute('data-highlighted')) !== null) return true
      await page.keyboard.press('ArrowDown')
      return false
    }, `${option} under the arrow keys`)
    await page.keyboard.press('Enter')
    await item.waitFor({ state: 'detached' })
  }

  test('many are searched by name and trigger, and filtered by state', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    for (const name of ['Greet', 'Tag', 'Remind', 'Thank', 'Assign', 'Survey'])
      await automate(shop, { name, trigger: { event: 'lead.created' }, enabled: name !== 'Survey' })
    const { context, page, faults } = await open(shop, 'admin')
    await page.goto(`/w/${shop.workspaceId}/automations`)
    const list = page.getByRole('table', { name: 'Automations' })
    const search = page.getByRole('searchbox', { name: 'Search automations' })
    await search.fill('remi')
    await list.getByRole('row', { name: /^Greet/ }).waitFor({ state: 'detached' })
    await list.getByRole('row', { name: /^Remind/ }).waitFor()
    await search.fill('')
    await page.getByRole('combobox', { name: 'Automations by state' }).click()
    await page.getByRole('option', { name: 'Turned off' }).click()
    await list.getByRole('row', { name: /^Survey/ }).waitFor()
    expect(await list.getByRole('row').count(), 'the heading and one automation').toBe(2)
    expect(await looked(page, 'automations-search')).toEqual([])
    await search.fill('Greet')
    await page.getByText('No automations found').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('one is created by keyboard, tested with a real event, and followed in the log', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.post('/tags', { name: 'vip' })
    await newLead(shop, { name: 'Asha Rao', source: 'website' })
    const { context, page, faults } = await open(shop, 'admin')
    const path = `/w/${shop.workspaceId}/automations`
    await page.goto(path)
    await page.getByText('No automations yet').waitFor()
    expect(await looked(page, 'automations-empty')).toEqual([])

    await page.keyboard.press('c')
    await page.getByLabel('Name', { exact: true }).fill('Greet leads of the website')
    const conditions = page.getByRole('region', { name: 'If' })
    await conditions.getByRole('button', { name: 'Add condition' }).press('Enter')
    const first = conditions.getByRole('listitem', { name: 'Condition 1' })
    await choose(page, first.getByRole('combobox', { name: 'Field' }), 'Lead: source')
    await first.getByLabel('Value').fill('website')

    const steps = page.getByRole('region', { name: 'Then' })
    const add = steps.getByRole('button', { name: 'Add step' })
    await choose(page, add, 'Add tags')
    await choose(page, add, 'Create task')
    // A missing value is shown at its row before any request is sent.
    await page.getByRole('button', { name: 'Save and turn on' }).press('Enter')
    await steps
      .getByRole('listitem', { name: 'Step 1: Add tags' })
      .getByText('This field is required.')
      .waitFor()
    await choose(page, steps.getByRole('combobox', { name: 'Tags: Add' }), 'vip')
    const task = steps.getByRole('listitem', { name: /Create task$/ })
    await task.getByLabel('Title').fill('Call {{lead.nme}}')
    await task.getByRole('button', { name: 'Move step 2 up' }).press('Enter')
    await steps.getByRole('listitem', { name: 'Step 1: Create task' }).waitFor()

    // The server's errors are shown there too.
    const testing = page.getByRole('region', { name: 'Test', exact: true })
    await testing.getByRole('button', { name: 'Run test' }).press('Enter')
    await task.getByText('Unknown placeholder').waitFor()
    await task.getByLabel('Title').fill('Call {{lead.name}}')
    expect(await testing.getByRole('combobox').textContent()).toContain('Asha Rao')
    await testing.getByRole('button', { name: 'Run test' }).press('Enter')
    const result = testing.getByRole('region', { name: 'Test result' })
    await result.getByText('The automation would start.').waitFor()
    await result.getByText('Lead: source is website').waitFor()
    expect(await result.getByText('Would run').count()).toBe(2)
    expect((await shop.get('/tasks')).body.total).toBe(0)
    expect(await looked(page, 'automations-builder')).toEqual([])

    // Corrected rows show no error any more.
    expect(await page.getByText('Check the marked fields and try again.').count()).toBe(0)

    // Leaving asks for confirmation while there are unsaved changes.
    await page.getByRole('link', { name: 'All automations' }).press('Enter')
    const leaving = page.getByRole('dialog', { name: 'Discard changes?' })
    await leaving.getByRole('button', { name: 'Cancel' }).press('Enter')
    await leaving.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save and turn on' }).press('Enter')
    await page.waitForURL(/\/automations\/[0-9a-f-]{36}$/)
    const [automation] = (await shop.get('/automations')).body.automations
    expect(automation).toMatchObject({ name: 'Greet leads of the website', enabled: true })
    expect(automation.actions.map(({ type }: { type: string }) => type)).toEqual(['create_task', 'add_tags'])

    const lead = await newLead(shop, { name: 'Ravi Menon', source: 'website' })
    await newLead(shop, { name: 'Meera Nair', source: 'fair' })
    await until(async () => {
      const runs = await listRuns(shop, automation.id)
      return runs.length === 2 && runs.every(({ status }) => ['done', 'skipped'].includes(status))
    }, 'the automation ran twice')
    await page.getByRole('tab', { name: 'Runs' }).click()
    const runs = page.getByRole('list', { name: 'Runs' })
    await runs.getByRole('button', { name: /^Skipped/ }).waitFor()
    const done = runs.getByRole('button', { name: /^Done/ })
    await done.press('Enter')
    await runs.getByText('Step 1: Create task').waitFor()
    await runs.getByText("Its conditions didn't match.").waitFor()
    expect(await looked(page, 'automations-runs')).toEqual([])
    await runs.getByRole('link', { name: 'Open lead' }).click()
    await page.waitForURL(new RegExp(`/leads/${lead.id}$`))

    await page.goto(path)
    const row = page.getByRole('row', { name: /Greet leads of the website/ })
    await row.getByRole('cell', { name: '2', exact: true }).waitFor()
    await row.getByRole('switch', { name: 'Active: Greet leads of the website' }).press(' ')
    await until(
      async () => !(await shop.get(`/automations/${automation.id}`)).body.automation.enabled,
      'the automation is turned off',
    )
    expect(await looked(page, 'automations-list')).toEqual([])
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('an automation is duplicated with everything but its runs', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { automation } = (
      await shop.post('/automations', {
        name: 'Call website leads',
        trigger: { event: 'lead.created' },
        conditions: { match: 'all', conditions: [{ field: 'lead.source', op: 'eq', value: 'website' }] },
        actions: [{ type: 'create_task', taskType: 'call', title: 'Call {{lead.name}}', dueInMinutes: 30 }],
      })
    ).body
    const { context, page, faults } = await open(shop, 'admin')
    await page.goto(`/w/${shop.workspaceId}/automations/${automation.id}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: 'Create automation' }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Call website leads (copy)')
    await page.getByRole('button', { name: 'Save without turning on' }).click()
    await page.getByRole('heading', { name: 'Call website leads (copy)' }).waitFor()
    const { automations } = (await shop.get('/automations')).body
    const definitionOf = ({ trigger, conditions, actions }: typeof automation) => ({
      trigger,
      conditions,
      actions,
    })
    expect(automations.map(definitionOf)).toEqual([definitionOf(automation), definitionOf(automation)])
    expect(faults).toEqual([])
    await context.close()
  })

  test('a recipe opens filled in, and the message that it sends links to its run', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound('+919812345678', 'Is it in stock?', { name: 'Asha Rao' })
    await shop.post('/send', { to: '+919812345678', type: 'text', text: 'Yes.' })
    const { context, page, faults } = await open(shop, 'admin')
    await page.goto(`/w/${shop.workspaceId}/automations/recipes`)
    expect(await looked(page, 'automations-recipes')).toEqual([])
    // A button opens the other settings that a recipe needs.
    await page.getByRole('button', { name: 'Use recipe: Give every new lead a first call' }).click()
    await page.getByRole('button', { name: 'Assign in turn' }).click()
    await page.getByText('New leads are assigned to your teammates in turn', { exact: true }).waitFor()
    expect((await shop.get('/pipeline/assignment')).body.mode).toBe('round_robin')
    await page.goBack()
    await page.getByRole('button', { name: 'Use recipe: Customer went quiet' }).click()
    await page.getByRole('listitem', { name: 'Step 1: Send message' }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Customer went quiet')
    await page.getByRole('button', { name: 'Save and turn on' }).click()
    await page.waitForURL(/\/automations\/[0-9a-f-]{36}$/)
    await shop.advance(20 * 3_600 + 60)

    const [chat] = (await shop.get('/conversations')).body.conversations
    await page.goto(`/w/${shop.workspaceId}/inbox/${chat.id}`)
    await page.getByRole('link', { name: 'Sent by an automation' }).click()
    await page.waitForURL(/\/automations\/[0-9a-f-]{36}\?/)
    const runs = page.getByRole('list', { name: 'Runs' })
    await runs.getByText('Step 1: Send message').waitFor()
    await runs.getByRole('link', { name: 'Open chat' }).waitFor()
    await page.getByRole('button', { name: 'Show all contacts' }).click()
    await runs.getByRole('button', { name: /^Done/ }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('the log shows the contact of a run; deleting an automation does not ask about unsaved changes', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { id } = await automate(shop, { name: 'Greet leads', trigger: { event: 'lead.created' } })
    const { contactId } = await newLead(shop, { name: 'Asha Rao' })
    await shop.patch(`/contacts/${contactId}`, { displayName: 'Asha Rao' })
    await until(
      async () => (await listRuns(shop, id)).some(({ status }) => status === 'done'),
      'the automation ran',
    )
    const { context, page, faults } = await open(shop, 'admin')
    await page.goto(`/w/${shop.workspaceId}/automations/${id}`)
    await page.getByRole('tab', { name: 'Runs' }).click()
    await page
      .getByRole('list', { name: 'Runs' })
      .getByRole('button', { name: /^Done ?Asha Rao/ })
      .waitFor()
    const results = page.locator('dl', { has: page.getByText('Skipped', { exact: true }) })
    await results.waitFor()
    expect(await results.locator('dd').allTextContents()).toEqual(['1', '0', '0'])
    expect(await looked(page, 'automations-runs')).toEqual([])
    await page.getByRole('tab', { name: 'Setup' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Greet every lead')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/\/automations$/)
    expect(await page.getByText('Discard changes?').count()).toBe(0)
    expect((await shop.get(`/automations/${id}`)).status).toBe(404)
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test("saving over a teammate's later change shows a warning, and the own changes can be discarded", async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { id } = await automate(shop, { name: 'Greet leads', trigger: { event: 'lead.created' } })
    const { context, page, faults } = await open(shop, 'admin')
    await page.goto(`/w/${shop.workspaceId}/automations/${id}`)
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Greet every lead')
    await shop.patch(`/automations/${id}`, { trigger: { event: 'lead.recaptured' } })
    const clash = page.getByRole('alert').filter({ hasText: 'A teammate changed this automation' })
    await clash.waitFor()
    expect(await name.inputValue()).toBe('Greet every lead')
    await clash.getByRole('button', { name: 'Discard my changes' }).click()
    await clash.waitFor({ state: 'detached' })
    expect(await name.inputValue()).toBe('Greet leads')
    expect(await page.getByRole('button', { name: /^Save/ }).isDisabled()).toBe(true)
    expect(faults).toEqual([])
    await context.close()
  })

  test('a viewer reads the settings and the log, and changes nothing', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { id } = await automate(shop, {
      name: 'Greet leads',
      trigger: { event: 'lead.created' },
      conditions: { match: 'all', conditions: [{ field: 'lead.source', op: 'eq', value: 'website' }] },
    })
    const { context, page, faults } = await open(shop, 'viewer')
    await page.goto(`/w/${shop.workspaceId}/automations`)
    expect(await page.getByRole('switch', { name: 'Active: Greet leads' }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Create automation' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Greet leads' }).click()
    await page.waitForURL(new RegExp(`/automations/${id}$`))
    await page.getByText('When a lead is created').first().waitFor()
    await page.getByText('Lead: source is website').waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(await looked(page, 'automations-viewer')).toEqual([])
    await page.getByRole('tab', { name: 'Runs' }).click()
    await page.getByText('No runs yet').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })
})
