/** Journey 4: two agents at one chat see each other, and never answer a customer twice by accident. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMember } from '../../src/modules/platform/workspaces/operations/workspace-members.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

describe.skipIf(!hasChromium)('two agents at one chat', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let chat: string
  const members = new Map<string, string>()
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true })
    await shop.inbound('+919812345678', 'Is the blue one in stock?', { name: 'Asha Rao' })
    chat = (await shop.get('/conversations')).body.conversations[0].id
    for (const name of ['Ravi', 'Meera']) {
      const { memberId } = await parley.system((tx) =>
        addMember(
          tx,
          { workspaceId: shop.workspaceId, email: `${name}@example.com`, name, role: 'agent' },
          new Date(),
        ),
      )
      members.set(name, memberId)
    }
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const open = async (name: string, path = `inbox/${chat}`, options = {}) => {
    const memberId = members.get(name) as string
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId })
    const context = await profileOf(browser, parley, session, options)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/${path}`)
    return { context, page, faults }
  }
  const field = (page: Page) => page.getByRole('textbox', { name: 'Message' })
  /** Different texts for a second attempt. */
  let count = 0
  const withNumber = (text: string): string => `${text} #${count++}`
  const answers = async (): Promise<string[]> =>
    (await shop.get(`/messages?conversationId=${chat}&direction=outbound`)).body.messages.map(
      (message: { text: string }) => message.text,
    )

  test.each([
    ['on a desk', {}],
    ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ])(
    "each sees who views and who types, and a teammate's new answer holds the next one back, %s",
    async (place, options) => {
      const draft = withNumber(place)
      const ravi = await open('Ravi', undefined, options)
      await field(ravi.page).waitFor()
      const meera = await open('Meera', 'inbox', options)
      // In the list, and in the chat's header once it is open.
      await meera.page
        .getByRole('link', { name: /Asha Rao/ })
        .getByRole('img', { name: 'Ravi is viewing' })
        .waitFor()
      await meera.page.getByRole('link', { name: /Asha Rao/ }).click()
      await meera.page.getByRole('status').getByText('Ravi is viewing').waitFor()
      await ravi.page.getByRole('status').getByText('Meera is viewing').waitFor()

      await field(meera.page).fill(`Let me check (${draft})`)
      await ravi.page.getByRole('status').getByText('Meera is typing').waitFor()
      const answer = `Yes, in every size (${draft})`
      await field(ravi.page).fill(answer)
      await meera.page.getByRole('status').getByText('Ravi is typing').waitFor()
      await field(ravi.page).press('Enter')
      const thread = meera.page.getByRole('log')
      await thread.getByText(answer).waitFor()

      // Her answer is held, and stays in the composer.
      await field(meera.page).press('Enter')
      const notice = meera.page.getByRole('alert').filter({ hasText: /Ravi replied .*ago. Send anyway\?/ })
      await notice.waitFor()
      await picture(meera.page, `j4-${place.replaceAll(' ', '-')}`)
      expect(await field(meera.page).inputValue()).toBe(`Let me check (${draft})`)
      expect(await answers()).not.toContain(`Let me check (${draft})`)
      await field(meera.page).press('Enter')
      expect(await answers()).not.toContain(`Let me check (${draft})`)

      // Continuing to type confirms that she has seen it; a later answer holds hers again.
      await meera.page.getByRole('button', { name: 'Keep writing' }).click()
      await notice.waitFor({ state: 'detached' })
      await field(meera.page).fill(`Small ones too (${draft})`)
      await field(ravi.page).fill(`Shall I put one aside? (${draft})`)
      await field(ravi.page).press('Enter')
      await thread.getByText(`Shall I put one aside? (${draft})`).waitFor()
      await field(meera.page).press('Enter')
      await notice.waitFor()
      await meera.page.getByRole('button', { name: 'Send anyway' }).click()
      await thread
        .locator('[data-message]')
        .filter({ hasText: `Small ones too (${draft})` })
        .waitFor()
      expect(await field(meera.page).inputValue()).toBe('')
      expect((await answers()).filter((text) => text === `Small ones too (${draft})`)).toHaveLength(1)

      // A teammate who leaves is not shown any more.
      await meera.context.close()
      await ravi.page.goto(`/w/${shop.workspaceId}/contacts`)
      const later = await open('Meera', 'inbox')
      await later.page.getByRole('link', { name: /Asha Rao/ }).waitFor()
      await later.page.getByRole('img', { name: /looking|writing/ }).waitFor({ state: 'detached' })
      for (const session of [ravi, later]) {
        expect(session.faults).toEqual([])
        await session.context.close()
      }
    },
  )

  test('a held answer can become a note, which is not sent to the customer', async () => {
    const [ravi, meera] = [await open('Ravi'), await open('Meera')]
    await meera.page.getByRole('log').getByText('Is the blue one in stock?').waitFor()
    const [note, answer] = [withNumber('She wants two of them'), withNumber('I have reserved two')]
    await field(meera.page).fill(note)
    await field(ravi.page).fill(answer)
    await field(ravi.page).press('Enter')
    await meera.page.getByRole('log').getByText(answer).waitFor()
    await field(meera.page).press('Enter')
    await meera.page.getByRole('button', { name: 'Add as note' }).click()
    await meera.page.getByRole('article').filter({ hasText: note }).waitFor()
    expect(await answers()).not.toContain(note)
    await Promise.all([ravi.context.close(), meera.context.close()])
  })

  test("an answer by API key, or the member's own from another device, holds nothing", async () => {
    const meera = await open('Meera')
    const memberId = members.get('Meera') as string
    const device = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId })
    await meera.page.getByRole('log').getByText('Is the blue one in stock?').waitFor()
    const answer = withNumber('It can be collected today')
    await field(meera.page).fill(answer)
    const others = [withNumber('By a program'), withNumber('By the other device')]
    for (const [client, text] of [
      [shop, others[0]],
      [device, others[1]],
    ] as const)
      expect((await client.post('/api/v1/send', { to: '+919812345678', type: 'text', text })).status).toBe(
        200,
      )
    for (const text of others) await meera.page.getByRole('log').getByText(text!).waitFor()
    await field(meera.page).press('Enter')
    await meera.page.locator('[data-message]').filter({ hasText: answer }).waitFor()
    await meera.context.close()
  })
  test('a message written offline is held if a teammate replied meanwhile, and is sent once when its writer confirms', async () => {
    const [ravi, meera] = [await open('Ravi'), await open('Meera')]
    const thread = meera.page.getByRole('log')
    await thread.getByText('Is the blue one in stock?').waitFor()
    await field(ravi.page).waitFor()
    await meera.context.setOffline(true)
    const [first, second] = [withNumber('Written in the lift'), withNumber('And one more')]
    for (const text of [first, second]) {
      await field(meera.page).fill(text)
      await field(meera.page).press('Enter')
      await meera.page.locator('[data-outbox]').filter({ hasText: text }).waitFor()
    }
    const answer = withNumber('It is, in blue and in green')
    await field(ravi.page).fill(answer)
    await field(ravi.page).press('Enter')
    await ravi.page.locator('[data-message]').filter({ hasText: answer }).waitFor()
    await meera.context.setOffline(false)
    const bubble = (text: string) => meera.page.locator('[data-outbox]').filter({ hasText: text })
    for (const text of [first, second])
      await bubble(text)
        .getByText(/Ravi replied .*ago. Send anyway\?/)
        .waitFor()
    await picture(meera.page, 'held-offline')
    await meera.page.getByRole('link', { name: /Asha Rao.*Not sent: a teammate replied/ }).waitFor()
    expect(await answers()).not.toContain(first)
    // A reload does not send it either.
    await meera.page.reload()
    await bubble(first).getByRole('button', { name: 'Send anyway' }).click()
    await thread.locator('[data-message]').filter({ hasText: first }).waitFor()
    await bubble(first).waitFor({ state: 'detached' })
    await bubble(second).getByRole('button', { name: 'Edit' }).click()
    await bubble(second).waitFor({ state: 'detached' })
    expect(await field(meera.page).inputValue()).toBe(second)
    expect((await answers()).filter((text) => text === first || text === second)).toEqual([first])

    // A message that waits and can still be canceled is held too.
    const memberId = members.get('Ravi') as string
    const other = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId })
    await field(meera.page).fill('')
    await meera.page.evaluate(() => localStorage.setItem('parley.preferences', '{"undoSeconds":3}'))
    await meera.page.reload()
    await field(meera.page).waitFor()
    await thread.getByText(first).waitFor()
    const waiting = withNumber('In a moment')
    await field(meera.page).fill(waiting)
    await field(meera.page).press('Enter')
    await bubble(waiting).getByRole('button', { name: 'Undo' }).waitFor()
    const text = withNumber('I was quicker')
    expect((await other.post('/api/v1/send', { to: '+919812345678', type: 'text', text })).status).toBe(200)
    await bubble(waiting)
      .getByText(/Ravi replied/)
      .waitFor()
    await bubble(waiting).getByRole('button', { name: 'Delete' }).click()
    await bubble(waiting).waitFor({ state: 'detached' })
    expect(await answers()).not.toContain(waiting)
    await Promise.all([ravi.context.close(), meera.context.close()])
  })
})
