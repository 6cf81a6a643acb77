import type { Tx } from '../../../../../core/context.ts'
import { instants, jsonTexts, texts, uuids } from '../../../../../database/sql/binary-arrays.ts'
import { type NewMessage, OF_EVERY, TYPES_OF_EVERY, valuesOfEvery } from '../../message-rows.ts'

const INSERT_QUEUED = `
  insert into messages (${OF_EVERY}, run_at, template_text, sent_by, origin, source_kind, source_id, source_name)
  select * from unnest(${TYPES_OF_EVERY}, $13::timestamptz[], $14::text[], $15::uuid[], $16::json[],
    $17::text[], $18::uuid[], $19::text[])`

/** Inserts messages without a channel id. */
export const insertQueuedMessages = (tx: Tx, rows: NewMessage[]): Promise<unknown> =>
  tx.sql(INSERT_QUEUED, [
    ...valuesOfEvery(rows),
    instants(rows.map((row) => row.runAt)),
    texts(rows.map((row) => row.templateText)),
    uuids(rows.map((row) => row.sentBy)),
    jsonTexts(rows.map((row) => (row.origin ? JSON.stringify(row.origin) : null))),
    texts(rows.map((row) => row.sourceKind)),
    uuids(rows.map((row) => row.sourceId)),
    texts(rows.map((row) => row.sourceName)),
  ])
