import { MINUTE_MS, SECOND_MS } from '../../core/clock.ts'
import { EgressFault } from '../../egress/faults.ts'
import { openStream, type StreamedAnswer } from '../../egress/stream.ts'
import { classifyError, classifyHttpStatus, isOperatorError } from '../error-classes.ts'
import type { Answered, FileDownload, OperatorNumber } from '../port.ts'
import { parseObject, refused } from './handover.ts'
import type { Line } from './line.ts'

/** Opens addresses on hosts other than the operator's API: https, checked and pinned (egress). */
export type OtherHosts = (
  url: string,
  call: { headers: Record<string, string>; timeoutMs: number; idleMs: number },
) => Promise<StreamedAnswer>

/** Enough for 100 MB at 4 Mbit/s. */
const DOWNLOAD_MS = 4 * MINUTE_MS
const IDLE_MS = 20 * SECOND_MS
const MAX_ERROR_BYTES = 64 * 1024

/**
 * Opens a file's address with the number's token. The real operator stores files on another host; without
 * `otherHosts` only files on the API's host can be opened. Does not follow redirects.
 */
export async function openDownload(
  line: Line,
  otherHosts: OtherHosts | undefined,
  number: OperatorNumber,
  url: string,
): Promise<Answered<FileDownload>> {
  const address = URL.parse(url)
  const own = URL.parse(number.baseUrl)
  if (address === null || own === null) return { kind: 'not_sent', reason: "the file's address isn't valid" }
  const call = {
    headers: { authorization: `Bearer ${number.token}`, 'user-agent': 'parley' },
    timeoutMs: DOWNLOAD_MS,
    idleMs: IDLE_MS,
  }
  try {
    if (address.origin === own.origin)
      return await downloadOf(
        await openStream(line.agent, {
          ...call,
          origin: own.origin,
          path: address.pathname + address.search,
        }),
      )
    if (otherHosts === undefined)
      return { kind: 'not_sent', reason: `Parley doesn't download files from ${address.host}` }
    return await downloadOf(await otherHosts(url, call))
  } catch (error) {
    if (error instanceof EgressFault) return { kind: 'not_sent', reason: error.message }
    return { kind: 'not_sent', reason: error instanceof Error ? error.message : String(error) }
  }
}

async function downloadOf({ status, headers, body }: StreamedAnswer): Promise<Answered<FileDownload>> {
  if (status === 200) {
    const size = Number(headers['content-length'])
    return { kind: 'done', value: { stream: body, sizeBytes: Number.isSafeInteger(size) ? size : null } }
  }
  let text = ''
  for await (const chunk of body) {
    text += String(chunk)
    if (text.length > MAX_ERROR_BYTES) break
  }
  const { error } = parseObject(text)
  return refused(isOperatorError(error) ? classifyError(error) : classifyHttpStatus(status), headers)
}
