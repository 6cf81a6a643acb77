import type { TestParley } from './boot.ts'
import { until } from './until.ts'

/**
 * Waits until the search index contains a word of the workspace's messages. It checks the database, because
 * search requests delay the indexing: indexing pauses while answers are many and slow.
 */
export async function untilRead(parley: TestParley, workspaceId: string, word: string): Promise<void> {
  parley.wake()
  const findWord = () =>
    parley.system((tx) =>
      tx.sql('select 1 from message_words where workspace_id = $1 and words @@ $2::tsquery', [
        workspaceId,
        `'${word}'`,
      ]),
    )
  await until(async () => (await findWord()).length > 0, `the message with "${word}" is read`)
}
