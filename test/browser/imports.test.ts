/** Journey 12: the page imports five thousand rows. */
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { signInByLink } from '../support/sessions.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const ROWS = 5_000

/** As a spreadsheet of another country saves it: a byte order mark, semicolons, quotes; two invalid rows. */
const csv = (): Buffer => {
  const people = Array.from(
    { length: ROWS - 3 },
    (_, n) => `"Rao; Person ${n}";98${String(12_000_000 + n).padStart(8, '0')};Pune;42`,
  )
  const rest = ['Nobody;12;Pune;42', 'Meera;+919812345601;Nashik;large', '"Vikram";+91 98123 45602;Surat;44']
  return Buffer.from(`\ufeffCustomer;Mobile;City;Shirt size\r\n${[...people, ...rest].join('\r\n')}\r\n`)
}

describe.skipIf(!hasChromium)('imports', () => {
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

  test('five thousand rows are mapped, tested, and imported during a reload, and the rejected rows can be downloaded', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.set({ contactLimit: 10_000 })
    await shop.post('/contact-fields', { key: 'size', label: 'Shirt size', type: 'number' })
    await shop.post('/contacts', { phone: '+919812345602', tags: ['old'] })
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page, faults } = await openPage(context)
    const findViolations = async () => (await violationsOf(page)).map(({ id, nodes }) => [id, nodes[0]?.html])
    await page.goto(`/w/${shop.workspaceId}/contacts`)
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByRole('heading', { name: 'Import contacts and leads' }).waitFor()
    await page.getByText('No imports yet.').waitFor()
    expect(await findViolations()).toEqual([])
    await picture(page, 'import-choose', { whole: true })
    const picker = page.locator('input[type=file]')

    // A file that is no CSV is rejected with the reason.
    await picker.setInputFiles({
      name: 'people.xlsx',
      mimeType: 'text/csv',
      buffer: Buffer.from('PK\x03\x04\x14\0\x06\0[Content_Types].xml', 'latin1'),
    })
    const refusal = 'This is an Excel workbook (.xlsx). Save it as CSV: File → Save as → CSV UTF-8.'
    await page.getByRole('alert').getByText(refusal, { exact: true }).waitFor()
    await picture(page, 'import-spreadsheet')

    // The columns are guessed; the member chooses one.
    await picker.setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: csv() })
    const columns = page.getByRole('table', { name: 'Match columns' })
    await columns.getByRole('row').filter({ hasText: 'Rao; Person 0' }).waitFor()
    const mappingOf = (column: string) => page.getByRole('combobox', { name: `Import ${column} as` })
    expect(await mappingOf('Mobile').textContent()).toBe('Phone number')
    expect(await mappingOf('Shirt size').textContent()).toBe('Shirt size')
    expect(await mappingOf('Customer').textContent()).toBe('Leave out')
    await mappingOf('Customer').click()
    await page.getByRole('option', { name: 'Name', exact: true }).click()
    await mappingOf('City').click()
    await page.getByRole('option', { name: 'New field "City"' }).click()
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Tags' }).fill('expo')
    await picture(page, 'import-mapping', { whole: true })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    expect(await findViolations()).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await picture(page, 'import-mapping-phone', { whole: true })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await findViolations()).toEqual([])

    // The test run writes nothing.
    await page.getByRole('button', { name: 'Test import' }).click()
    const testResults = page.getByRole('region', { name: 'Test results' })
    await testResults.waitFor()
    const figures = async (region: typeof testResults) =>
      (await region.locator('dd').allTextContents()).join(' ')
    expect(await figures(testResults)).toBe('4,997 1 2')
    expect((await shop.get('/contacts?limit=5')).body.contacts).toHaveLength(1)
    await picture(page, 'import-tried', { whole: true })

    // The import continues while the page is reloaded.
    await page.getByRole('button', { name: 'Import 5,000 rows' }).click()
    await page
      .getByText('Importing. You can leave this page.')
      .or(page.getByRole('heading', { name: 'Results', exact: true }))
      .first()
      .waitFor()
    await picture(page, 'import-progress', { whole: true })
    await page.reload()
    const results = page.getByRole('region', { name: 'Results', exact: true })
    await results.waitFor()
    expect(await figures(results)).toBe('4,997 1 2')
    await picture(page, 'import-done', { whole: true })
    expect(await findViolations()).toEqual([])
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download rejected rows' }).click()
    const refused = await downloading
    expect(refused.suggestedFilename()).toBe('people refused.csv')
    const text = readFileSync(await refused.path(), 'utf8')
    expect(text).toMatch(/4999,"Mobile: ""12"" isn't a phone number\..*",Nobody,12,Pune,42/)
    expect(text).toMatch(/5000,"Shirt size: ""large"" isn't a number\.",Meera,'\+919812345601,Nashik,large/)

    await page.getByRole('button', { name: 'View contacts' }).click()
    await page.getByRole('link', { name: 'Rao; Person 4996' }).waitFor()
    expect((await shop.get('/contacts/+919812000000')).body.contact).toMatchObject({
      displayName: 'Rao; Person 0',
      tags: ['expo'],
      attributes: { City: 'Pune', size: 42 },
    })
    expect((await shop.get('/contacts/+919812345602')).body.contact).toMatchObject({ tags: ['old', 'expo'] })

    // It stays in the list, until it is deleted.
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByRole('button', { name: 'people.csv' }).click()
    await page.getByRole('button', { name: 'Delete import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete import' }).click()
    await page.getByText('No imports yet.').waitFor()
    // The page may request the import again before it is notified of the deletion.
    expect(faults.filter((fault) => !/status of 40[04]/.test(fault))).toEqual([])
    await context.close()
  })

  test('the format of a file is shown on its first rows, and can be changed: heading, country, numbers, dates', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    for (const [key, type] of [
      ['Balance', 'number'],
      ['Joined', 'date'],
    ])
      await shop.post('/contact-fields', { key, label: key, type })
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/contacts/import`)
    const rows = [
      'Customers of the spring sale',
      'Name;Country;Mobile;Office phone;Balance;Joined',
      'Zoë Adams;US;;3125550142;1.250;03/04/2025',
      'Asha Rao;India;98123 00001;020 2567 1234;2.500;05/04/2025',
      'Chand;;12;;7;31/02/2025',
    ]
    await page.locator('input[type=file]').setInputFiles({
      name: 'spring.csv',
      mimeType: 'text/csv',
      // As a spreadsheet of an older Windows saves it.
      buffer: Buffer.from(`${rows.join('\r\n')}\r\n`, 'latin1'),
    })
    const preview = page.getByRole('table', { name: 'Preview of the first rows' })
    await preview.waitFor()
    const row = (text: string) => preview.getByRole('row').filter({ hasText: text })
    await row('+13125550142').filter({ hasText: 'United States' }).filter({ hasText: 'Zoë Adams' }).waitFor()
    await row('+919812300001').filter({ hasText: 'India' }).waitFor()
    await row('Mobile: "12" isn\'t a phone number').waitFor()
    await page.getByText('Text encoding: Western European (Windows)').waitFor()
    const heading = page.getByRole('combobox', { name: 'Column names' })
    expect(await heading.textContent()).toBe('Line 2: Name, Country, Mobile, Office phone')
    expect(await page.getByRole('combobox', { name: 'Country of phone numbers' }).textContent()).toBe(
      'From column "Country"',
    )
    await page.setViewportSize({ width: 1440, height: 1800 })
    await picture(page, 'import-reading', { whole: true })

    // The page asks for formats that the file leaves open.
    await row('can be 1250 or 1.25').first().waitFor()
    await page.getByRole('combobox', { name: 'Format of Balance' }).click()
    await page.getByRole('option', { name: '1.250,50' }).click()
    await row('1,250')
      .filter({ hasText: '3 Apr 2025' })
      .or(row('1,250').filter({ hasText: 'Apr 3, 2025' }))
      .waitFor()
    await page.getByRole('combobox', { name: 'Format of Joined' }).click()
    await page.getByRole('option', { name: '12/31/2026' }).click()
    await row('Mar 4, 2025').or(row('4 Mar 2025')).first().waitFor()
    await page.getByRole('combobox', { name: 'Country of phone numbers' }).click()
    await page.getByRole('option', { name: "The workspace's country" }).click()
    await row('+913125550142').waitFor()
    await page.getByRole('combobox', { name: 'Country of phone numbers' }).click()
    await page.getByRole('option', { name: 'From column "Country"' }).click()
    await row('+13125550142').waitFor()
    const findViolations = async () => (await violationsOf(page)).map(({ id, nodes }) => [id, nodes[0]?.html])
    expect(await findViolations()).toEqual([])
    await picture(page, 'import-chosen', { whole: true })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    expect(await findViolations()).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await picture(page, 'import-chosen-phone', { whole: true })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })

    // Another line names the columns: they are guessed again.
    await heading.click()
    await page.getByRole('option', { name: 'No column names: the first line is data' }).click()
    await page.getByRole('combobox', { name: 'Import column 3 as' }).waitFor()
    await heading.click()
    await page.getByRole('option', { name: 'Line 2: Name, Country, Mobile, Office phone' }).click()
    await page.getByRole('combobox', { name: 'Import Balance as' }).waitFor()
    await page.getByRole('combobox', { name: 'Format of Balance' }).click()
    await page.getByRole('option', { name: '1.250,50' }).click()
    await row('1,250').waitFor()
    await page.getByRole('button', { name: 'Import 3 rows' }).click()
    const results = page.getByRole('region', { name: 'Results', exact: true })
    await results.waitFor()
    expect((await results.locator('dd').allTextContents()).join(' ')).toBe('2 0 1')
    expect((await shop.get('/contacts/+13125550142')).body.contact).toMatchObject({
      displayName: 'Zoë Adams',
      attributes: { Balance: 1250, Joined: '2025-04-03' },
    })
    expect(faults).toEqual([])
    await context.close()
  })
})
