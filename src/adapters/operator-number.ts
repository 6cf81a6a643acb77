import type { Config } from '../config.ts'
import { oncePer } from '../core/once-per.ts'
import type { Sealer } from '../core/sealing.ts'
import type { Directory } from '../modules/platform/workspaces/directory.ts'
import type { NumberRecord } from '../modules/platform/workspaces/operations/phone-numbers.ts'
import type { OperatorNumber } from '../operator/port.ts'

/** A number's record with its credentials in plain text and its base address. */
export type OpenedNumber = NumberRecord & OperatorNumber

/**
 * Finds a workspace's number by our id; undefined if there is none. Decrypts once for each cached record,
 * because submitting a message must not cost a decryption.
 */
export function numberOpener(options: {
  config: Config
  directory: Directory
  sealer: Sealer
  simulatorUrl: string
}): (workspaceId: string, phoneNumberId: string) => Promise<OpenedNumber | undefined> {
  const { config, directory, sealer, simulatorUrl } = options
  const opened = oncePer(
    (number: NumberRecord): OpenedNumber => ({
      ...number,
      baseUrl: number.operator === 'simulator' ? simulatorUrl : config.operatorUrl,
      token: sealer.open(number.tokenSealed),
    }),
  )
  return async (workspaceId, phoneNumberId) => {
    const number = (await directory.numbers(workspaceId)).find((number) => number.id === phoneNumberId)
    return number && opened(number)
  }
}
