/** Voice messages: recorded in the page with the browser's simulated microphone, and played. */
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { samplesOf } from '../../dashboard/inbox/parts/voice/ogg.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { parseVoiceNote } from '../support/ogg-pages.ts'
import { signIn } from '../support/sessions.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

describe.skipIf(!hasChromium)('voice messages', () => {
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
    ] as const)
      await shop.inbound(phone, `Hello, this is ${name}`, { name })
    for (const { id, contact } of (await shop.get('/conversations')).body.conversations)
      chats.set(contact.name, id)
    browser = await launch('--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream')
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const open = async (name: string, options: BrowserContextOptions = {}) => {
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'), options)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox/${chats.get(name)}`)
    await page.getByRole('log').getByText(`Hello, this is ${name}`).waitFor()
    return { context, page, faults }
  }
  const listVoice = async (name: string) =>
    (
      (await shop.get(`/messages?conversationId=${chats.get(name)}&direction=outbound`)).body.messages as {
        id: string
        type: string
        content: { voice?: boolean }
      }[]
    ).filter(({ type }) => type === 'audio')

  test.each<[string, BrowserContextOptions]>([
    ['on a desk', {}],
    ['on a phone', PHONE],
  ])(
    'are recorded, paused, listened to, and sent in the format of the operator, %s',
    async (place, options) => {
      const { context, page, faults } = await open('Asha Rao', { ...options, permissions: ['microphone'] })
      const before = (await listVoice('Asha Rao')).length
      await page.getByRole('button', { name: 'Record a voice message' }).click()
      const recorder = page.getByRole('region', { name: 'Voice message recording' })
      await recorder
        .getByRole('timer')
        .getByText(/0:0[1-9]/)
        .waitFor()
      expect(await violationsOf(page)).toEqual([])
      await picture(page, `voice-recording ${place}`)
      await recorder.getByRole('button', { name: 'Pause recording' }).click()
      await recorder.getByRole('button', { name: 'Play' }).click()
      await recorder.getByRole('button', { name: 'Pause', exact: true }).waitFor()
      await picture(page, `voice-listening ${place}`)
      await recorder.getByRole('button', { name: 'Continue recording' }).click()
      await recorder
        .getByRole('timer')
        .getByText(/0:0[2-9]/)
        .waitFor()
      await recorder.getByRole('button', { name: 'Send' }).click()
      await recorder.waitFor({ state: 'detached' })
      const bubble = page.locator('[data-message]').getByRole('group', { name: 'Voice message' }).last()
      await bubble.waitFor()
      await expect.poll(async () => (await listVoice('Asha Rao')).length).toBe(before + 1)
      await page.getByRole('textbox', { name: 'Message' }).and(page.locator(':focus')).waitFor()

      const [sent] = await listVoice('Asha Rao')
      expect(sent?.content.voice).toBe(true)
      const { body: media } = await shop.get(`/messages/${sent!.id}/media`)
      expect(media.mimeType).toBe('audio/ogg')
      const file = new Uint8Array(
        await (await request(parley.url + new URL(media.url).pathname)).body.arrayBuffer(),
      )
      const note = parseVoiceNote(file)
      expect(note.channels).toBe(1)
      const samples = note.packets.reduce((sum, packet) => sum + samplesOf(packet), 0)
      expect(note.granules.at(-1)).toBe(samples)
      expect(samples / 48_000).toBeGreaterThan(1.8)
      expect(samples / 48_000).toBeLessThan(20)

      // The bubble plays it, by keyboard too.
      await bubble.getByRole('button', { name: 'Play' }).click()
      const position = bubble.getByRole('slider', { name: 'Position' })
      await expect.poll(() => position.isEnabled()).toBe(true)
      await bubble.getByRole('button', { name: 'Speed: 1 times' }).click()
      await bubble.getByRole('button', { name: 'Speed: 1.5 times' }).click()
      await bubble.getByRole('button', { name: 'Speed: 2 times' }).waitFor()
      expect(await page.evaluate(`[...document.querySelectorAll('audio')].at(-1).playbackRate`)).toBe(2)
      await position.focus()
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => position.getAttribute('aria-valuetext')).toMatch(/^(\d:\d\d) of \1$/)
      await page.keyboard.press('ArrowLeft')
      await expect.poll(() => position.getAttribute('aria-valuetext')).toMatch(/^0:00 of /)
      await picture(page, `voice-bubble ${place}`)
      expect(faults).toEqual([])
      await context.close()
    },
  )

  test('wait, paused, while another chat is open', async () => {
    const { context, page } = await open('Asha Rao', { permissions: ['microphone'] })
    const recorder = page.getByRole('region', { name: 'Voice message recording' })
    await page.getByRole('button', { name: 'Record a voice message' }).click()
    await recorder
      .getByRole('timer')
      .getByText(/0:0[1-9]/)
      .waitFor()
    await page.getByRole('link', { name: /Ravi Menon/ }).click()
    await page.getByRole('textbox', { name: 'Message' }).waitFor()
    await page.getByRole('link', { name: /Asha Rao/ }).click()
    await recorder.getByRole('button', { name: 'Continue recording' }).waitFor()
    await recorder.getByRole('button', { name: 'Delete recording' }).click()
    await page.getByRole('textbox', { name: 'Message' }).waitFor()
    await context.close()
  })

  test('say what to do if the browser blocks the microphone, and the text field comes back', async () => {
    const { context, page } = await open('Ravi Menon')
    await page.evaluate(
      `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))`,
    )
    await page.getByRole('button', { name: 'Record a voice message' }).click()
    await page
      .getByText('The browser blocks the microphone. Allow it in the site settings and try again.')
      .waitFor()
    await picture(page, 'voice-blocked')
    await page.getByRole('button', { name: 'Close' }).click()
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.fill('Then in writing')
    // With text, the same place sends it.
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('[data-message]').filter({ hasText: 'Then in writing' }).waitFor()
    await context.close()
  })
})
