import { invalidReference, Refusal } from '../../../../core/errors.ts'

type Choosable = { id: string; workspaceId: string; state: string }

/**
 * Returns the workspace's number for an action: the named one, otherwise its first active one (spec 4.2),
 * otherwise its first. `numbers`: those of any workspaces, oldest first. Refuses with `invalid_reference`,
 * and with `sending_blocked` if the workspace has none.
 */
export function chooseNumber<Number extends Choosable>(
  numbers: Number[],
  workspaceId: string,
  phoneNumberId: string | undefined,
): Number | Refusal {
  const own = numbers.filter((number) => number.workspaceId === workspaceId)
  if (phoneNumberId !== undefined)
    return (
      own.find((number) => number.id === phoneNumberId.toLowerCase()) ??
      invalidReference([{ path: 'phoneNumberId', message: 'Number not found. See GET /phone-numbers.' }])
    )
  return (
    own.find((number) => number.state === 'active') ??
    own[0] ??
    new Refusal('sending_blocked', 'No sending number is connected. An admin can connect one in Settings.')
  )
}
