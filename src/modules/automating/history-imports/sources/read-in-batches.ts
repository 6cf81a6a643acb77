/** Turns a generator of records into batches that continue at any record. */
import type { HistoryRecord, LeftOut, OpenHistory } from '../history-source.ts'

/** A record, or a record that is left out. */
export type ReadItem = { record: HistoryRecord } | { leftOut: LeftOut }

/** Records per batch. Its transaction takes some hundred milliseconds. */
const BATCH_ITEMS = 250
/** Files of a batch are held before it is stored. */
const BATCH_FILES = 20

type Position = { items: number }

/**
 * Returns a source that reads `items`, which yields the same items at each call. The position is their number: only after a kill
 * does a batch begin with reading up to there.
 */
export function readInBatches(
  items: () => AsyncGenerator<ReadItem>,
  { total, hold }: { total: number; hold(record: HistoryRecord): Promise<HistoryRecord | ReadItem[]> },
): OpenHistory {
  let reader: AsyncGenerator<ReadItem> | undefined
  let passed = 0
  const goTo = async (target: number): Promise<AsyncGenerator<ReadItem>> => {
    if (reader !== undefined && passed === target) return reader
    await reader?.return(undefined)
    reader = items()
    for (passed = 0; passed < target; passed++) if ((await reader.next()).done) break
    return reader
  }
  return {
    async next(position) {
      const from = (position as Position | null)?.items ?? 0
      const found = await goTo(from)
      const records: HistoryRecord[] = []
      const leftOut: LeftOut[] = []
      let [read, files, done] = [0, 0, false]
      while (read < BATCH_ITEMS && files < BATCH_FILES) {
        const { value, done: ended } = await found.next()
        if (ended) {
          done = true
          break
        }
        read++
        if ('leftOut' in value) {
          leftOut.push(value.leftOut)
          continue
        }
        const held = await hold(value.record)
        if (!Array.isArray(held)) records.push(held)
        else
          for (const item of held) {
            if ('leftOut' in item) leftOut.push(item.leftOut)
            else records.push(item.record)
          }
        if (value.record.kind === 'message' && value.record.type) files++
      }
      passed = from + read
      return { records, leftOut, read, position: { items: from + read }, done, total }
    },
    async close() {
      await reader?.return(undefined)
    },
  }
}
