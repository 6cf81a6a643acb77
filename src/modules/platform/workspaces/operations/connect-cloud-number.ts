/** Connects a number that its owner shared with the installation's app at the operator. */
import type { Query, Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import { sha256 } from '../../../../core/values/digest.ts'
import {
  findOwnNumberForUpdate,
  listForeignNumbers,
  setNumberChecks,
  updateNumberRow,
} from '../queries/numbers.ts'
import { addPhoneNumber, type NewNumber } from './phone-numbers.ts'

type SharedByOwner = Required<
  Pick<
    NewNumber,
    | 'workspaceId'
    | 'number'
    | 'displayName'
    | 'accountId'
    | 'operatorId'
    | 'token'
    | 'appSecret'
    | 'verifyToken'
  >
>

/**
 * Connects a new number, or replaces the credentials of one that the workspace already has. Refuses `conflict` if another
 * workspace has it.
 */
export async function connectCloudNumber(
  tx: Tx,
  input: SharedByOwner,
  now: Date,
  sealer: Sealer,
): Promise<{ phoneNumberId: string; isNew: boolean }> {
  const existing = await findOwnNumberForUpdate(tx, input)
  if (!existing) {
    const { phoneNumberId } = await addPhoneNumber(tx, { ...input, operator: 'cloud' }, now, sealer)
    return { phoneNumberId, isNew: true }
  }
  if (existing.operator !== 'cloud')
    refuse('conflict', `${input.number} is a simulated number of this workspace.`)
  await updateNumberRow(tx, existing, {
    accountId: input.accountId,
    operatorId: input.operatorId,
    tokenSealed: sealer.seal(input.token),
    appSecretSealed: sealer.seal(input.appSecret),
    verifyTokenHash: sha256(input.verifyToken),
    ...(existing.state === 'disconnected'
      ? { state: 'active', stateReason: null, stateCode: null, stateAt: now }
      : {}),
  })
  const check = { workspaceId: input.workspaceId, phoneNumberId: existing.id, at: now }
  await setNumberChecks(tx.sql, [check], { sooner: true })
  return { phoneNumberId: existing.id, isNew: false }
}

/**
 * Returns whether another workspace has the number, or connects other numbers of its account. The operator sends all reports
 * about an account to one callback, which names one workspace.
 */
export const isConnectedElsewhere = async (
  query: Query,
  workspaceId: string,
  number: { accountId: string; operatorId: string },
): Promise<boolean> => (await listForeignNumbers(query, workspaceId, number)).length > 0
