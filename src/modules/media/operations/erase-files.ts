import type { Unit } from '../../../core/context.ts'
import { deleteMediaOfMessages } from '../queries.ts'

/** Erases the files that came with messages which their writers deleted. */
export async function eraseFilesOfMessages(
  unit: Unit,
  messages: { workspaceId: string; id: string }[],
): Promise<void> {
  if (messages.length > 0) await deleteMediaOfMessages(unit.tx, messages)
}
