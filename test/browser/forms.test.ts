/** In-chat forms: designed in the page, published, sent, and answered by a customer. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'
import { picture } from './picture.ts'

const GUESTS: [phone: string, name: string][] = [
  ['+919812345678', 'Asha Rao'],
  ['+919812345671', 'Nisha Kulkarni'],
  ['+919812345672', 'Ravi Deshpande'],
  ['+447700900123', 'Tom Fletcher'],
]
const REQUESTS = [
  'A quiet table by the window, please.',
  'We celebrate my mother’s 70th birthday. Can you put candles on the dessert?',
  'Two of us eat no nuts.',
  'High chair for a child of two',
  'कृपया खिड़की के पास',
  'Jain food for three of us',
]
/** A lifelike evening's answers: six a fortnight ago, six today. */
const ANSWERS = Array.from({ length: 12 }, (_, i) => ({
  guests: String([4, 2, 6, 4, 1, 3, 4, 2, 12, 5, 2, 8][i]),
  day: `2026-12-${String([24, 31, 24, 12, 31, 19, 24, 31, 31, 12, 24, 5][i]).padStart(2, '0')}`,
  part: i % 3 === 2 ? 'Late' : 'Early',
  extras: [['Vegetarian menu', 'Parking'], ['Vegetarian menu'], ['Live music'], []][i % 4],
  ...(i % 2 === 0 && { request: REQUESTS[i / 2] }),
  ...(i % 5 === 1 && { source: ['A friend', 'Our posts', 'A friend'][(i - 1) / 5] }),
  consent: i % 4 !== 3,
}))
const EVENING = [
  {
    title: 'Your table',
    text: 'We are open from 6 to 11.',
    fields: [
      { name: 'guests', kind: 'number', label: 'Guests', required: true },
      { name: 'day', kind: 'date', label: 'Day', required: true },
      {
        name: 'part',
        kind: 'choice',
        label: 'Part of the evening',
        options: ['Early', 'Late', 'All evening'],
      },
    ],
    button: 'Next',
  },
  {
    title: 'Your wishes',
    fields: [
      {
        name: 'extras',
        kind: 'choices',
        label: 'Extras',
        options: ['Vegetarian menu', 'Live music', 'Parking'],
      },
      { name: 'request', kind: 'paragraph', label: 'A wish' },
      {
        name: 'source',
        kind: 'choices',
        label: 'How did you hear of us?',
        options: ['A friend', 'Our posts'],
      },
      { name: 'consent', kind: 'consent', label: 'Send me news of the house' },
    ],
    button: 'Send',
  },
]

/** Publishes a form and lets customers answer it: half of them thirteen days ago. */
async function answeredForm(shop: TestWorkspace): Promise<string> {
  const { flow } = (
    await shop.post('/flows', { name: 'Table for tonight', categories: ['SURVEY'], screens: EVENING })
  ).body
  await shop.post(`/flows/${flow.id}/publish`, {})
  for (const [i, formAnswers] of ANSWERS.entries()) {
    const [phone, name] = GUESTS[i % GUESTS.length]!
    if (i === 6) await shop.advance(13 * 86_400)
    await shop.inbound(phone, 'A table, please', { name })
    const sent = await shop.post(`/flows/${flow.id}/send`, {
      to: phone,
      body: 'Please choose.',
      cta: 'Choose',
    })
    await shop.advance(6)
    const { chanmid } = (await shop.get(`/messages/${sent.body.messageId}`)).body.message
    await shop.inbound(phone, '', { text: undefined, formAnswers, replyTo: chanmid })
  }
  return flow.id
}

