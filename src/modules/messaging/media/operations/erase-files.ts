import type { Unit } from '../../../../core/context.ts'
import { deleteMediaOfMessages } from '../queries.ts'

/** Erases the files of messages that their senders deleted. */
export async function eraseFilesOfMessages(
  unit: Unit,
  messages: { workspaceId: string; id: string }[],
): Promise<void> {
  if (messages.length > 0) await deleteMediaOfMessages(unit.tx, messages)
}
