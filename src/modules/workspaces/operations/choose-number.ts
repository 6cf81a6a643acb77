import { invalidReference, Refusal } from '../../../core/errors.ts'

type Choosable = { id: string; workspaceId: string; state: string }

/**
 * The number that a workspace acts from: the one named, else its first active one (spec 4.2), else
 * its first. `numbers` are those of any workspaces, oldest first. Refusals: `invalid_reference`, and
 * `sending_blocked` where the workspace has none.
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
