import { request } from 'undici'
import { SECOND_MS } from '../../../core/clock.ts'

const FETCH_MS = 10 * SECOND_MS

/** Whether the address of a photo or video gives a file to whoever asks for it, as the network does. Follows no redirect. */
export async function givesFile(url: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(FETCH_MS) })
    // What it holds is not looked at: that it begins to come is enough.
    body.on('error', () => {}).destroy()
    return statusCode === 200
  } catch {
    return false
  }
}
