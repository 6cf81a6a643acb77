import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMember } from '../../src/modules/platform/workspaces/operations/workspace-members.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { DASHBOARD, signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const LOOKS: [name: string, options: BrowserContextOptions][] = [
  ['wide', {}],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' }],
]

describe.skipIf(!hasChromium)('notifications', () => {
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

  const arrange = async (): Promise<{ shop: TestWorkspace; chat: Body; raviId: string }> => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus', ownerName: 'Asha Rao' })
    await shop.inbound('+919812345678', 'Is the blue one in stock?', { name: 'Meera Nair' })
    const [chat] = (await shop.get('/conversations')).body.conversations
    const { memberId: raviId } = await parley.system((tx) =>
      addMember(
        tx,
        {
          workspaceId: shop.workspaceId,
          email: `ravi@${shop.workspaceId}.local`,
          name: 'Ravi Menon',
          role: 'agent',
        },
        new Date(),
      ),
    )
    return { shop, chat, raviId }
  }

  test.each(LOOKS)('of a mention reach a teammate and link to the chat: %s', async (theme, options) => {
    const { shop, chat, raviId } = await arrange()
    const { workspaceId } = shop
    const asha = await signInByLink(parley, { workspaceId, memberId: shop.ownerId })
    const ravi = await signInByLink(parley, { workspaceId, memberId: raviId })
    const [ashas, ravis] = [
      await profileOf(browser, parley, asha, options),
      await profileOf(browser, parley, ravi, options),
    ]
    const ravisTab = await openPage(ravis)
    await ravisTab.page.goto(`/w/${workspaceId}/tasks`)
    const bell = ravisTab.page.getByRole('link', { name: /^Notifications/ })
    await bell.waitFor()

    // Mentioned by keyboard: @, the beginning of the name, Enter.
    const ashasTab = await openPage(ashas)
    await ashasTab.page.goto(`/w/${workspaceId}/inbox/${chat.id}`)
    await ashasTab.page.getByRole('log').getByText('Is the blue one in stock?').waitFor()
    await ashasTab.page.getByRole('button', { name: 'Note', exact: true }).click()
    const note = ashasTab.page.getByRole('textbox', { name: 'Note' })
    await note.pressSequentially('Please look, @rav')
    await ashasTab.page.getByRole('option', { name: 'Ravi Menon' }).waitFor()
    await picture(ashasTab.page, `mention-${theme}`)
    await note.press('Enter')
    await expect.poll(() => note.inputValue()).toBe('Please look, @Ravi Menon ')
    await note.press('Enter')
    await ashasTab.page.getByRole('log').getByText('Please look, @Ravi Menon').waitFor()

    await ravisTab.page.getByRole('link', { name: /Notifications\s*Unread: 1/ }).click()
    const row = ravisTab.page.getByRole('link', {
      name: /Asha Rao mentioned you in the chat with Meera Nair/,
    })
    await row.waitFor()
    await picture(ravisTab.page, `notifications-${theme}`)
    await row.click()
    await ravisTab.page.waitForURL((url) => url.pathname.endsWith(`/inbox/${chat.id}`))
    await ravisTab.page.getByRole('log').getByText('Please look, @Ravi Menon').waitFor()
    await expect.poll(async () => (await ravi.get(`${DASHBOARD}/notifications`)).body.unread).toBe(0)

    // Notifications that are turned off do not appear, and all can be marked as read together.
    await ravisTab.page.goto(`/w/${workspaceId}/notifications`)
    await shop.patch(`/conversations/${chat.id}`, { assignedAgentId: raviId })
    await ravisTab.page.getByRole('button', { name: 'Mark all as read' }).click()
    await ravisTab.page.getByRole('tab', { name: /Unread/ }).click()
    await ravisTab.page.getByText('No unread notifications').waitFor()
    await ravisTab.page.getByRole('button', { name: 'Notification settings' }).click()
    await ravisTab.page.getByRole('menuitemcheckbox', { name: 'Notes that mention me' }).click()
    await expect
      .poll(async () => (await ravi.get(`${DASHBOARD}/preferences`)).body.preferences.notifications)
      .toEqual({ mention: false })
    expect([ravisTab.faults, ashasTab.faults]).toEqual([[], []])
    await ashas.close()
    await ravis.close()
  })
})