const ASHA = '+919812345678'
/** The browser's console message about an expected error answer. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/

describe.skipIf(!hasChromium)('in-chat forms', () => {
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

  test('a form is designed, corrected, published, and answered; its answers are a table', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const session = await signIn(parley, shop, 'agent')
    const context = await profileOf(browser, parley, session, { reducedMotion: 'reduce' })
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/forms`)
    await page.getByRole('link', { name: /Book a visit/ }).waitFor()
    expect(await looked(page, 'forms')).toEqual([])
    await page.keyboard.press('c')
    await page.getByRole('heading', { name: 'New form' }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Table for tonight')

    const first = page.getByRole('region', { name: 'Screen 1' })
    await first.getByLabel('Title').fill('Your table')
    await first.getByLabel('Text above the fields').fill('We are open from 6 to 11.')
    await first.getByLabel('Label').fill('How many guests will come with you?')
    await page.getByRole('button', { name: 'Add screen' }).click()
    expect(await first.getByLabel('Button').inputValue()).toBe('Next')
    const second = page.getByRole('region', { name: 'Screen 2' })
    await second.getByLabel('Title').fill('Your time')
    await second.getByLabel('Label').fill('Part of the evening')
    await second.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'One of several' }).click()
    await second.getByLabel('Options').fill('Early\nLate')

    // The label is longer than the operator allows: the error is at its field.
    await page.getByRole('button', { name: 'Save draft' }).click()
    await first.getByText('Must be at most 20 characters for text.').waitFor()
    expect(await looked(page, 'form-errors')).toEqual([])
    await first.getByLabel('Label').fill('Guests')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByRole('button', { name: 'Next' }).click()
    await preview.getByText('Late').waitFor()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('heading', { name: 'Table for tonight', level: 2 }).waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await page.getByText('No answers yet').waitFor()

    const { flows } = (await shop.get('/flows')).body
    const { id } = flows.find(({ name }: { name: string }) => name === 'Table for tonight')
    await shop.inbound(ASHA, 'A table, please', { name: 'Asha Rao' })
    const sent = await shop.post(`/flows/${id}/send`, { to: ASHA, body: 'Please choose.', cta: 'Choose' })
    expect(sent.status, sent.text).toBe(200)
    await shop.advance(6)

    // The customer fills in the form on the phone.
    await page.goto(`/w/${shop.workspaceId}/sandbox`)
    await page.getByRole('button', { name: 'Tap Choose' }).click()
    const fields = page.getByRole('dialog', { name: 'Table for tonight' })
    await fields.getByLabel('Guests').fill('4')
    await fields.getByRole('checkbox', { name: 'Late' }).click()
    expect(await looked(page, 'form-filled')).toEqual([])
    await fields.getByRole('button', { name: 'Submit form' }).click()
    await fields.waitFor({ state: 'detached' })
    await page.goto(`/w/${shop.workspaceId}/forms/${id}`)
    await page.getByRole('region', { name: 'Part of the evening' }).getByText('100%').waitFor()
    await page.getByRole('tab', { name: 'Answers' }).click()
    const table = page.getByRole('table', { name: 'Answers' })
    await table.getByRole('row', { name: /Asha Rao.*4.*Late/ }).waitFor()
    expect(await looked(page, 'form-answers')).toEqual([])

    await table.getByRole('row', { name: /Asha Rao.*4.*Late/ }).waitFor()

    // A published form never changes: a copy does. Stored fields are closed; a field of a kind is added at the end.
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('heading', { name: 'Copy Table for tonight' }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Table for tonight (copy)')
    const copied = page.getByRole('region', { name: 'Screen 2' })
    const stored = copied.getByRole('button', { name: 'Edit Part of the evening' })
    expect(await stored.getAttribute('aria-expanded')).toBe('false')
    await stored.click()
    await copied.getByLabel('Options').waitFor()
    await copied.getByRole('button', { name: 'Add field' }).click()
    await page.getByRole('menuitem', { name: 'Email' }).click()
    await copied.getByLabel('Label').last().fill('Your email')
    // The preview follows the screen that is being edited.
    await preview.getByText('Your email *').waitFor()
    await page.getByRole('button', { name: 'Move screen 2 up' }).click()
    await expect
      .poll(() => page.getByRole('region', { name: 'Screen 1' }).getByLabel('Title').inputValue())
      .toBe('Your time')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('heading', { name: 'Table for tonight (copy)', level: 2 }).waitFor()
    await page.goto(`/w/${shop.workspaceId}/forms/${id}?view=answers`)

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    expect((await download).suggestedFilename()).toBe('Table for tonight.csv')

    await table.getByRole('link').click()
    await page.getByRole('log', { name: 'Messages with Asha Rao' }).getByText('Late').waitFor()
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('the summary counts each option; an option lists its answers, and a period narrows them', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const id = await answeredForm(shop)
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'viewer'), {
      reducedMotion: 'reduce',
    })
    const { page, faults } = await openPage(context)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`/w/${shop.workspaceId}/forms/${id}`)
    await page.getByText(`${ANSWERS.length} answers`, { exact: true }).waitFor()
    const question = (name: string) => page.getByRole('region', { name })
    expect(await question('Guests').getByRole('definition').allTextContents()).toEqual(['1', '4', '12'])
    await question('How did you hear of us?').getByText('3 of 12 answered').waitFor()
    expect(await looked(page, 'form-summary')).toEqual([])
    await page.setViewportSize({ width: 1280, height: 900 })
    await picture(page, 'form-summary-1280')

    // An option opens its answers; Back returns to the summary.
    await question('Part of the evening').getByRole('button', { name: 'Late 4 answers 33%' }).click()
    const table = page.getByRole('table', { name: 'Answers' })
    await expect.poll(() => table.getByRole('row').count()).toBe(5)
    await table.getByRole('row', { name: /Tom Fletcher.*Dec 5, 2026/ }).waitFor()
    expect(await looked(page, 'form-filtered')).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    const card = page.getByRole('list', { name: 'Answers' }).getByRole('listitem').first()
    await expect
      .poll(() => card.getByRole('term').allTextContents())
      .toEqual([
        'Guests',
        'Day',
        'Part of the evening',
        'How did you hear of us?',
        'Send me news of the house',
      ])
    await picture(page, 'form-answers-390')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('button', { name: 'Remove filter' }).click()
    await expect.poll(() => table.getByRole('row').count()).toBe(ANSWERS.length + 1)
    await page.goBack()
    await question('Guests').waitFor()
    await question('A wish').getByRole('button', { name: 'All answers' }).click()
    await expect.poll(() => table.getByRole('row').count()).toBe(ANSWERS.length + 1)

    await page.getByRole('tab', { name: 'Summary' }).click()
    await page.getByRole('combobox', { name: 'Period' }).click()
    await page.getByRole('option', { name: 'Last 7 days' }).click()
    await page.getByText('6 answers', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Design' }).click()
    await page.getByRole('region', { name: 'Screen 2' }).waitFor()
    expect(await looked(page, 'form-design')).toEqual([])
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })
})
