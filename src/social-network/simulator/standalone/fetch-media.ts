import { request } from 'undici'
import { SECOND_MS } from '../../../core/clock.ts'

const FETCH_MS = 10 * SECOND_MS

/**
 * Returns whether the address of a photo or video returns a file, checked without following redirects, as the
 * network does.
 */
export async function isFetchable(url: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(FETCH_MS) })
    // The content is not checked: it is enough that the body starts.
    body.on('error', () => {}).destroy()
    return statusCode === 200
  } catch {
    return false
  }
}
