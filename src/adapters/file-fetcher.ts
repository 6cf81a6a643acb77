import type { Outside } from '../core/context.ts'
import { invalid, type Refusal } from '../core/errors.ts'
import type { Egress } from '../egress/egress.ts'
import { EgressFault } from '../egress/faults.ts'
import { plainMediaType } from '../operator/media-types.ts'

/** A file may take longer than a webhook's answer. */
const FETCH_MS = 30_000

/** Fetches a file from a public https address; the egress checks where it leads (docs/decisions). */
export const fileFetcher =
  (egress: Egress): Outside['fetchFile'] =>
  async (url, { field, maxBytes }) => {
    const refused = (message: string): Refusal => invalid([{ path: field, message }])
    const answer = await get(egress, url, maxBytes).catch((error: unknown) => {
      if (error instanceof EgressFault) throw refused(`Couldn't be downloaded: ${error.message}`)
      throw error
    })
    if (answer.status !== 200)
      throw refused(`Couldn't be downloaded: the address answered with status ${answer.status}.`)
    if (answer.truncated) throw refused(`Must be at most ${maxBytes} bytes.`)
    if (answer.body.length === 0) throw refused('Must not be an empty file.')
    return { bytes: answer.body, mimeType: plainMediaType(answer.headers['content-type'] ?? '') }
  }

const get = async (egress: Egress, url: string, maxBytes: number) =>
  egress.get({ target: egress.prepareTarget(url), timeoutMs: FETCH_MS, maxBodyBytes: maxBytes })
