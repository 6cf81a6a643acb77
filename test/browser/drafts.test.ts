/** Journey 9: a member's draft follows them to another device, and no text is lost. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signInByLink } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

describe.skipIf(!hasChromium)('a draft follows its writer', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  const chats = new Map<string, string>()
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true })
    for (const [phone, name] of [
      ['+919812345678', 'Asha Rao'],
      ['+919812345679', 'Ravi Menon'],
      ['+919812345680', 'Meera Iyer'],
    ] as const)
      await shop.inbound(phone, `Hello, this is ${name}`, { name })
    for (const { id, contact } of (await shop.get('/conversations')).body.conversations)
      chats.set(contact.name, id)
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  /** Opens another device of the same member. */
  const open = async (path = '') => {
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox${path}`)
    return { context, page }
  }
  const show = async (page: Page, name: string) => {
    await page.getByRole('link', { name: new RegExp(name) }).click()
    await page
      .getByRole('log', { name: `Messages with ${name}` })
      .getByText(`Hello, this is ${name}`)
      .waitFor()
  }
  const field = (page: Page) => page.getByRole('textbox', { name: 'Message' })
  const waitForDraft = (page: Page, text: string) =>
    until(async () => (await field(page).inputValue()) === text, `the field contains “${text}”`)
  const waitForDraftMark = (page: Page, name: string, text: string) =>
    page.getByRole('link', { name: new RegExp(`${name}.*Draft: ${text}`) }).waitFor()
  const listSent = async (name: string) =>
    (await shop.get(`/messages?conversationId=${chats.get(name)}&direction=outbound`)).body.messages

  test("the second device's list marks it with its files, and removes the mark once it is sent", async () => {
    const before = (await listSent('Asha Rao')).length
    const [laptop, phone] = [await open(), await open()]
    await show(laptop.page, 'Asha Rao')
    await field(laptop.page).fill('Here is the menu')
    await laptop.page.locator('input[type=file]').setInputFiles({
      name: 'menu.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4 a menu'),
    })
    await laptop.page.getByRole('list', { name: 'Attached files' }).getByText('menu.pdf').waitFor()
    // Another chat, and back.
    await show(laptop.page, 'Meera Iyer')
    expect(await field(laptop.page).inputValue()).toBe('')
    await waitForDraftMark(laptop.page, 'Asha Rao', 'Here is the menu')

    await waitForDraftMark(phone.page, 'Asha Rao', 'Here is the menu')
    await show(phone.page, 'Asha Rao')
    await waitForDraft(phone.page, 'Here is the menu')
    await phone.page.getByRole('list', { name: 'Attached files' }).getByText('menu.pdf').waitFor()
    await field(phone.page).press('Enter')
    await phone.page.locator('[data-message]').filter({ hasText: 'Here is the menu' }).last().waitFor()
    await phone.page.locator('[data-message]').filter({ hasText: 'menu.pdf' }).last().waitFor()
    await show(laptop.page, 'Asha Rao')
    await waitForDraft(laptop.page, '')
    await laptop.page.getByText('Draft from another device:').waitFor({ state: 'detached' })
    const types = (await listSent('Asha Rao')).map(({ type }: { type: string }) => type)
    expect(types.slice(0, before === 0 ? undefined : -before)).toEqual(['text', 'document'])
    await Promise.all([laptop.context.close(), phone.context.close()])
  })

  test('the later of two versions counts, and the other can be restored', async () => {
    const [laptop, phone] = [await open(), await open()]
    await show(laptop.page, 'Ravi Menon')
    await show(phone.page, 'Ravi Menon')
    await phone.context.setOffline(true)
    await field(phone.page).fill('Written under way')
    await field(laptop.page).fill('Written at the laptop')
    await until(async () => {
      const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
      const { body } = await session.get(`/api/dashboard/drafts/${chats.get('Ravi Menon')}`)
      return body.text === 'Written at the laptop'
    }, 'the server has the draft')
    await phone.context.setOffline(false)
    // The text written offline is saved last; the laptop restores its own version with one click.
    await waitForDraft(laptop.page, 'Written under way')
    await laptop.page.getByText('Written at the laptop').waitFor()
    await picture(laptop.page, 'j9')
    await laptop.page.getByRole('button', { name: 'Use draft' }).click()
    await waitForDraft(laptop.page, 'Written at the laptop')
    await waitForDraft(phone.page, 'Written at the laptop')
    // It survives a reload of both.
    for (const { page } of [laptop, phone]) {
      await page.reload()
      await waitForDraft(page, 'Written at the laptop')
    }
    await Promise.all([laptop.context.close(), phone.context.close()])
  })

  test('text written just before the page is closed is saved when it is opened again', async () => {
    const laptop = await open(`/${chats.get('Meera Iyer')}`)
    await laptop.page.route('**/drafts/*', (route) => route.abort())
    await field(laptop.page).fill('At the last moment')
    await laptop.page.close()
    const phone = await open()
    const { page } = await openPage(laptop.context)
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    await waitForDraftMark(phone.page, 'Meera Iyer', 'At the last moment')
    await Promise.all([laptop.context.close(), phone.context.close()])
  })
  test('two tabs of one browser show one draft, and no letter of either is lost', async () => {
    const { context, page: left } = await open(`/${chats.get('Meera Iyer')}`)
    const right = (await openPage(context)).page
    await right.goto(`/w/${shop.workspaceId}/inbox/${chats.get('Meera Iyer')}`)
    const pages = [left, right]
    for (const page of pages) await field(page).waitFor()
    await field(left).fill('')
    await waitForDraft(right, '')
    // One tab keeps writing while the server answers and the other tab gets the draft: nothing is removed.
    const words = 'We have it in blue, in green and in red, and more comes on Friday. '.repeat(2).trim()
    await field(left).pressSequentially(words, { delay: 12 })
    expect(await field(left).inputValue()).toBe(words)
    await waitForDraft(right, words)
    // Writing in the other tab continues from there.
    await field(right).press('End')
    await field(right).pressSequentially(' For you?')
    await waitForDraft(left, `${words} For you?`)
    // Both write at the same time: every letter is in the shared draft, or in the other version next to it.
    await field(left).fill('')
    await waitForDraft(right, '')
    await Promise.all([
      field(left).pressSequentially('abcdefghijklm', { delay: 10 }),
      field(right).pressSequentially('nopqrstuvwxyz', { delay: 10 }),
    ])
    await until(
      async () => (await field(left).inputValue()) === (await field(right).inputValue()),
      'both tabs show the same draft',
    )
    const visibleText = `${await field(left).inputValue()} ${await left.getByText('Draft from another device:').allTextContents()}`
    expect('abcdefghijklmnopqrstuvwxyz'.split('').filter((letter) => !visibleText.includes(letter))).toEqual(
      [],
    )
    // A tab that is opened later gets it from the server.
    const shown = await field(left).inputValue()
    const phone = await open(`/${chats.get('Meera Iyer')}`)
    await waitForDraft(phone.page, shown)
    await Promise.all([context.close(), phone.context.close()])
  })
})
