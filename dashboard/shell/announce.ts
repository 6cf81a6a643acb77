/**
 * Announces a customer's message while the member is not looking: with a sound and a desktop notification, as
 * they chose.
 */
import type { ListedConversation } from '../../sdk/api.ts'
import { siteBase } from '../api/address.ts'
import { currentPreferences } from './preferences.ts'
import { t } from './texts.ts'

/** Two tones, the second higher: short, and generated here, so that no file must be loaded. */
const TONES = [
  { hertz: 660, atSeconds: 0 },
  { hertz: 880, atSeconds: 0.12 },
]
const TONE_SECONDS = 0.2

/** Plays the sound of a new message. Browsers may block it until the user has clicked in the tab. */
export function playSound(): void {
  const audio = new AudioContext()
  for (const { hertz, atSeconds } of TONES) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()]
    const begin = audio.currentTime + atSeconds
    tone.frequency.value = hertz
    volume.gain.setValueAtTime(0.15, begin)
    volume.gain.exponentialRampToValueAtTime(0.001, begin + TONE_SECONDS)
    tone.connect(volume).connect(audio.destination)
    tone.start(begin)
    tone.stop(begin + TONE_SECONDS)
  }
  setTimeout(() => void audio.close(), 1_000)
}

/** Returns whether the browser may show notifications; asks if the user has not decided yet. */
export const mayNotify = async (): Promise<boolean> =>
  'Notification' in globalThis && (await Notification.requestPermission()) === 'granted'

/** Shows a notification; a click on it opens the tab at `path`. */
export function showNotice(title: string, { body, path }: { body: string; path?: string }): void {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
  const notice = new Notification(title, { body, tag: path ?? title, icon: `${siteBase()}favicon.svg` })
  notice.onclick = () => {
    focus()
    notice.close()
    if (path !== undefined && !location.pathname.endsWith(path))
      location.assign(`${siteBase()}${path.slice(1)}`)
  }
}

/** Announces the latest message of a chat. */
export function announceMessage(chat: ListedConversation, workspace: string): void {
  const { sound, notices } = currentPreferences()
  if (sound) playSound()
  if (notices)
    showNotice(chat.contact.name ?? chat.contact.phone ?? t('announce.customer'), {
      body: chat.lastMessage?.text ?? t('announce.message'),
      path: `/w/${workspace}/inbox/${chat.id}`,
    })
}
